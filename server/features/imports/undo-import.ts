import { type RawBuilder, sql } from 'kysely';
import type { DataOf } from '#contract/endpoint.ts';
import type { undoImportEndpoint } from '#contract/imports/imports.ts';
import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import type { Tx } from '#db/connection/tx.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import { sortPhones } from '#server/calling/sort-phones.ts';
import type { Ctx } from '#server/http/context.ts';
import type { Input } from '#server/http/route.ts';
import { AppError } from '#server/lib/app-error.ts';
import { restoreKeeping } from './ended-keeping.ts';
import { isFilledSince, isUnchanged, recountOrDelete, removeLeftovers } from './filled-since.ts';
import { lockOwnImport, ownImport } from './stage/import-row.ts';
import { joinLarge } from './stage/join-large.ts';
import { FILLED_COLUMNS } from './work/fill-empty.ts';

/**
 * Takes an import back: its leads go, with its list if nothing else stands in there, and leads and lists that it changed are as they were.
 * A value that was changed since stays, and a lead that a later file filled, or one of another list joined.
 * @throws NOT_FOUND, CONFLICT while anything works on one of the lists.
 */
export function undoImport(
  ctx: Ctx,
  { query: { id } }: Input<typeof undoImportEndpoint>,
): Promise<DataOf<typeof undoImportEndpoint>> {
  const { deps, user } = ctx;
  return guardedTransaction(deps.db, async (tx) => {
    const { id: importId } = await ownImport(tx, user.userId, id);
    await lockLists(tx, importId);
    const record = await lockOwnImport(tx, user.userId, id);
    if (record.state === 'undone') return { removed: 0, restored: 0, changedSince: 0 };
    if (!['completed', 'canceled', 'failed'].includes(record.state))
      throw new AppError('CONFLICT', 'This import is not done yet. Cancel it first.');
    const leftovers = await removeLeftovers(tx, importId);
    const { total, changed } = await restoreLeads(tx, importId);
    const { gone, kept } = record.list_id ? await removeLeads(tx, importId, record.list_id) : { gone: 0, kept: 0 };
    const removed = leftovers + gone;
    await restoreKeeping(tx, record);
    await tx.deleteFrom('app.import_updates').where('import_id', '=', importId).execute();
    await tx.deleteFrom('app.import_rows').where('import_id', '=', importId).execute();
    await tx.updateTable('app.imports').set({ state: 'undone' }).where('id', '=', importId).execute();
    await writeAudit(tx, ctx, { action: 'import.undone', target: importId, details: { removed } });
    return { removed, restored: total - changed, changedSince: changed + kept };
  });
}

/** The lists of an import and of the leads that it filled, in one order, so that two of these never wait for each other. */
async function lockLists(tx: Tx, importId: string): Promise<void> {
  const { rows } = await sql<{ status: string; open: boolean }>`
    select list.status, exists (
      select from app.runs where list_id = list.id and state in ('queued', 'running')) as open
    from public.lists as list
    where id in (
      select list_id from app.imports where id = ${importId}
      union select unnest(ended_keeping) from app.imports where id = ${importId}
      union select lead.list_id from app.import_updates as filled join public.leads as lead on lead.id = filled.lead_id
      where filled.import_id = ${importId})
    order by id for update
  `.execute(tx);
  if (rows.some(({ status, open }) => open || status === 'processing'))
    throw new AppError('CONFLICT', 'A list of this import is being worked on. Undo it when that is done.');
}

/** Puts back what stood in each field, where that still is what the import wrote. Returns of how many leads, and how many have changed since. */
async function restoreLeads(tx: Tx, importId: string): Promise<{ total: number; changed: number }> {
  const { rows } = await sql<{ total: number; changed: number }>`
    select count(distinct lead.id)::integer as total, count(distinct lead.id) filter (where not ${isUnchanged})::integer as changed
    from app.import_updates as filled join public.leads as lead on lead.id = filled.lead_id
    where filled.import_id = ${importId} and lead.import_id is distinct from ${importId} and filled.after - 'said' <> '{}'
  `.execute(tx);
  await joinLarge(tx, () => handOnNoCalls(tx, importId));
  await dropCalls(tx, importId);
  for (const column of FILLED_COLUMNS)
    await sql`
      update public.leads as lead
      set ${sql.ref(column)} = filled.before ->> ${column}::text,
        sources = case when filled.before -> 'sources' ? ${column}::text
          then lead.sources || jsonb_build_object(${column}::text, filled.before -> 'sources' -> ${column}::text)
          else lead.sources - ${column}::text end
      from app.import_updates as filled
      where filled.import_id = ${importId} and lead.id = filled.lead_id and lead.import_id is distinct from ${importId}
        and filled.after ? ${column}::text
        and lead.${sql.ref(column)} = filled.after ->> ${column}::text
    `.execute(tx);
  // Behind the number, with which a trigger takes all away that was said of it.
  await sql`
    update public.leads as lead set compliance_reason = filled.before ->> 'compliance_reason'
    from app.import_updates as filled
    where filled.import_id = ${importId} and lead.id = filled.lead_id and lead.import_id is distinct from ${importId}
      and filled.before ? 'compliance_reason' and coalesce(lead.phone, '') = '' and lead.compliance_reason is null
  `.execute(tx);
  await sql`
    update public.leads as lead set extra = (
      select coalesce(jsonb_object_agg(kept.key, kept.value), '{}') from jsonb_each(lead.extra) as kept
      where not filled.extra @> jsonb_build_object(kept.key, kept.value)),
      sources = lead.sources - array(
        select 'extra.' || taken.key from jsonb_each(lead.extra) as taken
        where filled.extra @> jsonb_build_object(taken.key, taken.value))
    from (
      select lead_id, jsonb_object_agg(given.key, given.value) as extra
      from app.import_updates as filled, jsonb_each(filled.after -> 'extra') as given
      where filled.import_id = ${importId} group by lead_id
    ) as filled
    where lead.id = filled.lead_id and lead.import_id is distinct from ${importId}
  `.execute(tx);
  await restoreFlags(tx, importId);
  return rows[0] ?? { total: 0, changed: 0 };
}

