import type { Transaction } from 'kysely';
import type { DB } from '#db/types.gen.ts';
import type { Db } from './client.ts';

/** A running transaction: passed on to every query that belongs to it. */
export type Tx = Transaction<DB>;

/** Runs `work` in one transaction, or in the one that `db` already is. */
export function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db as Tx) : db.transaction().execute(work);
}
