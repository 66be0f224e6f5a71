import type { CameFrom } from '#contract/work/lists.ts';
import { plural } from '#web/lib/format/format.ts';

const WORDS: Record<CameFrom['how'], string> = {
  copy: 'copied from',
  move: 'moved from',
  merge: 'merged with',
  duplicate: 'a copy of',
};
/** Origins that are named; older ones are counted. */
const MOST_NAMED = 3;

/** "merged with “Dentists” · copied from “Plumbers”", the newest first; undefined for a list of its own. */
export function originsText(origins: readonly CameFrom[]): string | undefined {
  if (origins.length === 0) return undefined;
  const named = origins.toReversed().slice(0, MOST_NAMED);
  const parts = named.map(({ name, how }) => `${WORDS[how]} “${name}”`);
  const others = origins.length - named.length;
  return [...parts, ...(others > 0 ? [`and ${plural(others, 'other list')}`] : [])].join(' · ');
}
