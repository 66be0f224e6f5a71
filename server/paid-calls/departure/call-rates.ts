import { type RawBuilder, sql } from 'kysely';
import type { ProviderId } from '#contract/providers.ts';
import { asyncCommit } from '#db/connection/async-commit.ts';
import type { Db } from '#db/connection/client.ts';
import { KEPT } from '#db/connection/kept-statements.ts';
import type { Tx } from '#db/connection/tx.ts';
import { bucketOf } from './bucket-of.ts';

/** How long a price that was charged counts, in days. */
export const LATELY_DAYS = 30;

/** The highest price of one unit that the user's present key was charged lately, in micro-dollars. Undefined when none is known. */
export async function highestRate(db: Db | Tx, userId: string, provider: ProviderId): Promise<number | undefined> {
  const { rows } = await sql<{ rate: number | null }>`${KEPT} select ${rateOf(userId, provider)} as rate`.execute(db);
  return rows[0]?.rate ?? undefined;
}

/** The same as a value. */
export const rateOf = (userId: string, provider: ProviderId): RawBuilder<number | null> => sql<number | null>`(
    select max(rate.rate_micros)
    from app.provider_keys as key join app.call_rates as rate on rate.bucket = key.provider || ':' || key.fingerprint
    where key.user_id = ${userId} and key.provider = ${provider}
      and rate.day > (now() at time zone 'UTC')::date - ${LATELY_DAYS}::integer
  )`;

/** Whether an answer of today (UTC) has said what this key is charged for one unit. */
export async function isRateFresh(db: Db, key: { fingerprint: string }, provider: ProviderId): Promise<boolean> {
  const { rows } = await sql`
    ${KEPT} select from app.call_rates
    where bucket = ${bucketOf(key, provider)} and day = (now() at time zone 'UTC')::date
  `.execute(db);
  return rows.length > 0;
}

/** Notes what a key was charged for one unit, in micro-dollars. A crash of PostgreSQL may lose that, until the next booking. */
export async function noteRate(
  db: Db,
  key: { fingerprint: string },
  provider: ProviderId,
  rateMicros: number,
): Promise<void> {
  await sql`
    ${KEPT} insert into app.call_rates as rate (bucket, day, rate_micros)
    select ${bucketOf(key, provider)}, (now() at time zone 'UTC')::date, ${rateMicros} where ${asyncCommit}
    on conflict (bucket, day) do update set rate_micros = excluded.rate_micros where rate.rate_micros < excluded.rate_micros
  `.execute(db);
}
