import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import { type ErasedSubject, patternOf } from './erased-subject.ts';

/** By what a row is found again once someone else has changed it. */
const TABLES = [
  // First: what is staged becomes a place.
  { table: 'app.open_staged', key: ['source_id', 'row_number'] },
  { table: 'app.open_places', key: ['source', 'source_id'] },
  { table: 'app.open_street_map_places', key: ['source', 'source_id'] },
] as const;

/**
 * Deletes places of open data that hold the subject. What is loaded later leaves it out by its hash.
 * - A release whose taking over may not have seen the hash ends first. One that comes later sees it.
 * - One row at a time, each in a transaction of its own: this never holds what a release needs while it waits for that release.
 */
export async function erasePlaces(db: Db, subject: ErasedSubject): Promise<void> {
  const pattern = patternOf(subject);
  await sql`select app.await_writers('open data')`.execute(db);
  const mentions = sql`concat_ws(E'\n', name, phone, email, website, address) ~* ${pattern}`;
  for (const { table, key } of TABLES) {
    const columns = key.map((column) => sql.ref(column));
    const { rows } = await sql<Record<string, unknown>>`
      select ${sql.join(columns)} from ${sql.table(table)} where ${mentions}`.execute(db);
    for (const row of rows) {
      const isIt = key.map((column) => sql`${sql.ref(column)} = ${row[column]}`);
      await sql`delete from ${sql.table(table)} where ${sql.join(isIt, sql` and `)} and ${mentions}`.execute(db);
    }
  }
}
