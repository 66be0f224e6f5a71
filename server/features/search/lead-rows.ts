import { sql } from 'kysely';
import type { LeadRow } from '#contract/work/leads.ts';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { Place } from '#providers/provider.ts';
import { lockList } from '#server/runs/rows.ts';
import { matchOpen } from './open/match-open.ts';

export async function storedPlaceIds(db: Db, listId: string): Promise<Set<string>> {
  const rows = await db.selectFrom('leads').select('place_id').where('list_id', '=', listId).execute();
  return new Set(rows.flatMap((row) => row.place_id ?? []));
}

/** A place with the call that brought it. `since`: when that was, if it is not new: how long it may be kept counts from then. */
export type NewLead = { place: Place; callId: string | null; since?: Date };

/** Adds leads at the end of a list and counts them, without those that are there from open data. Does nothing when the list is gone. */
export async function addLeads(tx: Tx, listId: string, places: readonly NewLead[]): Promise<void> {
  if (!(await lockList(tx, listId)) || places.length === 0) return;
  const known = await matchOpen(
    tx,
    listId,
    places.map(({ place }) => place),
  );
  const leads = places.filter(({ place }) => !known.has(place.id));
  const { last } = await tx
    .selectFrom('leads')
    .select((eb) => eb.fn.coalesce(eb.fn.max('position'), eb.lit(-1)).as('last'))
    .where('list_id', '=', listId)
    .executeTakeFirstOrThrow();
  if (leads.length === 0) return;
  const { numInsertedOrUpdatedRows: added = 0n } = await tx
    .insertInto('leads')
    .values(
      leads.map(({ place, callId, since }, index) => ({
        list_id: listId,
        position: last + 1 + index,
        business_name: place.name,
        phone: place.phone ?? null,
        address: place.address ?? null,
        website: place.website ?? null,
        place_id: place.id,
        latitude: place.latitude ?? null,
        longitude: place.longitude ?? null,
        service_area: place.serviceArea,
        place_call_id: callId,
        ...(since ? { created_at: since } : {}),
      })),
    )
    .onConflict((conflict) => conflict.columns(['list_id', 'place_id']).doNothing())
    .executeTakeFirstOrThrow();
  // Under the lock on the list, so that nothing is missed. Counting them again would take longer with each page.
  await sql`update public.lists set lead_count = lead_count + ${Number(added)}::integer where id = ${listId}`.execute(
    tx,
  );
}

/** All leads of a list in their order, as the contract has them. */
export const readLeads = (db: Db, listId: string): Promise<LeadRow[]> => readFirstLeads(db, listId, undefined);

/** The first `most` of them. */
export async function readFirstLeads(db: Db, listId: string, most: number | undefined): Promise<LeadRow[]> {
  const all = db.selectFrom('leads').selectAll().where('list_id', '=', listId).orderBy('position');
  const rows = await (most === undefined ? all : all.limit(most)).execute();
  return rows.map((row) => ({ ...row, compliance_checked_at: row.compliance_checked_at?.toISOString() ?? null }));
}
