import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';

/** The time by which calls are judged and logged, in ms since 1970. The database's: all processes share it. */
export async function readClock(db: Db): Promise<number> {
  const { rows } = await sql<{ at: Date }>`select app.call_clock() as at`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('The clock returned nothing.');
  return row.at.getTime();
}
