import type { Db } from '#db/connection/client.ts';
import { notFound } from '#server/lib/app-error.ts';
import { isUuid, ownList } from '#server/runs/rows.ts';
import type { ListRecord } from '#server/runs/run-context.ts';

/** The caller's list, and the chosen leads, each once; undefined for all of them. Throws NOT_FOUND, also for a lead of another list. */
export async function readSelection(
  db: Db,
  userId: string,
  chosen: { list_id: string; lead_ids?: readonly string[] | undefined },
): Promise<ListRecord & { leadIds: string[] | undefined }> {
  const list = await ownList(db, userId, chosen.list_id);
  const leadIds = chosen.lead_ids && [...new Set(chosen.lead_ids)];
  if (leadIds) await refuseForeignLeads(db, list.id, leadIds);
  return { ...list, leadIds };
}

async function refuseForeignLeads(db: Db, listId: string, leadIds: readonly string[]): Promise<void> {
  if (!leadIds.every(isUuid)) throw notFound('A selected lead');
  const { count } = await db
    .selectFrom('leads')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('list_id', '=', listId)
    .where('id', 'in', leadIds)
    .executeTakeFirstOrThrow();
  if (Number(count) !== leadIds.length) throw notFound('A selected lead');
}
