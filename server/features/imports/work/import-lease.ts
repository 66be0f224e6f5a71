import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { ImportRecord } from '#server/features/imports/stage/import-row.ts';

/** In ms. As of runs: what a dead process had is free after that. */
const LEASE_MS = 10_000;
export const BEAT_MS = 2_500;

const lasts = sql<Date>`now() + ${LEASE_MS} * interval '1 millisecond'`;

/**
 * Claims the next import that waits, or whose process has died: one of a person at a time, the oldest first.
 * One claim at a time, too: two would not see each other, and two files of a person would not see each other's leads.
 */
export const claimImport = (db: Db, owner: string): Promise<ImportRecord | undefined> =>
  guardedTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('claim of imports', 0))`.execute(tx);
    return claim(tx, owner);
  });

async function claim(tx: Tx, owner: string): Promise<ImportRecord | undefined> {
  const { rows } = await sql<ImportRecord>`
    update app.imports set state = 'running', lease_owner = ${owner}, lease_expires_at = ${lasts}
    where id = (
      select id from app.imports as import
      where (state = 'waiting' or (state = 'running' and lease_expires_at < now()))
        and not exists (
          select from app.imports as other
          where other.user_id = import.user_id and other.id <> import.id and other.state = 'running'
            and other.lease_expires_at >= now())
      order by started_at limit 1 for update skip locked)
    returning *
  `.execute(tx);
  return rows[0];
}

/** Keeps an import for `owner`. Returns whether it still is theirs. */
export async function renewImport(db: Db, id: string, owner: string): Promise<boolean> {
  const { rows } = await sql`
    update app.imports set lease_expires_at = ${lasts}
    where id = ${id} and state = 'running' and lease_owner = ${owner} returning id
  `.execute(db);
  return rows.length > 0;
}

/** Gives an import back, so that another process goes on with it at once. */
export async function releaseImport(db: Db, id: string, owner: string): Promise<void> {
  await sql`
    update app.imports set state = 'waiting', lease_owner = null, lease_expires_at = null
    where id = ${id} and state = 'running' and lease_owner = ${owner}
  `.execute(db);
}

/** The import as it is, locked, while `owner` has it. */
export async function lockHeldImport(tx: Tx, id: string, owner: string): Promise<ImportRecord | undefined> {
  const { rows } = await sql<ImportRecord>`
    select * from app.imports where id = ${id} and state = 'running' and lease_owner = ${owner} for update
  `.execute(tx);
  return rows[0];
}
