import { type SearchCount, SearchForm } from '#contract/search.ts';
import { formatCount, formatMoney, plural } from '#web/lib/format.ts';
import type { PriceLine, PriceQuery } from '#web/ui/price-bound.tsx';

/** What a search will come upon: "57 places · 41 not in your lists yet". `location` as it was typed. */
export function countText({ place, lookUpMicros, found, unlisted }: SearchCount, location: string): string {
  if (place === null)
    return `“${location}” has not been looked up yet. Finding it costs ${formatMoney(lookUpMicros)} and is remembered; after that, places are counted for free.`;
  if (found === 0) return `Google knows no such places around ${place}.`;
  if (unlisted === found) return `${plural(found, 'place')} · none in your lists yet`;
  return `${plural(found, 'place')} · ${formatCount(unlisted)} not in your lists yet`;
}

/** The same with what the search costs at the most; without a price until it is counted. */
export const searchPriceLine = (
  query: PriceQuery & { data: SearchCount | undefined },
  location: string,
): PriceLine => ({
  query,
  price: query.data && { text: countText(query.data, location), boundMicros: query.data.boundMicros },
});

/** A valid form as text, so that equal ones are equal; empty for one that can not be searched for. */
export function searchableText(values: Partial<SearchForm>): string {
  const form = SearchForm.safeParse(values);
  return form.success ? JSON.stringify(form.data) : '';
}
