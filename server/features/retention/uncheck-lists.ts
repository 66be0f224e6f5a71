import { sql } from 'kysely';
import { VERDICT_DAYS } from '#contract/retention.ts';
import type { Db } from '#db/client.ts';
import { days } from './age.ts';
import { inBatches } from './in-batches.ts';

const AT_ONCE = 1_000;

/**
 * Takes "checked" off lists of which a verdict has run out, so that a check is offered again. Litigators stay what they are, and
 * lists that are being worked on are left for the next sweep. Safe to repeat, and in several processes at once.
 */
export async function uncheckLists(db: Db, signal: AbortSignal): Promise<void> {
  await inBatches(AT_ONCE, signal, () =>
    sql`
      update public.lists set compliance_checked = false where id in (
        select id from public.lists as list
        where compliance_checked and status <> 'processing' and exists (
          select from public.leads
          where list_id = list.id and compliance_status in ('safe', 'dnc')
            and compliance_checked_at <= now() - ${days(VERDICT_DAYS)})
        limit ${AT_ONCE} for update skip locked)
    `.execute(db),
  );
}
