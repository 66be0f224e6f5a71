import type { CallVerdict } from '#contract/calling/call-verdicts.ts';
import { onDemand } from '#web/lib/format/on-demand.ts';

/** A verdict in words. None of them says that a call is allowed for good: each is of a moment. */
export const CALL_WORDS: Readonly<Record<CallVerdict, string>> = {
  callable: 'Callable now',
  not_now: 'Not now',
  blocked: 'Blocked',
  review: 'Review',
  unknown: 'Unknown',
};

/** What a verdict asks for, for those who filter by it. */
export const CALL_OPTIONS: readonly { value: CallVerdict | 'any'; label: string }[] = [
  { value: 'any', label: 'Any' },
  { value: 'callable', label: 'Callable now' },
  { value: 'not_now', label: 'Not now' },
  { value: 'blocked', label: 'Blocked' },
  { value: 'review', label: 'To review' },
  { value: 'unknown', label: 'Unknown' },
];

export const CALL_TONES = {
  callable: 'success',
  not_now: 'neutral',
  blocked: 'danger',
  review: 'warning',
  unknown: 'warning',
} as const satisfies Record<CallVerdict, string>;

const clock = onDemand(() => new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' }));
const weekday = onDemand(() => new Intl.DateTimeFormat('en-US', { weekday: 'short' }));
const day = onDemand(() => new Intl.DateTimeFormat('en-US', { weekday: 'short', month: 'short', day: 'numeric' }));

/** Days ahead that a day of the week names without doubt. */
const MOST_DAYS = 6;

/** When something opens, as the reader's own clock shows it: 9:00 AM today, Mon 9:00 AM within a week, else Mon, Dec 7, 9:00 AM. */
export function opensText(iso: string, now: number): string {
  const at = new Date(iso);
  const time = clock().format(at);
  if (at.toDateString() === new Date(now).toDateString()) return time;
  const lastDay = new Date(now);
  lastDay.setDate(lastDay.getDate() + MOST_DAYS);
  lastDay.setHours(23, 59, 59, 999);
  return at <= lastDay ? `${weekday().format(at)} ${time}` : `${day().format(at)}, ${time}`;
}

/** The zone of the reader's clock, such as America/Chicago. */
export const readersZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
