import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import { KEPT } from '#db/connection/kept-statements.ts';
import type { Tx } from '#db/connection/tx.ts';
import { accessDenied, notFound } from '#server/lib/app-error.ts';
import type { ListRecord, RunRow } from './run-context.ts';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
export const isUuid = (text: string): boolean => UUID.test(text);

/**
 * Reads one of the caller's lists.
 * @throws NOT_FOUND when it is someone else's, was deleted or never existed.
 */
export async function ownList(db: Db | Tx, userId: string, listId: string): Promise<ListRecord> {
  return (await ownListQuery(db, userId, listId)?.executeTakeFirst()) ?? refuse();
}

/** Does the same, and locks the list until the transaction ends. */
export async function lockOwnList(tx: Tx, userId: string, listId: string): Promise<ListRecord> {
  return (await ownListQuery(tx, userId, listId)?.forUpdate().executeTakeFirst()) ?? refuse();
}

/**
 * Keeps the caller from being disabled until the transaction ends. This lock is taken before their lists.
 * @throws FORBIDDEN when they have just been disabled: no one would cancel what they begin now.
 */
export async function lockActiveUser(tx: Tx, userId: string): Promise<void> {
  const profile = await tx
    .selectFrom('app.profiles')
    .select('status')
    .where('user_id', '=', userId)
    .forShare()
    .executeTakeFirst();
  if (profile?.status !== 'active') throw accessDenied();
}

/**
 * Locks the caller, then one of their lists to begin work on, until the transaction ends.
 * @throws FORBIDDEN when the caller has just been disabled.
 * @throws NOT_FOUND as `ownList` does.
 */
export async function lockListToWorkOn(tx: Tx, userId: string, listId: string): Promise<ListRecord> {
  return mayWorkOn((await tx.executeQuery(lockingListToWorkOn(tx, userId, listId))).rows[0]);
}

/**
 * The same as a statement, to be sent before others. `mayWorkOn` reads its row.
 * @throws NOT_FOUND when `listId` is not an id.
 */
export function lockingListToWorkOn(tx: Tx, userId: string, listId: string): CompiledQuery<OwnedList> {
  if (!isUuid(listId)) refuse();
  return tx
    .selectFrom('app.profiles as owner')
    .innerJoin('lists', 'lists.user_id', 'owner.user_id')
    .selectAll('lists')
    .select('owner.status as status_of_owner')
    .where('owner.user_id', '=', userId)
    .where('lists.id', '=', listId)
    .forShare('owner')
    .forUpdate('lists')
    .compile();
}

/**
 * Returns the list that `lockingListToWorkOn` locked.
 * @throws FORBIDDEN when the caller has just been disabled.
 * @throws NOT_FOUND as `ownList` does.
 */
export function mayWorkOn(found: OwnedList | undefined): ListRecord {
  if (!found) refuse();
  const { status_of_owner, ...list } = found;
  if (status_of_owner !== 'active') throw accessDenied();
  return list;
}

type OwnedList = ListRecord & { status_of_owner: string };

/** Locks a list that a run works on, always before its leads and its run. Returns undefined when the list is gone. */
export async function lockList(tx: Tx, listId: string): Promise<ListRecord | undefined> {
  return tx.selectFrom('lists').selectAll().where('id', '=', listId).forUpdate().executeTakeFirst();
}

/** The same as a statement, to be sent before others. */
export const lockingList = (listId: string): RawBuilder<unknown> =>
  sql`${KEPT} select from public.lists where id = ${listId} for update`;

/** The same for the list of a run, if it has one. */
export function lockingListOf(tx: Tx, runId: string): CompiledQuery<ListRecord> {
  const idOfList = tx.selectFrom('app.runs').select('list_id').where('id', '=', runId);
  return tx.selectFrom('lists').selectAll().where('id', '=', idOfList).forUpdate().compile();
}

/**
 * Reads one of the caller's runs.
 * @throws NOT_FOUND when it is someone else's, was deleted or never existed.
 */
export async function ownRun(db: Db | Tx, userId: string, runId: string): Promise<RunRow> {
  const run = isUuid(runId)
    ? await db
        .selectFrom('app.runs')
        .selectAll()
        .where('id', '=', runId)
        .where('user_id', '=', userId)
        .executeTakeFirst()
    : undefined;
  if (!run) throw notFound('This run');
  return run;
}

function ownListQuery(db: Db | Tx, userId: string, listId: string) {
  if (!isUuid(listId)) return undefined;
  return db.selectFrom('lists').selectAll().where('id', '=', listId).where('user_id', '=', userId);
}

function refuse(): never {
  throw notFound('This list');
}
