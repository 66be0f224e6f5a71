import type { SurveyCount } from '#contract/work/search/surveys.ts';
import { openDataText } from '#web/features/search/open-data-text.ts';
import { formatCount, formatMoney, plural } from '#web/lib/format/format.ts';
import type { PriceLine, PriceQuery } from '#web/lib/format/price-line.ts';

/** "2,014 places · 1,990 not in your lists yet · 104 pages to pay for". */
export function areaCountText({ found, unlisted, paidPages, unplaced, gaps, openData }: SurveyCount): string {
  if (found === 0) return 'Google found no such places in this area.';
  const fresh = unlisted === found ? 'none in your lists yet' : `${formatCount(unlisted)} not in your lists yet`;
  const pages = paidPages === 0 ? 'nothing left to pay for' : `${plural(paidPages, 'page')} to pay for`;
  // A part that is still to be counted may hold them.
  const lost =
    unplaced > 0 && gaps === 0
      ? ` ${plural(unplaced, 'place was', 'places were')} seen once and in no part since, so no page brings ${unplaced === 1 ? 'it' : 'them'}.`
      : '';
  return `${plural(found, 'place')} · ${fresh} · ${pages}. Closed businesses and places across the border are left out, so you may get fewer leads.${lost}${openDataText(openData, found)}`;
}

/**
 * "1,204 places so far · 1,100 not in your lists yet · $2.10 at most for the 38 parts counted". Parts that are still to be divided
 * hold places too, and have no price yet.
 */
export function soFarText({ found, leaves, unlisted, boundMicros }: SurveyCount): string {
  const so = `${plural(found, 'place')} so far`;
  if (found === 0) return so;
  const price = leaves > 0 ? ` · ${formatMoney(boundMicros)} at most for the ${plural(leaves, 'part')} counted` : '';
  return `${so} · ${formatCount(unlisted)} not in your lists yet${price}`;
}

/** What a count is at: the second look has a count of its own. */
export const lookText = ({ again }: Pick<SurveyCount, 'again'>): string | undefined =>
  again ? `Second look: ${formatCount(again.done)} of ${plural(again.planned, 'look')}` : undefined;

/** How much it takes to count an area that is larger than the USA. */
export const largeText = (squareMiles: number, calls = 0): string =>
  `This area is larger than the United States: about ${formatCount(squareMiles)} square miles. Counting it takes about 190 free requests for each 1,000 places of each business type, and up to ${formatCount(calls)}. That may take hours. A smaller area is done sooner.`;

/** Whether what an area has can be bought. Where no part gave an answer, nothing is known of it. */
export const isPriced = ({
  state,
  atLimit,
  gaps,
  found,
}: Pick<SurveyCount, 'state' | 'atLimit' | 'gaps' | 'found'>): boolean =>
  atLimit || (state === 'counted' && (found > 0 || gaps === 0));

/** The same with what a search after it costs at most; without a price until everything is counted. */
export const areaPriceLine = (query: PriceQuery & { data: SurveyCount | undefined }): PriceLine => ({
  query,
  listMicros: 0,
  price: query.data && isPriced(query.data) ? priceOf(query.data) : undefined,
});

function priceOf(count: SurveyCount): NonNullable<PriceLine['price']> {
  const { paidPages, boundMicros, sandbox } = count;
  const callMicros = paidPages === 0 ? 0 : Math.round(boundMicros / paidPages);
  return { text: areaCountText(count), boundMicros, callMicros, sandbox };
}
