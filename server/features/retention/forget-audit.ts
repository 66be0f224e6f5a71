import { sql } from 'kysely';
import { AUDIT_DAYS, REFUSAL_DAYS } from '#contract/work/retention.ts';
import type { Db } from '#db/connection/client.ts';
import { days } from './age.ts';
import { inBatches } from './in-batches.ts';

const AT_ONCE = 5_000;

/** Deletes the lines of the audit log whose time is over; the database refuses to delete any other. Safe to repeat. */
export async function forgetAudit(db: Db, signal: AbortSignal): Promise<void> {
  const over = [
    sql`action = 'access.refused' and at < now() - ${days(REFUSAL_DAYS)}`,
    sql`at < now() - ${days(AUDIT_DAYS)}`,
  ];
  for (const lines of over)
    await inBatches(AT_ONCE, signal, () =>
      sql`
        delete from app.audit_log
        where id = any(array(select id from app.audit_log where ${lines} order by at limit ${AT_ONCE} for update skip locked))
      `.execute(db),
    );
}
