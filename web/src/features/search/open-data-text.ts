import type { OpenDataHere } from '#contract/work/open-data.ts';
import { formatCount, plural } from '#web/lib/format/format.ts';

/**
 * What is known of open data before Google is paid, and what is not: "Open data has 120 places here. 30 of Google’s are known to be among
 * them…". Empty for a search that does not ask it first. `found`: places of Google.
 */
export function openDataText(openData: OpenDataHere | undefined, found: number): string {
  if (!openData) return '';
  const { places, sources, matched } = openData;
  if (places === 0) return ' Open data has no such places here.';
  const has = ` Open data (${sources.join(', ')}) has ${plural(places, 'place')} here, free of charge.`;
  const rest = found - matched;
  if (matched === 0)
    return `${has} None of Google’s is known to be among them yet: only a paid page tells. You get no business twice.`;
  const spared = `${formatCount(matched)} of Google’s ${matched === 1 ? 'is' : 'are'} known to be among them, and no page is paid for those alone.`;
  if (rest === 0) return `${has} ${spared}`;
  return `${has} ${spared} Whether the other ${formatCount(rest)} ${rest === 1 ? 'is' : 'are'}, only a paid page tells. You get no business twice.`;
}
