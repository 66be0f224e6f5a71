import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import { recountList } from '#server/leads/recount-list.ts';
import type { ImportRecord } from './stage/import-row.ts';
import { FILLED_COLUMNS } from './work/fill-empty.ts';

/** Whether another file filled a lead of this import since or says not to call it, or a lead of another list lives on in it: that would go with it. */
export const isFilledSince = (importId: string): RawBuilder<boolean> => sql`(exists (
  select from app.import_updates as other where other.lead_id = lead.id and other.import_id <> ${importId})
  or exists (select from app.joined_leads as joined where joined.lead_id = lead.id))`;

/** How many leads of an import, in its list, were filled or joined since. Undoing it leaves them. */
export async function countFilledSince(
  db: Db,
  { id, list_id, state }: Pick<ImportRecord, 'id' | 'list_id' | 'state'>,
): Promise<number> {
  if (list_id === null || !['completed', 'canceled', 'failed'].includes(state)) return 0;
  const { rows } = await sql<{ leads: number }>`
    select count(*)::integer as leads from public.leads as lead
    where lead.list_id = ${list_id} and lead.import_id = ${id} and ${isFilledSince(id)}
  `.execute(db);
  return rows[0]?.leads ?? 0;
}

const isAsWritten = (column: string): RawBuilder<boolean> =>
  sql`(not filled.after ? ${column}::text or filled.after ->> ${column}::text is not distinct from lead.${sql.ref(column)})`;

/** Whether a lead still has all that an import wrote. */
export const isUnchanged: RawBuilder<boolean> = sql`(
  ${sql.join(FILLED_COLUMNS.map(isAsWritten), sql` and `)} and lead.extra @> coalesce(filled.after -> 'extra', '{}'))`;

/**
 * Removes leads that stayed behind an import which was undone, only because this one had filled them. Returns how many.
 * One with a value that was changed since stays, and one that a third file filled.
 */
export async function removeLeftovers(tx: Tx, importId: string): Promise<number> {
  const { rows } = await sql<{ list_id: string }>`
    delete from public.leads where id in (
      select lead.id from app.import_updates as filled join public.leads as lead on lead.id = filled.lead_id
        join app.imports as import on import.id = lead.import_id and import.list_id = lead.list_id
      where filled.import_id = ${importId} and import.id <> ${importId} and import.state = 'undone' and not ${isFilledSince(importId)}
      group by lead.id having bool_and(${isUnchanged})
    ) returning list_id
  `.execute(tx);
  for (const listId of new Set(rows.map(({ list_id }) => list_id))) await recountOrDelete(tx, listId);
  return rows.length;
}

/** A list with nothing left in it goes. */
export async function recountOrDelete(tx: Tx, listId: string): Promise<void> {
  const left = await tx.selectFrom('leads').select('id').where('list_id', '=', listId).limit(1).executeTakeFirst();
  if (left) await recountList(tx, listId);
  else await tx.deleteFrom('lists').where('id', '=', listId).execute();
}
