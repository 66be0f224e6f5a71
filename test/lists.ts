import type { Insertable } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import { inTransaction } from '#db/connection/tx.ts';
import type { DB } from '#db/types.gen.ts';
import { addLeads } from '#server/features/search/lead-rows.ts';

/** A list as the browser inserts it. */
export async function buildList(
  db: Db,
  userId: string,
  overrides: Partial<Insertable<DB['lists']>> = {},
): Promise<string> {
  const { id } = await db
    .insertInto('lists')
    .values({ user_id: userId, name: 'Plumbers in Springfield, IL', status: 'processing', ...overrides })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A finished sandbox list with these leads; returns its id. */
export async function buildListOf(
  db: Db,
  userId: string,
  leads: readonly Partial<Insertable<DB['leads']>>[],
  overrides: Partial<Insertable<DB['lists']>> = {},
): Promise<string> {
  const listId = await buildList(db, userId, {
    status: 'completed',
    sandbox: true,
    lead_count: leads.length,
    tier1_complete: true,
    completeness: 45,
    ...overrides,
  });
  const rows = leads.map((lead, position) => ({
    list_id: listId,
    position,
    business_name: `Business ${position}`,
    ...lead,
  }));
  if (rows.length > 0) await db.insertInto('leads').values(rows).execute();
  return listId;
}

export type ToldPlace = {
  name: string;
  phone?: string | undefined;
  address?: string | undefined;
  website?: string | undefined;
};

/** Adds places to a list as Google tells them. */
export async function tellPlaces(db: Db, listId: string, places: readonly ToldPlace[]): Promise<void> {
  const told = places.map(({ name, phone, address, website }, at) => ({
    place: {
      id: `${listId}-${at}`,
      name,
      serviceArea: false,
      closedPermanently: false,
      ...(phone ? { phone } : {}),
      ...(address ? { address } : {}),
      ...(website ? { website } : {}),
    },
    callId: null,
  }));
  await inTransaction(db, (tx) => addLeads(tx, listId, told));
}

export const readList = (db: Db, id: string) =>
  db.selectFrom('lists').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

export const readLeads = (db: Db, listId: string) =>
  db.selectFrom('leads').selectAll().where('list_id', '=', listId).orderBy('position').execute();

export const readCalls = (db: Db, userId: string) =>
  db.selectFrom('app.paid_calls').selectAll().where('user_id', '=', userId).orderBy('planned_at').execute();

export const readRuns = (db: Db, userId: string) =>
  db.selectFrom('app.runs').selectAll().where('user_id', '=', userId).orderBy('created_at').execute();
