import { FEDERAL_HOLIDAYS } from './federal-holidays.ts';
import type { SuppressionKind } from './suppressions.ts';

/** Within how many business days a request to stop must be honored at the latest: the same for calls and for emails. */
export const HONOR_BUSINESS_DAYS = 10;
const CALLS = '47 CFR 64.1200(d)(3)';
const EMAILS = '15 U.S.C. 7704(a)(4)';

/** The laws that say so of a contact. What names more than one number or address holds back calls and emails. */
export const honorCitations = (kind: SuppressionKind): string[] =>
  kind === 'phone' ? [CALLS] : kind === 'email' ? [EMAILS] : [CALLS, EMAILS];

const DAY_MS = 86_400_000;
/** Hawaii has no daylight saving time, and of the states the earliest date: a clock by it never ends later than the law's. */
const HAWAII_MS = 10 * 3_600_000;

/** A date as `YYYY-MM-DD`. */
const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const startOf = (date: string): number => Date.parse(`${date}T00:00:00Z`);

/** The date on which a moment counts. `at`: ISO. */
const countedDate = (at: string | number): string => dateOf(new Date(at).getTime() - HAWAII_MS);

/** Beyond the table of holidays every weekday counts, so that the clock is stricter than the law and never laxer. */
function isBusinessDay(date: string): boolean {
  const day = new Date(startOf(date)).getUTCDay();
  return day !== 0 && day !== 6 && !FEDERAL_HOLIDAYS.has(date);
}

const nextDate = (date: string): string => dateOf(startOf(date) + DAY_MS);

/** From when the law counts: from the request, which may be older than its entry. */
export const countedFrom = ({ askedAt, addedAt }: { askedAt?: string | undefined; addedAt: string }): string =>
  askedAt ?? addedAt;

/** The last date on which a request of that moment may still be open: the tenth business day after it. */
export function honorBy(askedAt: string): string {
  let date = countedDate(askedAt);
  for (let left = HONOR_BUSINESS_DAYS; left > 0; ) {
    date = nextDate(date);
    if (isBusinessDay(date)) left -= 1;
  }
  return date;
}

/** `left`: business days after today up to the last one; 0 on the last one itself. */
export type HonorClock = { state: 'running'; by: string; left: number } | { state: 'over'; by: string };

/** How long past exports may still be in use. `now`: in ms. */
export function honorClock(askedAt: string, now: number): HonorClock {
  const by = honorBy(askedAt);
  let date = countedDate(now);
  if (date > by) return { state: 'over', by };
  let left = 0;
  while (date < by) {
    date = nextDate(date);
    if (isBusinessDay(date)) left += 1;
  }
  return { state: 'running', by, left };
}
