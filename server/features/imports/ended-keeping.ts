import { sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';
import { holdGoogles } from '#server/leads/kept-for-good.ts';
import type { ImportRecord } from './stage/import-row.ts';

/**
 * Keeps lists for good again whose keeping an import ended that is being taken back.
 * Where another import brought a value of Google too, taking that one back does it.
 */
export async function restoreKeeping(tx: Tx, { id, ended_keeping }: ImportRecord): Promise<void> {
  for (const listId of ended_keeping) {
    if (await holdGoogles(tx, sql<boolean>`lead.list_id = ${listId}`)) await handOn(tx, id, listId);
    else await tx.updateTable('lists').set({ keep: true }).where('id', '=', listId).execute();
  }
  await tx.updateTable('app.imports').set({ ended_keeping: [] }).where('id', '=', id).execute();
}

/** Lets the other imports whose values stand in a list say that its keeping ended. */
async function handOn(tx: Tx, id: string, listId: string): Promise<void> {
  await sql`
    update app.imports as import set ended_keeping = array_append(ended_keeping, ${listId}::uuid)
    where id <> ${id} and not ended_keeping @> array[${listId}::uuid] and id in (
      select import_id from public.leads where list_id = ${listId}
      union select filled.import_id from app.import_updates as filled join public.leads as lead on lead.id = filled.lead_id
      where lead.list_id = ${listId})
  `.execute(tx);
}

/** Forgets that the keeping of a list was ended: its owner has chosen since. */
export async function forgetEndedKeeping(tx: Tx, userId: string, listId: string): Promise<void> {
  await sql`
    update app.imports set ended_keeping = array_remove(ended_keeping, ${listId}::uuid)
    where user_id = ${userId} and ended_keeping @> array[${listId}::uuid]
  `.execute(tx);
}
