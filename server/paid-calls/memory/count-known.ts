import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import { type Operation, WHEN_UNCERTAIN } from '#server/paid-calls/operation.ts';

/** Whose memory is asked, and whether for invented data. */
export type Memory = { userId: string; sandbox: boolean };

/**
 * Counts the subjects that will cost nothing.
 * - `known`: remembered.
 * - `lost`: their answer never came, and no run asks again until someone has settled that.
 */
export async function countKnown(
  db: Db | Tx,
  { userId, sandbox }: Memory,
  { provider, name }: Operation<unknown>,
  subjects: readonly string[],
): Promise<{ known: number; lost: number }> {
  const { rows } = await counting({ userId, sandbox }, { provider, name }, subjects).execute(db);
  return rows[0] ?? { known: 0, lost: 0 };
}

/** The same as a statement. */
export const counting = (
  { userId, sandbox }: Memory,
  { provider, name }: Pick<Operation<unknown>, 'provider' | 'name'>,
  subjects: readonly string[],
): RawBuilder<{ known: number; lost: number }> => sql`
    with asked as materialized (select distinct unnest(${subjects}::text[]) as subject),
    remembered as (
      select subject from app.answers join asked using (subject)
      where user_id = ${userId} and provider = ${provider} and operation = ${name} and sandbox = ${sandbox}
        and (expires_at is null or expires_at > now())
    ), unsettled as (
      select distinct subject from app.paid_calls join asked using (subject)
      where ${WHEN_UNCERTAIN[name] === 'never'} and state = 'uncertain' and user_id = ${userId}
        and provider = ${provider} and operation = ${name} and sandbox = ${sandbox}
    )
    select (select count(*) from remembered)::integer as known,
      (select count(*) from unsettled where subject not in (select subject from remembered))::integer as lost`;
