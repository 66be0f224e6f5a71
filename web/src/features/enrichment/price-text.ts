import type { UseQueryResult } from '@tanstack/react-query';
import type { EnrichmentEstimate } from '#contract/work/enrichment.ts';
import { type EnrichmentStep, FINDING_STEPS, findsEmails } from '#contract/work/enrichment-steps.ts';
import { formatCount, plural } from '#web/lib/format/format.ts';
import type { PriceLine } from '#web/lib/format/price-line.ts';
import { emailsPerLeadMicros } from './enrichment-options.ts';

type Steps = readonly EnrichmentStep[] | undefined;

/** What an enrichment does and pays for: "48 leads · 31 websites to visit · 9 found for free · at most 22 domains to look up". */
export function enrichmentPriceText(
  { leads, suppressed, toVisit, foundFree, toLookUp, known, toVerify, verified, elsewhere }: EnrichmentEstimate,
  steps: Steps = FINDING_STEPS,
): string {
  const parts = [plural(leads, 'lead')];
  if (toVisit > 0) parts.push(`${plural(toVisit, 'website')} to visit`);
  if (foundFree > 0 && findsEmails(steps)) parts.push(`${formatCount(foundFree)} found for free`);
  if (steps.includes('hunter')) parts.push(`${toVisit > 0 ? 'at most ' : ''}${plural(toLookUp, 'domain')} to look up`);
  if (steps.includes('verifier'))
    parts.push(`${findsEmails(steps) ? 'at most ' : ''}${plural(toVerify, 'email')} to verify`);
  if (verified > 0) parts.push(`${formatCount(verified)} already checked`);
  if (suppressed > 0) parts.push(`${formatCount(suppressed)} suppressed`);
  if (known > 0) parts.push(`${formatCount(known)} already known`);
  if (elsewhere > 0) parts.push(`${plural(elsewhere, 'lead')} also in your other lists`);
  return parts.join(' · ');
}

/** Why there is nothing to look up or verify, not even what is known. */
function nothingToEnrich(estimate: EnrichmentEstimate, steps: Steps = FINDING_STEPS): string | undefined {
  const { leads, suppressed, withoutWebsite, onSharedHost, toLookUp, toVisit, foundFree, known } = estimate;
  if (estimate.toVerify + estimate.verified > 0) return undefined;
  if (!findsEmails(steps))
    return 'No email needs to be verified: there is none, or Hunter checked it in the last 30 days.';
  const withWebsite = leads - suppressed - withoutWebsite - onSharedHost;
  return withWebsite <= 0 && toLookUp + toVisit + foundFree + known === 0
    ? 'No lead has a website of its own, so there is nothing to look up.'
    : undefined;
}

/** `leads`: as many as are chosen, or as the list has. */
export const enrichmentPriceLine = (
  query: UseQueryResult<EnrichmentEstimate>,
  leads: number,
  steps: Steps,
): PriceLine => ({
  query,
  listMicros: leads * emailsPerLeadMicros(steps),
  price: query.data && {
    ...query.data,
    text: enrichmentPriceText(query.data, steps),
    nothing: nothingToEnrich(query.data, steps),
  },
});
