import type { Coverage, Leaf, Reprobe } from '#contract/work/search/coverage.ts';
import { formatCount, plural } from '#web/lib/format/format.ts';

/** The list that a certificate is about. */
export type ListOfCertificate = { name: string; sandbox: boolean };

/** "dentist in Springfield, IL". What is invented says so, also on paper. */
export const listText = ({ name, sandbox }: ListOfCertificate): string =>
  sandbox ? `${name} · sandbox data: its businesses are invented` : name;

/** "About 3% of the places may be missing (95% interval: 1–5%)." */
export function missedText(reprobe: Reprobe | null): string {
  if (!reprobe) return 'No part was checked a second time, so there is no estimate of what may be missing.';
  const { leaves, seen, new: fresh, missedShare, low, high } = reprobe;
  const looked = `A second, finer look at ${plural(leaves, 'part')} saw ${plural(seen, 'place')}, ${formatCount(fresh)} of them new.`;
  if (missedShare === 0)
    return `No place seems to be missing; at most ${percent(high)}, with 95% confidence. ${looked}`;
  return `About ${percent(missedShare)} of the places may be missing (95% interval: ${percent(low)} to ${percent(high)}). ${looked}`;
}

/** Small shares keep a decimal: 0.004 is 0.4%, not nothing. */
function percent(share: number): string {
  const value = share * 100;
  return `${value === 0 || value >= 10 ? Math.round(value) : value.toFixed(1)}%`;
}

/** What the check of the parts came to. It shares no code with what divides an area. */
export const proofText = ({ partition, leaves, outside }: Coverage): string =>
  partition.exact
    ? `${plural(leaves.length, 'part')} inside and ${formatCount(outside.length)} outside the area cover its frame exactly: nothing is missing, and nothing is covered twice. A separate check in whole numbers confirms it.`
    : `The parts do not cover the frame exactly: ${partition.why ?? 'the check failed.'}`;

/** Edges of a part in degrees: "39.7012345 to 39.8012345". */
export const degrees = (from: number, to: number): string => `${(from / 1e7).toFixed(7)} to ${(to / 1e7).toFixed(7)}`;

/** How many parts are in each state, those states first that hide something. */
export function countStates(leaves: readonly Leaf[]): { state: Leaf['state']; parts: number; places: number }[] {
  const states: Leaf['state'][] = ['failed', 'open', 'saturated', 'complete'];
  return states.flatMap((state) => {
    const those = leaves.filter((leaf) => leaf.state === state);
    return those.length === 0
      ? []
      : [{ state, parts: those.length, places: those.reduce((sum, { ids }) => sum + ids.length, 0) }];
  });
}

/** Whether a part gave no answer, or was not asked yet. Others are as complete as they can be. */
export const isSilent = ({ state }: Pick<Leaf, 'state'>): boolean => state === 'failed' || state === 'open';

/** "2,014", how many more its parts hold across the border of the area, and how many no part holds anymore. */
export function foundText({
  uniqueIds,
  outsideIds,
  unplaced,
  gaps,
}: Pick<Coverage, 'uniqueIds' | 'outsideIds' | 'unplaced' | 'gaps'>): string {
  const texts = [formatCount(uniqueIds)];
  if (outsideIds > 0)
    texts.push(
      `${formatCount(outsideIds)} more ${outsideIds === 1 ? 'lies' : 'lie'} outside, in parts that cross the border`,
    );
  // A part that gave no answer may hold them.
  if (unplaced > 0 && !gaps.some(isSilent))
    texts.push(
      `${formatCount(unplaced)} of those found were seen before their part was divided and not since, so they were not bought`,
    );
  return texts.join(' · ');
}

/** Google's own count beside what was found, and why the two may differ. */
export const googleCountText = ({ uniqueIds }: Pick<Coverage, 'uniqueIds'>, count: number): string =>
  `${formatCount(count)} places by Places Aggregate · ${formatCount(uniqueIds)} found here. Google counts open businesses within the border, and some differently, such as those without a storefront. Places that were never bought may have closed, or lie just across the border.`;

/** What the gaps of an area are, and whether another search can do anything about them. */
export function gapsText(gaps: readonly Leaf[]): string {
  const silent = gaps.filter(isSilent).length;
  const full = gaps.length - silent;
  const texts = [
    silent > 0 ? `${plural(silent, 'part')} could not be counted.` : '',
    full > 0
      ? `${plural(full, 'part')} ${full === 1 ? 'is' : 'are'} as small as a building and still ${full === 1 ? 'holds' : 'hold'} more places than Google shows. ${full === 1 ? 'It' : 'They'} cannot be divided further.`
      : '',
  ];
  return texts.filter(Boolean).join(' ');
}

/** How many of the places found are in the list, and why others are not. */
export function inListText({ inList = 0, uniqueIds }: Pick<Coverage, 'inList' | 'uniqueIds'>): string {
  const others = uniqueIds - inList;
  if (others <= 0) return formatCount(inList);
  return `${formatCount(inList)} · ${formatCount(others)} others were found. They have closed, were left out or removed, or did not come when their pages were bought`;
}

/** What was counted after the list was searched. */
export function laterText({ passes, newPlaces, gaps }: NonNullable<Coverage['later']>): string {
  const more = newPlaces > 0 ? plural(newPlaces, 'more place', 'more places') : 'no more places';
  const left = gaps > 0 ? `${plural(gaps, 'gap')} left` : 'no gap left';
  return `${plural(passes, 'more pass', 'more passes')}: ${more}, ${left}. A new search of this list buys what is new.`;
}
