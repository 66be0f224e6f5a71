import type { Db } from './client.ts';
import { guardedOf } from './guarded-connections.ts';
import type { Tx } from './tx.ts';

/**
 * Runs a transaction that waits for nothing but the database. PostgreSQL undoes it when its process falls silent within it.
 * A frozen process would keep its locks for as long as its connection stands, and everyone else would wait.
 */
export const guardedTransaction = <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> =>
  guardedOf(db).transaction().execute(work);
