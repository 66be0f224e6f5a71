import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';

const DAY_MS = 86_400_000;

/** A Tuesday in the coming days at an hour (UTC) in which the whole mainland may be called, from 16 to 23. */
export function tuesdayAt(hour: number): Date {
  const day = new Date(Date.now() + DAY_MS);
  while (day.getUTCDay() !== 2) day.setUTCDate(day.getUTCDate() + 1);
  day.setUTCHours(hour, 0, 0, 0);
  return day;
}

/** Sets the clock by which calls are judged and logged, in this database. It goes on from there. `db` as its owner. */
export async function setCallClock(db: Db, to: Date): Promise<void> {
  const shift = sql.lit(`${to.getTime() - Date.now()} milliseconds`);
  await sql`
    create or replace function app.call_clock() returns timestamptz language sql volatile set search_path = '' as
    $$ select date_trunc('milliseconds', clock_timestamp() + interval ${shift}) $$
  `.execute(db);
}
