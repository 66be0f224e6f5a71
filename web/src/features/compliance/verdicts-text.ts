import type { ComplianceSummary } from '#contract/compliance.ts';
import { formatCount, formatMoney, plural } from '#web/lib/format.ts';

/** What the checks of a list found, in one line; nothing before the first verdict. A copy has verdicts that it did not pay for. */
export function verdictsText({ total, safe, flagged, cost }: ComplianceSummary): string | undefined {
  if (total === 0) return undefined;
  const paid = cost > 0 ? formatMoney(cost * 1_000_000) : 'nothing paid';
  return `${plural(total, 'number')} checked · ${formatCount(safe)} safe · ${formatCount(flagged)} flagged · ${paid}`;
}
