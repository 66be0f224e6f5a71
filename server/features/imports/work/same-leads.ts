import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';
import { ROWS_AT_ONCE } from '#server/features/imports/stage/stage-rows.ts';

/** Rows with what they are the same as, back to the first row of each. Columns of `chain`: row, at, same_row, same_lead. */
const chainOf = (importId: string, rows: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  with recursive chain as (
    select row, row as at, same_row, same_lead from app.import_rows where import_id = ${importId} and row = any(${rows})
    union all
    select chain.row, before.row, before.same_row, before.same_lead
    from chain join app.import_rows as before on before.import_id = ${importId} and before.row = chain.same_row
    where chain.same_lead is null
  )`;

/**
 * Locks the list of an import and those that its next rows fill, in one order, until the transaction ends.
 * Runs and merges lock lists before leads and imports too: so no two of these wait for each other, and each sees what the other wrote.
 */
export async function lockListsOfPart(tx: Tx, importId: string): Promise<void> {
  const next = sql`array(
    select staged.row from app.imports as import join app.import_rows as staged on staged.import_id = import.id
    where import.id = ${importId} and import.duplicates <> 'add' and staged.row > import.last_row
    order by staged.row limit ${ROWS_AT_ONCE})`;
  await sql`
    select from public.lists where id in (
      select list_id from app.imports where id = ${importId}
      union (
        ${chainOf(importId, next)}
        select lead.list_id from chain join public.leads as lead on lead.id = chain.same_lead))
    order by id for no key update
  `.execute(tx);
}

/** The lead that each of these rows is the same as: one of another list, or what became of an earlier row. */
export async function leadsOf(tx: Tx, importId: string, rows: readonly number[]): Promise<Map<number, string>> {
  if (rows.length === 0) return new Map();
  const { rows: found } = await sql<{ row: number; lead_id: string }>`
    ${chainOf(importId, sql`${rows}::integer[]`)}
    select chain.row, coalesce(chain.same_lead, lead.id) as lead_id
    from chain left join public.leads as lead on lead.import_id = ${importId} and lead.import_row = chain.at
    where chain.same_lead is not null or (chain.same_row is null and lead.id is not null)
  `.execute(tx);
  return new Map(found.map(({ row, lead_id }) => [row, lead_id]));
}

/** Says which leads of other lists stand there still: one that was deleted or archived since is no reason to leave its row out. */
export async function readStanding(
  tx: Tx,
  userId: string,
  rows: readonly { same_lead: string | null }[],
): Promise<(leadId: string) => boolean> {
  const ids = rows.flatMap(({ same_lead }) => same_lead ?? []);
  if (ids.length === 0) return () => false;
  const { rows: found } = await sql<{ id: string }>`
    select lead.id from public.leads as lead join public.lists as list on list.id = lead.list_id
    where lead.id = any(${ids}::uuid[]) and list.user_id = ${userId} and list.lifecycle_status = 'active'
  `.execute(tx);
  const standing = new Set(found.map(({ id }) => id));
  return (leadId) => standing.has(leadId);
}
