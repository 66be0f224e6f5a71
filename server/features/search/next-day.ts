import { type RawBuilder, sql } from 'kysely';

/** When a key may be used again: a day of Google's quotas begins at midnight in California. */
export const NEXT_DAY: RawBuilder<Date> = sql`
  ((date_trunc('day', now() at time zone 'America/Los_Angeles') + interval '1 day 5 minutes') at time zone 'America/Los_Angeles')`;
