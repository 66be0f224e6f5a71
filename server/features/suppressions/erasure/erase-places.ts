import { sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';
import { type ErasedSubject, patternOf } from './erased-subject.ts';

/** Deletes places of open data that hold the subject. What is loaded later leaves it out by its hash. */
export async function erasePlaces(tx: Tx, subject: ErasedSubject): Promise<void> {
  const pattern = patternOf(subject);
  await sql`select app.await_writers('open data')`.execute(tx);
  for (const table of ['app.open_places', 'app.open_street_map_places', 'app.open_staged'])
    await sql`
      delete from ${sql.table(table)} where concat_ws(E'\n', name, phone, email, website, address) ~* ${pattern}
    `.execute(tx);
}
