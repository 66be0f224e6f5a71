import { sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';

/**
 * Runs queries that join all rows of a file. PostgreSQL has no statistics of a new file yet, and takes it for one row: it would compare
 * each row with each, for hours.
 */
export async function joinLarge<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  // What is switched off costs so much on paper that PostgreSQL would compile each of these queries.
  await sql`select set_config('enable_nestloop', 'off', true), set_config('jit', 'off', true)`.execute(tx);
  const result = await work();
  await sql`select set_config('enable_nestloop', 'on', true)`.execute(tx);
  return result;
}
