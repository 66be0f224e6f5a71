import { sql } from 'kysely';
import { DatabaseError } from 'pg';
import type { DataOf } from '#contract/endpoint.ts';
import type { copyLeadsEndpoint } from '#contract/work/move-leads.ts';
import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import type { Tx } from '#db/connection/tx.ts';
import { settleChoice } from '#server/calling/settle-choice.ts';
import type { Ctx } from '#server/http/context.ts';
import type { Input } from '#server/http/route.ts';
import { carryCalls } from '#server/leads/carry-calls.ts';
import { isChosen, type SettledChoice } from '#server/leads/chosen-leads.ts';
import { carryUndoing, copyLeads, noteJoined } from '#server/leads/copy-leads.ts';
import { holdGoogles } from '#server/leads/kept-for-good.ts';
import { noteOrigin } from '#server/leads/origins/note-origin.ts';
import { recountList } from '#server/leads/recount-list.ts';
import { refuseOthers } from '#server/leads/refuse-others.ts';
import { AppError } from '#server/lib/app-error.ts';
import { lockOwnList, ownList } from '#server/runs/rows.ts';
import type { ListRecord } from '#server/runs/run-context.ts';
import { removeLeads } from './delete-leads.ts';
import { refuseWhileAtWork } from './refuse-while-at-work.ts';

/**
 * Copies or moves leads to another of the caller's lists, or to a new one. Nothing is paid.
 * @throws NOT_FOUND
 * @throws CONFLICT while a run works on either list, when one is archived, or when invented leads would join real ones.
 * @throws CONFLICT when other leads would be moved than were chosen.
 * @throws CONFLICT when values of Google would join a list that is kept for good.
 * @throws CONFLICT when the caller has as many lists as an account can have.
 */
export function copyLeadsTo(
  { deps, user: { userId } }: Ctx,
  { query, body: { to, remove, archive, count, digest, ...wanted } }: Input<typeof copyLeadsEndpoint>,
): Promise<DataOf<typeof copyLeadsEndpoint>> {
  if (archive && (remove || !('list_id' in to) || Object.values(wanted).some((part) => part !== undefined)))
    throw new AppError('VALIDATION_FAILED', 'Only a whole list can be merged, and only into a list that exists.');
  return guardedTransaction(deps.db, async (tx) => {
    const { list, target } = await lockBoth(tx, userId, query.listId, to);
    refuseWhileAtWork(list);
    const into = target ? merging(list, target) : await makeList(tx, list, 'name' in to ? to.name : list.name);
    const choice = await settleChoice(tx, list.id, wanted);
    if (target?.keep && (await holdGoogles(tx, isChosen(list.id, choice))))
      throw new AppError(
        'CONFLICT',
        `“${target.name}” is kept for good, and Google lets no one keep its values. Choose another list, or set this one to be archived under Import.`,
      );
    if (remove) await refuseOthers(tx, list.id, choice, { count, digest });
    const meant = await countChosen(tx, list.id, choice);
    if (target) await joinFlags(tx, list, target);
    const { copied, filled, differing, pairs, copies } = await copyLeads(tx, list.id, into.id, choice);
    await recountList(tx, into.id);
    await noteOrigin(tx, into.id, { name: list.name, how: archive ? 'merge' : remove ? 'move' : 'copy' });
    const staying = new Set(remove ? differing : []);
    if (remove || archive)
      await noteJoined(
        tx,
        pairs.filter(({ here }) => !staying.has(here)),
      );
    if (remove) await carryUndoing(tx, copies);
    // What the other list does not hold stays: it may have been paid for.
    if (remove) await removeLeads(tx, list.id, { ...choice, except: [...(choice.except ?? []), ...differing] });
    if (remove || archive) await carryCalls(tx, list.id, into.id, archive ?? false);
    if (archive) await archiveList(tx, list.id);
    return { list_id: into.id, name: into.name, copied, skipped: meant - copied, filled, differing: differing.length };
  });
}

