import { searchEstimateMicros } from '#contract/money/costs.ts';
import { type SearchCount, SearchForm } from '#contract/work/search/search.ts';
import { formatCount, formatExact, plural } from '#web/lib/format/format.ts';
import type { PriceLine, PriceQuery } from '#web/lib/format/price-line.ts';
import { openDataText } from './open-data-text.ts';

/** A free look tells ids only: which of the places have closed is known only after they are paid for. */
const FEWER = 'Closed businesses and those outside the radius are left out, so you may get fewer leads.';
const MORE = 'Google has more. ';

/**
 * What a search will come upon: "57 places · 41 not in your lists yet", and what it may leave out. Of more than it takes: "The first 20
 * places · …". `location` as it was typed.
 */
export function countText(
  { place, lookUpMicros, found, more, unlisted, leftOut, openData }: SearchCount,
  location: string,
): string {
  if (place === null)
    return `“${location}” has not been looked up yet. Finding it costs ${formatExact(lookUpMicros)}. It is remembered, so counting places is free after that.`;
  if (found === 0) return `Google found no such places near ${place}.`;
  const places = more ? `The first ${plural(found, 'place')}` : plural(found, 'place');
  if (leftOut === found)
    return `${places}, and all of them have closed or lie outside the radius. You would get no leads.`;
  const isAllNew = unlisted + leftOut === found;
  const parts = [places, isAllNew ? 'none in your lists yet' : `${formatCount(unlisted)} not in your lists yet`];
  if (leftOut > 0) parts.push(`${formatCount(leftOut)} closed or outside the radius`);
  return `${parts.join(' · ')}. ${more ? MORE : ''}${FEWER}${openDataText(openData, found)}`;
}

/** The same with what the search costs at most; without a price until it is counted. */
export const searchPriceLine = (
  query: PriceQuery & { data: SearchCount | undefined },
  { location, maxResults }: { location: string; maxResults: number },
): PriceLine => ({
  query,
  listMicros: searchEstimateMicros(maxResults),
  price: query.data && { ...query.data, text: countText(query.data, location) },
});

/** A valid form as text, so that equal ones are equal; empty for one that cannot be searched for. */
export function searchableText(values: unknown): string {
  const form = SearchForm.safeParse(values);
  return form.success ? JSON.stringify(form.data) : '';
}