/** Leaves what a lead says against calls where another file says it as well: undoing that one takes it away. */
async function handOnNoCalls(tx: Tx, importId: string): Promise<void> {
  await sql`
    with handed as materialized (
      select distinct on (filled.lead_id, cell.key) filled.lead_id, cell.key, cell.value, other.import_id, other.row
      from app.import_updates as filled cross join jsonb_each(filled.after -> 'extra') as cell
        join app.import_updates as other on other.lead_id = filled.lead_id and other.import_id <> filled.import_id
          and other.after -> 'said' @> jsonb_build_object(cell.key, cell.value)
      where filled.import_id = ${importId}
      order by filled.lead_id, cell.key, other.import_id, other.row
    ), taken as (
      update app.import_updates as other
      set after = other.after || jsonb_build_object('extra', coalesce(other.after -> 'extra', '{}') || given.cells)
      from (select import_id, row, jsonb_object_agg(key, value) as cells from handed group by import_id, row) as given
      where other.import_id = given.import_id and other.row = given.row
    )
    update app.import_updates as filled
    set after = filled.after || jsonb_build_object('extra', (filled.after -> 'extra') - given.headers)
    from (select lead_id, array_agg(key) as headers from handed group by lead_id) as given
    where filled.import_id = ${importId} and filled.lead_id = given.lead_id and filled.after ? 'extra'
  `.execute(tx);
}

/** What paid calls of other lists said of an email or owner that goes, goes along: it would count as found already. */
async function dropCalls(tx: Tx, importId: string): Promise<void> {
  await sql`
    update public.leads as lead
    set email_confidence = case when goes.email then null else lead.email_confidence end,
      email_call_id = case when goes.email then null else lead.email_call_id end,
      owner_title = case when goes.owner and lead.owner_call_id is not null then null else lead.owner_title end,
      owner_call_id = case when goes.owner then null else lead.owner_call_id end
    from (
      select lead.id, bool_or(${isTakenAway('email')}) as email, bool_or(${isTakenAway('owner_name')}) as owner
      from app.import_updates as filled join public.leads as lead on lead.id = filled.lead_id
      where filled.import_id = ${importId} and lead.import_id is distinct from ${importId}
      group by lead.id
    ) as goes
    where lead.id = goes.id
      and (goes.email and coalesce(lead.email_confidence::text, lead.email_call_id::text) is not null
        or goes.owner and lead.owner_call_id is not null)
  `.execute(tx);
}

const isTakenAway = (column: string): RawBuilder<boolean> => sql`(filled.after ? ${column}::text
  and lead.${sql.ref(column)} = filled.after ->> ${column}::text and coalesce(filled.before ->> ${column}::text, '') = '')`;

/** What the lists say of their leads, where that is different now: each write of a list shows as its last change. */
async function restoreFlags(tx: Tx, importId: string): Promise<void> {
  const checked = await checkedAgain(tx, importId);
  await sql`
    update public.lists as list set has_emails = counted.emails, has_contacts = counted.contacts,
      compliance_checked = list.compliance_checked or list.id = any(${checked}::uuid[])
    from (
      select list_id, bool_or(email is not null) as emails, bool_or(owner_name is not null) as contacts
      from public.leads where list_id in (
        select lead.list_id from app.import_updates as filled join public.leads as lead on lead.id = filled.lead_id
        where filled.import_id = ${importId})
      group by list_id
    ) as counted
    where list.id = counted.list_id
      and (list.has_emails, list.has_contacts, list.compliance_checked) is distinct from
        (counted.emails, counted.contacts, list.compliance_checked or list.id = any(${checked}::uuid[]))
  `.execute(tx);
}

/** The lists that were checked before the import, and have no number left that is not. */
async function checkedAgain(tx: Tx, importId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from public.lists where not compliance_checked and id in (
      select lead.list_id from app.import_updates as filled join public.leads as lead on lead.id = filled.lead_id
      where filled.import_id = ${importId} and filled.before ? 'checked')
  `.execute(tx);
  const checked: string[] = [];
  for (const { id } of rows) if ((await sortPhones(tx, id)).open === 0) checked.push(id);
  return checked;
}

/** Leads that came from elsewhere stay, and those that a later file filled: `kept` of them. The list stays with them. */
async function removeLeads(tx: Tx, importId: string, listId: string): Promise<{ gone: number; kept: number }> {
  const { numAffectedRows = 0n } = await sql`
    delete from public.leads as lead
    where lead.list_id = ${listId} and lead.import_id = ${importId} and not ${isFilledSince(importId)}
  `.execute(tx);
  const { rows } = await sql<{ kept: number }>`
    select count(*)::integer as kept from public.leads where list_id = ${listId} and import_id = ${importId}
  `.execute(tx);
  await recountOrDelete(tx, listId);
  return { gone: Number(numAffectedRows), kept: rows[0]?.kept ?? 0 };
}
