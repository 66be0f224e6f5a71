import type { SurveyCount } from '#contract/work/surveys.ts';
import { formatCount, plural } from '#web/lib/format/format.ts';
import type { PriceLine, PriceQuery } from '#web/lib/format/price-line.ts';

/** "2,014 places · 1,990 not in your lists yet · 104 pages to pay for". */
export function areaCountText({ found, unlisted, paidPages }: SurveyCount): string {
  if (found === 0) return 'Google found no such places in this area.';
  const fresh = unlisted === found ? 'none in your lists yet' : `${formatCount(unlisted)} not in your lists yet`;
  const pages = paidPages === 0 ? 'nothing left to pay for' : `${plural(paidPages, 'page')} to pay for`;
  return `${plural(found, 'place')} · ${fresh} · ${pages}. Closed businesses are left out, so you may get fewer leads.`;
}

/** The same with what a search after it costs at most; without a price until everything is counted. */
export const areaPriceLine = (query: PriceQuery & { data: SurveyCount | undefined }): PriceLine => ({
  query,
  listMicros: 0,
  price: query.data?.state === 'counted' ? priceOf(query.data) : undefined,
});

function priceOf(count: SurveyCount): NonNullable<PriceLine['price']> {
  const { paidPages, boundMicros } = count;
  const callMicros = paidPages === 0 ? 0 : Math.round(boundMicros / paidPages);
  return { text: areaCountText(count), boundMicros, callMicros };
}
