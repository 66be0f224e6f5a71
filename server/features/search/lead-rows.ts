import { type RawBuilder, sql } from 'kysely';
import type { LeadRow } from '#contract/work/leads.ts';
import type { Db } from '#db/connection/client.ts';
import { KEPT } from '#db/connection/kept-statements.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { Place } from '#providers/provider.ts';
import { LEAD_COLUMNS, type StoredLead, toLeadRow } from '#server/leads/lead-columns.ts';
import { matchOpen } from './open/match-open.ts';
import type { ValueSources } from './place/place-memory.ts';

/** What a list holds when it is searched for. `isOpen`: some of its leads are from open data. */
export type Stored = { placeIds: ReadonlySet<string>; isOpen: boolean };
export const NOTHING_STORED: Stored = { placeIds: new Set(), isOpen: false };

export async function readStored(db: Db, listId: string): Promise<Stored> {
  const rows = await db.selectFrom('leads').select(['place_id', 'open_id']).where('list_id', '=', listId).execute();
  return {
    placeIds: new Set(rows.flatMap((row) => row.place_id ?? [])),
    isOpen: rows.some((row) => row.open_id !== null),
  };
}

/** Whether a list holds nothing yet. */
export const isEmptyList = (listId: string): RawBuilder<boolean> =>
  sql<boolean>`not exists (select from public.leads where list_id = ${listId})`;

/**
 * A place with the call that brought it. `since`: when that was, if it is not new. How long it may be kept counts from then.
 * - `sources`: by column, what came from elsewhere.
 */
export type NewLead = { place: Place; callId: string | null; since?: Date; sources?: ValueSources };

/** Adds leads at the end of a list and counts them, except those that are there from open data. Does nothing when the list is gone. */
export async function addLeads(tx: Tx, listId: string, places: readonly NewLead[]): Promise<void> {
  if (places.length === 0 || (await insertLeads(tx, listId, places, { matched: false }))) return;
  const known = await matchOpen(
    tx,
    listId,
    places.map(({ place }) => place),
  );
  const others = places.filter(({ place }) => !known.has(place.id));
  await insertLeads(tx, listId, others, { matched: true });
}

/** Adds leads. Returns false, and adds none, when the places must first be matched with leads from open data. */
async function insertLeads(
  tx: Tx,
  listId: string,
  leads: readonly NewLead[],
  { matched }: { matched: boolean },
): Promise<boolean> {
  const { rows } = await addingLeads(listId, leads, { matched }).execute(tx);
  return rows[0]?.added ?? false;
}

/** The same as a statement, to be sent with others. `matched`: no lead is from open data, or those are matched already. */
export function addingLeads(
  listId: string,
  leads: readonly NewLead[],
  { matched }: { matched: boolean },
): RawBuilder<{ added: boolean }> {
  const places = leads.map(({ place, callId, since, sources }) => ({
    ...place,
    service_area: place.serviceArea,
    call_id: callId,
    sources,
    since,
  }));
  return sql<{ added: boolean }>`
    ${KEPT} select app.add_leads(${listId}::uuid, ${JSON.stringify(places)}::jsonb, ${matched}::boolean) as added`;
}

/** Reads all leads of a list in their order, in the contract's form. */
export const readLeads = (db: Db, listId: string): Promise<LeadRow[]> => readFirstLeads(db, listId, undefined);

/** Reads the first `most` of them. */
export async function readFirstLeads(db: Db, listId: string, most: number | undefined): Promise<LeadRow[]> {
  const { rows } = await sql<StoredLead>`
    ${KEPT} select lead.list_id, ${LEAD_COLUMNS} from public.leads as lead where lead.list_id = ${listId}
    order by lead.position limit ${most ?? null}::integer
  `.execute(db);
  return rows.map(toLeadRow);
}
