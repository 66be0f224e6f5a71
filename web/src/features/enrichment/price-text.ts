import type { UseQueryResult } from '@tanstack/react-query';
import { ENRICHMENT_PER_LEAD_MICROS } from '#contract/money/costs.ts';
import type { EnrichmentEstimate } from '#contract/work/enrichment.ts';
import { formatCount, plural } from '#web/lib/format/format.ts';
import type { PriceLine } from '#web/lib/format/price-line.ts';

/** What an enrichment pays for: "48 leads · 31 domains to look up · 9 already known". */
export function enrichmentPriceText({ leads, suppressed, toLookUp, known, elsewhere }: EnrichmentEstimate): string {
  const parts = [plural(leads, 'lead'), `${plural(toLookUp, 'domain')} to look up`];
  if (suppressed > 0) parts.push(`${formatCount(suppressed)} suppressed`);
  if (known > 0) parts.push(`${formatCount(known)} already known`);
  if (elsewhere > 0) parts.push(`${plural(elsewhere, 'lead')} also in your other lists`);
  return parts.join(' · ');
}

/** Why there is nothing to look up, not even what is known. */
const nothingToEnrich = ({ toLookUp, known }: EnrichmentEstimate): string | undefined =>
  toLookUp + known === 0 ? 'No lead has a website of its own, so there is nothing to look up.' : undefined;

/** `leads`: as many as are chosen, or as the list has. */
export const enrichmentPriceLine = (query: UseQueryResult<EnrichmentEstimate>, leads: number): PriceLine => ({
  query,
  listMicros: leads * ENRICHMENT_PER_LEAD_MICROS,
  price: query.data && { ...query.data, text: enrichmentPriceText(query.data), nothing: nothingToEnrich(query.data) },
});