/** Archives a list after a merge. It can be restored if the merge was a mistake. */
async function archiveList(tx: Tx, listId: string): Promise<void> {
  await tx
    .updateTable('lists')
    .set({ lifecycle_status: 'archived', archived_at: new Date() })
    .where('id', '=', listId)
    .execute();
}

/** Locks both lists in one order, so that two of these never wait for each other. */
async function lockBoth(
  tx: Tx,
  userId: string,
  listId: string,
  to: { list_id: string } | { name: string },
): Promise<{ list: ListRecord; target: ListRecord | undefined }> {
  if (!('list_id' in to)) return { list: await lockOwnList(tx, userId, listId), target: undefined };
  const ids = [await ownList(tx, userId, listId), await ownList(tx, userId, to.list_id)].map(({ id }) => id);
  const locked = new Map<string, ListRecord>();
  for (const id of ids.toSorted()) locked.set(id, await lockOwnList(tx, userId, id));
  const [list, target] = ids.map((id) => locked.get(id));
  if (!list || !target) throw new Error('A locked list is missing.');
  return { list, target };
}

function merging(list: ListRecord, target: ListRecord): ListRecord {
  refuseWhileAtWork(target);
  if (target.id === list.id) throw new AppError('CONFLICT', 'The leads are in this list already. Choose another list.');
  if (target.lifecycle_status === 'archived')
    throw new AppError('CONFLICT', `“${target.name}” is archived. Restore it first.`);
  if (list.sandbox !== null && target.sandbox !== null && list.sandbox !== target.sandbox)
    throw new AppError('CONFLICT', 'Sandbox leads and real leads cannot share a list. Choose another list.');
  return target;
}

async function makeList(tx: Tx, list: ListRecord, name: string): Promise<{ id: string; name: string }> {
  const { user_id, search_params, completeness, resolved_place, sandbox } = list;
  const { tier1_complete, tier2_complete, tier3_complete, tier4_complete } = list;
  const { compliance_checked, compliance_expires_at } = list;
  const flags = { tier1_complete, tier2_complete, tier3_complete, tier4_complete, compliance_checked };
  return tx
    .insertInto('lists')
    .values({
      user_id,
      name,
      completeness,
      resolved_place,
      sandbox,
      compliance_expires_at,
      ...flags,
      search_params: JSON.stringify(search_params),
      status: 'completed',
    })
    .returning(['id', 'name'])
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      // The database's own words are for people.
      if (error instanceof DatabaseError && error.constraint === 'lists_per_person')
        throw new AppError('CONFLICT', error.message, { cause: error });
      throw error;
    });
}

async function countChosen(tx: Tx, listId: string, choice: SettledChoice): Promise<number> {
  const { rows } = await sql<{ leads: number }>`
    select count(*)::integer as leads from public.leads as lead where ${isChosen(listId, choice)}
  `.execute(tx);
  return rows[0]?.leads ?? 0;
}

/** Marks as done on the joined list only what was done on both. */
async function joinFlags(tx: Tx, list: ListRecord, target: ListRecord): Promise<void> {
  const ends = [list.compliance_expires_at, target.compliance_expires_at].filter((end) => end !== null);
  await tx
    .updateTable('lists')
    .set({
      tier2_complete: target.tier2_complete && list.tier2_complete,
      tier3_complete: target.tier3_complete && list.tier3_complete,
      tier4_complete: target.tier4_complete && list.tier4_complete,
      compliance_checked: target.compliance_checked && list.compliance_checked,
      compliance_expires_at: ends.length === 0 ? null : new Date(Math.min(...ends.map((end) => end.getTime()))),
      completeness: Math.min(target.completeness ?? 0, list.completeness ?? 0),
      ...(target.sandbox === null ? { sandbox: list.sandbox } : {}),
      status: 'completed',
    })
    .where('id', '=', target.id)
    .execute();
}
