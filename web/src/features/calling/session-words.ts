import type { listCallabilityEndpoint } from '#contract/calling/callability.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { opensText } from '#web/lib/calling/call-words.ts';
import { formatCount, plural } from '#web/lib/format/format.ts';

type Counts = Pick<DataOf<typeof listCallabilityEndpoint>, 'counts' | 'opening'>;

/** Openings that are named; later ones are added up. */
const MOST_NAMED = 3;

/** "312 now", "88 open at 9:00 AM", "1 opens Fri 8:00 AM", and what opens later, each as a text. `now` in ms since 1970. */
export function sessionParts({ counts, opening }: Counts, now: number): string[] {
  const named = opening.slice(0, MOST_NAMED);
  const later = opening.slice(MOST_NAMED).reduce((sum, { leads }) => sum + leads, 0);
  return [
    `${formatCount(counts.callable)} now`,
    ...named.map(({ opensAt, leads }) => {
      const isToday = new Date(opensAt).toDateString() === new Date(now).toDateString();
      return `${formatCount(leads)} ${leads === 1 ? 'opens' : 'open'} ${isToday ? 'at ' : ''}${opensText(opensAt, now)}`;
    }),
    ...(later > 0 ? [`${formatCount(later)} later`] : []),
  ];
}

/** Why the others are not among them. */
export function othersText({ counts, opening }: Counts): string {
  const opens = opening.reduce((sum, { leads }) => sum + leads, 0);
  const inReview = opening.reduce((sum, one) => sum + one.inReview, 0);
  const parts = [
    [counts.not_now - (opens - inReview), 'not within a day'],
    [counts.blocked, 'blocked'],
    [counts.review - inReview, 'to review'],
    [counts.unknown, 'unknown'],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${formatCount(count)} ${words}`)
    .join(' · ');
}

/** Whether nothing of a list can be called within a day. */
export const isNothingCallable = ({ counts, opening }: Counts): boolean =>
  counts.callable === 0 && opening.length === 0;

/** What to do where nothing can be called. `sandbox`: whether the list holds invented businesses, whose checks never count. */
export function emptyWords({ counts }: Counts, sandbox: boolean): string {
  if (sandbox) return 'This list holds sandbox data. Its businesses are invented, so none of them can be called.';
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (counts.unknown === all) return 'Nothing can be called yet. Check compliance first.';
  return `Nothing can be called within a day: ${plural(all, 'lead')}.`;
}
