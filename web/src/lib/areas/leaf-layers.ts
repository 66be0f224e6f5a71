import type { DataOf } from '#contract/endpoint.ts';
import type { Leaf, leavesEndpoint } from '#contract/work/search/coverage.ts';
import { plural } from '#web/lib/format/format.ts';

type CountedLeaf = DataOf<typeof leavesEndpoint>['leaves'][number];
type State = Leaf['state'];

/** What became of a part of an area, in a word or two. */
export const LEAF_WORDS: Readonly<Record<State, string>> = {
  complete: 'Complete',
  saturated: 'Full at the smallest size',
  failed: 'No answer',
  open: 'Not looked at yet',
};

/** How a map draws it. */
const TONES = { complete: 'done', saturated: 'warning', failed: 'danger', open: 'open' } as const;

/** The same words for what a map draws. */
export const TONE_WORDS = {
  done: LEAF_WORDS.complete,
  warning: LEAF_WORDS.saturated,
  danger: LEAF_WORDS.failed,
  open: LEAF_WORDS.open,
} as const;

const E7 = 10_000_000;
const HALF_TURN = 180 * E7;

/** The leaves of each business type as rectangles of a map, in degrees. */
export function leafLayers(queries: readonly string[], leaves: readonly CountedLeaf[]) {
  const goesOn = leaves.some(({ east }) => east === HALF_TURN) && leaves.some(({ west }) => west === -HALF_TURN);
  const turned = (longitude: number, { west }: CountedLeaf) => longitude / E7 + (goesOn && west < 0 ? 360 : 0);
  return queries.map((name, at) => ({
    name,
    cells: leaves
      .filter(({ query }) => query === at)
      .map((leaf) => ({
        south: leaf.south / E7,
        west: turned(leaf.west, leaf),
        north: leaf.north / E7,
        east: turned(leaf.east, leaf),
        tone: TONES[leaf.state],
        count: leaf.places,
      })),
  }));
}

/** "Complete · 43 places". */
export const cellText = ({ tone, count }: { tone: keyof typeof TONE_WORDS; count: number }): string =>
  tone === 'open' && count === 0 ? TONE_WORDS.open : `${TONE_WORDS[tone]} · ${plural(count, 'place')}`;
