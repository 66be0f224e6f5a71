import { sql } from 'kysely';
import { CALL_LOG_YEARS } from '#contract/work/retention.ts';
import type { Db } from '#db/connection/client.ts';
import { inBatches } from './in-batches.ts';

const AT_ONCE = 5_000;

/** Deletes the calls whose time is over; the database refuses to delete any other. Safe to repeat. */
export async function forgetCalls(db: Db, signal: AbortSignal): Promise<void> {
  await inBatches(AT_ONCE, signal, () =>
    sql`
      delete from app.calls
      where id = any(array(select id from app.calls where called_at < now() - ${`${CALL_LOG_YEARS} years`}::interval
        order by called_at limit ${AT_ONCE}))
    `.execute(db),
  );
  await sql`delete from app.call_leases where expires_at < now() - interval '1 day'`.execute(db);
}
