import { sql } from 'kysely';
import { EXPIRED_REASON } from '#contract/work/compliance.ts';
import { VERDICT_DAYS } from '#contract/work/retention.ts';
import type { Db } from '#db/connection/client.ts';
import { days } from './age.ts';
import { inBatches } from './in-batches.ts';

const AT_ONCE = 1_000;
const LEADS_AT_ONCE = 5_000;

/** Whether a lead's verdict has run out. */
const hasRunOut = sql`compliance_status in ('safe', 'dnc') and compliance_checked_at <= now() - ${days(VERDICT_DAYS)}`;

/**
 * Takes "checked" off lists with an expired verdict, so that a check is offered again, and then the verdict off their leads.
 * - The time of the check stays, and litigators stay litigators.
 * - Lists that are being worked on are left for the next sweep.
 * - Safe to repeat, and in several processes at once.
 */
export async function uncheckLists(db: Db, signal: AbortSignal): Promise<void> {
  await inBatches(AT_ONCE, signal, () =>
    sql`
      update public.lists set compliance_checked = false where id in (
        select id from public.lists as list
        where compliance_checked and status <> 'processing' and exists (
          select from public.leads where list_id = list.id and ${hasRunOut})
        limit ${AT_ONCE} for update skip locked)
    `.execute(db),
  );
  await inBatches(LEADS_AT_ONCE, signal, () =>
    sql`
      update public.leads set compliance_status = 'not_checked', compliance_reason = ${EXPIRED_REASON} where id in (
        select lead.id from public.leads as lead join public.lists as list on list.id = lead.list_id
        where not list.compliance_checked and list.status <> 'processing' and ${hasRunOut}
        limit ${LEADS_AT_ONCE} for update of lead skip locked)
    `.execute(db),
  );
}
