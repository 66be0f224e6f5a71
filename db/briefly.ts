import { sql } from 'kysely';
import type { Db } from './client.ts';
import type { Tx } from './tx.ts';

/** A process that says nothing for this long within a transaction is taken for frozen or cut off, in ms. */
const SILENCE_MS = 10_000;

/**
 * A transaction that waits for nothing but the database. PostgreSQL undoes it when its process falls silent within it: one that is
 * frozen would keep its locks for as long as its connection stands, and nobody could go on with what it was at.
 */
export function briefly<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await sql`select set_config('idle_in_transaction_session_timeout', ${String(SILENCE_MS)}, true)`.execute(tx);
    return work(tx);
  });
}
