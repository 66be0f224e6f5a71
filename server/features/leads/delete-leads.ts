import { sql } from 'kysely';
import type { DataOf } from '#contract/endpoint.ts';
import type { deleteLeadsEndpoint } from '#contract/work/move-leads.ts';
import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import type { Tx } from '#db/connection/tx.ts';
import { settleChoice } from '#server/calling/settle-choice.ts';
import type { Ctx } from '#server/http/context.ts';
import type { Input } from '#server/http/route.ts';
import { isChosen, type SettledChoice } from '#server/leads/chosen-leads.ts';
import { recountList } from '#server/leads/recount-list.ts';
import { refuseOthers } from '#server/leads/refuse-others.ts';
import { lockOwnList } from '#server/runs/rows.ts';
import { refuseWhileAtWork } from './refuse-while-at-work.ts';

/**
 * Deletes leads of one of the caller's lists.
 * @throws NOT_FOUND
 * @throws CONFLICT while a run works on the list, or when other leads fit than were chosen.
 */
export function deleteLeads(
  { deps, user }: Ctx,
  { query, body }: Input<typeof deleteLeadsEndpoint>,
): Promise<DataOf<typeof deleteLeadsEndpoint>> {
  return guardedTransaction(deps.db, async (tx) => {
    const list = await lockOwnList(tx, user.userId, query.listId);
    refuseWhileAtWork(list);
    const { count, digest, ...wanted } = body;
    const choice = await settleChoice(tx, list.id, wanted);
    await refuseOthers(tx, list.id, choice, { count, digest });
    return { deleted: await removeLeads(tx, list.id, choice) };
  });
}

/** Removes leads from a list, which is locked. Returns how many. A search that waits for its next day will not bring them back. */
export async function removeLeads(tx: Tx, listId: string, choice: SettledChoice): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    with gone as (
      delete from public.leads as lead where ${isChosen(listId, choice)} returning place_id, open_id
    ), noted as (
      insert into app.removed_leads (list_id, place)
      select distinct ${listId}::uuid, place from gone, unnest(array[place_id, open_id]) as place
      where place is not null and exists (select from app.runs where list_id = ${listId} and resume_at is not null)
      on conflict (list_id, place) do update set removed_at = excluded.removed_at
    )
    select count(*)::integer as removed from gone
  `.execute(tx);
  await recountList(tx, listId);
  return rows[0]?.removed ?? 0;
}
