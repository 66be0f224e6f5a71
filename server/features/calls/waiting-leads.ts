import { type RawBuilder, sql } from 'kysely';
import type { SheetCounts } from '#contract/calling/calls.ts';
import { VERDICT_DAYS } from '#contract/work/retention.ts';
import type { Db } from '#db/connection/client.ts';
import { IS_SUPPRESSED } from '#server/leads/suppressed.ts';
import { NUMBER } from './called-lead.ts';
import { isBeingCalled, type Sheet } from './leases.ts';

const DAY_MS = 86_400_000;

/** Whether no one said yet how the last call ended. */
const IS_OPEN = sql<boolean>`(last.key is not null and last.outcome is null)`;

/** A list that is called, and when. `at` in ms since 1970. */
export type Round = { listId: string; sandbox: boolean; at: number };

/** The last call of the list's owner to each number, from whichever list. */
const lastCalls = (listId: string) => sql`
  select distinct on (call.phone) 'phone:' || call.phone as key, call.list_id, call.lead_id, call.outcome,
    call.call_back_at, call.called_at
  from public.lists as list join app.calls as call
    on call.user_id = list.user_id and call.sandbox = coalesce(list.sandbox, false)
  where list.id = ${listId}::uuid and call.withdrawn_at is null
  order by call.phone, call.called_at desc, call.logged_at desc`;

/**
 * The leads of a list as `lead`, with the last call to their number as `last`. A call from another list counts for leads that were found
 * before it. One that waits for its outcome, or to be called back, counts for all.
 */
const fromLeads = (listId: string) => sql`
  from public.leads as lead left join (${lastCalls(listId)}) as last on last.key = lead.contact_keys[1] and (
    last.list_id = lead.list_id or last.called_at >= lead.created_at or last.outcome is null or last.outcome = 'call_back')
  where lead.list_id = ${listId}::uuid and starts_with(lead.contact_keys[1], 'phone:')`;

/** Whether the lists allow a call at all. All others would be judged in vain. */
const isChecked = (at: number): RawBuilder<boolean> => sql`(
  lead.compliance_status = 'safe' and coalesce(lead.compliance_checked_at > ${new Date(at - VERDICT_DAYS * DAY_MS)}, false))`;

/** Whether the lists forbid a call, and a check need not be repeated. */
const isListed = (at: number): RawBuilder<boolean> => sql`(lead.compliance_status = 'litigator' or (
  lead.compliance_status = 'dnc' and coalesce(lead.compliance_checked_at > ${new Date(at - VERDICT_DAYS * DAY_MS)}, false)))`;

/** Whether another sheet shows a lead. */
const isOnOther = ({ sandbox, at }: Round, { session }: Sheet): RawBuilder<boolean> => sql`exists (
  select from app.call_leases as lease where 'phone:' || lease.phone = lead.contact_keys[1] and lease.sandbox = ${sandbox}
    and lease.session <> ${session} and lease.expires_at > ${new Date(at)})`;

/** Whether another sheet shows a lead, or someone else is in a call to it. */
const isInUse = (round: Round, sheet: Sheet): RawBuilder<boolean> =>
  sql`(${isOnOther(round, sheet)} or ${isBeingCalled(NUMBER, { ...round, userId: sheet.userId })})`;

/** Which sheet asks, whose own lead is not in use by another. `behind`: leads that come last, in this order. */
export type Choice = Sheet & { behind: readonly string[] };

/** How far behind the others a lead comes; null for all that were not passed. */
const place = (behind: readonly string[]): RawBuilder<number | null> => sql`array_position(${behind}::uuid[], lead.id)`;

/** A lead that waits for its call. `dueAt`: when it was to be called back. */
export type WaitingLead = { id: string; number: string; dueAt: Date | null; isInUse: boolean };

/**
 * Leads that were not called yet, or are due to be called back, in the order in which they are called: call-backs first, then as in
 * the list. They are not judged yet. Call-backs that the lists forbid by now are among them, so that the reason can be told.
 */
export async function readWaiting(
  db: Db,
  round: Round,
  { behind, limit, offset, ...sheet }: Choice & { limit: number | null; offset: number },
): Promise<WaitingLead[]> {
  const { listId, at } = round;
  const { rows } = await sql<WaitingLead>`
    select lead.id, ${NUMBER} as number, last.call_back_at as "dueAt", ${isInUse(round, sheet)} as "isInUse"
    ${fromLeads(listId)} and not ${IS_SUPPRESSED} and case when last.key is null then ${isChecked(at)}
      else last.outcome = 'call_back' and (${isListed(at)} or (${isChecked(at)} and last.call_back_at <= ${new Date(at)})) end
    order by ${place(behind)} nulls first, last.call_back_at nulls last,
      lead.position <= coalesce((select position from public.leads where id = ${behind.at(-1) ?? null}::uuid), -1), lead.position
    limit ${limit} offset ${offset}
  `.execute(db);
  return rows;
}

/** Leads that are to be called back later, with when. What the lists or the suppression list hold back is not among them. */
export async function readCallBacks(db: Db, { listId, at }: Round): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; callBackAt: Date }>`
    select lead.id, last.call_back_at as "callBackAt"
    ${fromLeads(listId)} and ${isChecked(at)} and not ${IS_SUPPRESSED}
      and last.outcome = 'call_back' and last.call_back_at > ${new Date(at)}
  `.execute(db);
  return new Map(rows.map(({ id, callBackAt }) => [id, callBackAt.getTime()]));
}

/** The lead whose last call lacks an outcome, the newest first; undefined where there is none, or other sheets have them. */
export async function readOpen(db: Db, round: Round, { behind, ...sheet }: Choice): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select lead.id ${fromLeads(round.listId)} and ${IS_OPEN} and not ${isOnOther(round, sheet)}
    order by ${place(behind)} nulls first, last.called_at desc, lead.id is distinct from last.lead_id, lead.position
    limit 1
  `.execute(db);
  return rows[0]?.id;
}

/** How far a list has been called. */
export async function countSheet(db: Db, { listId, at }: Round): Promise<SheetCounts> {
  const isBack = sql`last.outcome = 'call_back'`;
  const { rows } = await sql<SheetCounts>`
    select
      count(*) filter (where last.key is null and ${isChecked(at)} and not ${IS_SUPPRESSED})::integer as left,
      count(*) filter (where last.outcome <> 'call_back')::integer as done,
      count(*) filter (where ${isBack} and not ${IS_SUPPRESSED})::integer as "callBacks",
      count(*) filter (where ${IS_OPEN})::integer as open,
      count(*) filter (where (last.key is null or ${isBack}) and not ${isChecked(at)} and not ${isListed(at)} and not ${IS_SUPPRESSED})
        ::integer as unchecked
    ${fromLeads(listId)}
  `.execute(db);
  const [counts] = rows;
  if (!counts) throw new Error('Counting returned nothing.');
  return counts;
}
