import type { UseQueryResult } from '@tanstack/react-query';
import type { ComplianceEstimate } from '#contract/compliance.ts';
import { formatCount, plural } from '#web/lib/format.ts';
import type { PriceLine } from '#web/ui/price-bound.tsx';

/** What a check pays for: "48 leads · 40 numbers to check, 3 of them expired · 5 already known". */
export function compliancePriceText({ leads, toCheck, expired, known, lost }: ComplianceEstimate): string {
  const again = expired > 0 ? `, ${formatCount(expired)} of them expired` : '';
  const parts = [plural(leads, 'lead'), `${plural(toCheck, 'US number')} to check${again}`];
  if (known > 0) parts.push(`${formatCount(known)} already known`);
  if (lost > 0) parts.push(`${formatCount(lost)} with an answer that was lost`);
  return parts.join(' · ');
}

/** Why there is nothing to check, not even what is known. */
export function nothingToCheck({ toCheck, known, lost }: ComplianceEstimate): string | undefined {
  if (toCheck + known > 0) return undefined;
  return lost > 0
    ? 'The answers about these numbers were lost. Settle them in the details of the run, then check again.'
    : 'No lead has a US phone number, so there is nothing to check.';
}

export const compliancePriceLine = (query: UseQueryResult<ComplianceEstimate>): PriceLine => ({
  query,
  price: query.data && {
    text: compliancePriceText(query.data),
    boundMicros: query.data.boundMicros,
    nothing: nothingToCheck(query.data),
  },
});
