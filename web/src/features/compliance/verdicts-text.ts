import type { ComplianceSummary } from '#contract/work/compliance.ts';
import { formatCount, formatMoney, plural } from '#web/lib/format/format.ts';

/** What the checks of a list found, in one line, by leads: a run counts a number once that several of them have. Nothing before the first verdict. A copy has verdicts that it did not pay for. */
export function verdictsText({ total, safe, flagged, cost }: ComplianceSummary): string | undefined {
  if (total === 0) return undefined;
  const paid = cost > 0 ? formatMoney(cost * 1_000_000) : 'nothing paid';
  return `${plural(total, 'lead')} checked · ${formatCount(safe)} safe · ${formatCount(flagged)} flagged · ${paid}`;
}
