import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';

/**
 * How many sessions of this database wait for a lock. Not to be asked within a transaction: that would see no session which began after it
 * first asked.
 */
export async function countLockWaits(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows[0]?.count ?? 0;
}
