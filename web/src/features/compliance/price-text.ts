import type { UseQueryResult } from '@tanstack/react-query';
import { COMPLIANCE_PER_LEAD_MICROS } from '#contract/money/costs.ts';
import type { ComplianceEstimate } from '#contract/work/compliance.ts';
import { formatCount, plural } from '#web/lib/format/format.ts';
import type { PriceLine } from '#web/lib/format/price-line.ts';

/** What a check pays for: "48 leads · 40 numbers to check, 3 of them expired · 5 already known". */
export function compliancePriceText({
  leads,
  suppressed,
  toCheck,
  expired,
  known,
  lost,
  elsewhere,
}: ComplianceEstimate): string {
  const again = expired > 0 ? `, ${formatCount(expired)} of them expired` : '';
  const parts = [plural(leads, 'lead'), `${plural(toCheck, 'US number')} to check${again}`];
  if (suppressed > 0) parts.push(`${formatCount(suppressed)} suppressed`);
  if (known > 0) parts.push(`${formatCount(known)} already known`);
  if (lost > 0) parts.push(`${formatCount(lost)} with a lost result`);
  if (elsewhere > 0) parts.push(`${plural(elsewhere, 'lead')} also in your other lists`);
  return parts.join(' · ');
}

/** Why there is nothing to check, not even what is known. */
function nothingToCheck({ toCheck, known, lost }: ComplianceEstimate): string | undefined {
  if (toCheck + known > 0) return undefined;
  return lost > 0
    ? 'The results for these numbers never arrived. Settle them in the run’s details, then check again.'
    : 'No lead has a US phone number, so there is nothing to check.';
}

/** `leads`: as many as are chosen, or as the list has. */
export const compliancePriceLine = (query: UseQueryResult<ComplianceEstimate>, leads: number): PriceLine => ({
  query,
  listMicros: leads * COMPLIANCE_PER_LEAD_MICROS,
  price: query.data && { ...query.data, text: compliancePriceText(query.data), nothing: nothingToCheck(query.data) },
});
