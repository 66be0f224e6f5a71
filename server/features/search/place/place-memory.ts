import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod/mini';
import { COORDINATES_DAYS } from '#contract/work/retention.ts';
import type { Db } from '#db/connection/client.ts';
import { KEPT } from '#db/connection/kept-statements.ts';
import type { Tx } from '#db/connection/tx.ts';
import { boundingBox } from '#providers/geo.ts';
import type { Coordinates, Place } from '#providers/provider.ts';
import type { PageAnswer } from '#server/features/search/search-operations.ts';
import type { Memory } from '#server/paid-calls/memory/count-known.ts';
import type { Answered } from '#server/paid-calls/operation.ts';

/**
 * A place from a page that was paid for.
 * - `whole`: it has its name, phone, address and website, which are kept in lists only.
 * - `sources`: of its values that did not come with that page.
 * - Otherwise there is just enough to tell whether a search would drop it.
 */
type KnownPlace = { place: Place; whole: boolean; callId: string; answeredAt: Date; sources?: ValueSources };

/** By column, where a value of a place came from, if not with its call. */
export type ValueSources = Readonly<Record<string, string>>;

export type KnownPlaces = {
  /** Places of the last 30 days, by id. */
  places: ReadonlyMap<string, KnownPlace>;
  /** Ids in another list of the user, however old, with the call that brought them. */
  elsewhere: ReadonlyMap<string, string | null>;
};

const Position = z.object({
  latitude: z.optional(z.number()),
  longitude: z.optional(z.number()),
  serviceArea: z.boolean(),
  closedPermanently: z.boolean(),
});

/** Remembers where the places of a page are, for as long as coordinates may be kept. Their names and numbers stay in lists only. */
export async function rememberPlaces(tx: Tx, memory: Memory, page: Answered<PageAnswer>): Promise<void> {
  await rememberingPlaces(memory, page).execute(tx);
}

/** The same as a statement, to be sent with another. */
export function rememberingPlaces(
  { userId, sandbox }: Memory,
  { answer, callId, answeredAt }: Answered<PageAnswer>,
): RawBuilder<unknown> {
  const places = answer.places.map(({ id, latitude, longitude, serviceArea, closedPermanently }) => ({
    id,
    position: { latitude, longitude, serviceArea, closedPermanently },
  }));
  return sql`
    insert into app.answers (user_id, provider, operation, subject, sandbox, answer, paid_call_id, answered_at, expires_at)
    select distinct on (id) ${userId}::uuid, 'google_places', 'place', id, ${sandbox}::boolean, position, ${callId}::uuid,
      ${answeredAt}::timestamptz, ${answeredAt}::timestamptz + ${COORDINATES_DAYS} * interval '1 day'
    from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as place (id text, position jsonb)
    order by id
    on conflict (user_id, provider, operation, subject, sandbox) do update
    set answer = excluded.answer, paid_call_id = excluded.paid_call_id, answered_at = excluded.answered_at,
      expires_at = excluded.expires_at
    where answers.answered_at < excluded.answered_at`;
}

/** Whether there are known places around here, so that looking for them can save money. */
export async function hasPlacesWithin(
  db: Db | Tx,
  memory: Memory,
  center: Coordinates,
  radiusMeters: number,
): Promise<boolean> {
  const { rows } = await sql<{
    has: boolean;
  }>`${KEPT} select ${arePlacesWithin(memory, center, radiusMeters)} as has`.execute(db);
  return rows[0]?.has ?? false;
}

/** The same as a condition. */
export function arePlacesWithin(
  { userId, sandbox }: Memory,
  { latitude, longitude }: Coordinates,
  radiusMeters: number,
): RawBuilder<boolean> {
  const { low, high } = boundingBox(latitude, longitude, radiusMeters);
  return sql<boolean>`exists (
    select from app.answers
    where user_id = ${userId} and provider = 'google_places' and operation = 'place' and sandbox = ${sandbox}
      and expires_at > now() and (answer ->> 'latitude')::float8 between ${low.latitude} and ${high.latitude}
      and case when ${low.longitude <= high.longitude}::boolean
        then (answer ->> 'longitude')::float8 between ${low.longitude} and ${high.longitude}
        else (answer ->> 'longitude')::float8 >= ${low.longitude} or (answer ->> 'longitude')::float8 <= ${high.longitude} end
  )`;
}

/** Reads what is known about places without a call. `listId`: the list of the search, if it has one yet. */
export async function findKnownPlaces(
  db: Db | Tx,
  memory: Memory,
  listId: string | undefined,
  ids: readonly string[],
): Promise<KnownPlaces> {
  const places = new Map<string, KnownPlace>();
  for (const { id, answer, ...origin } of await positionsOf(db, memory, ids)) {
    const position = Position.safeParse(answer).data;
    if (position) places.set(id, { place: { id, name: '', ...position } as Place, whole: false, ...origin });
  }
  const elsewhere = new Map<string, string | null>();
  for (const { list_id, call_id, answered_at: answeredAt, sources, ...lead } of await leadsOf(db, memory, ids)) {
    if (list_id !== listId) elsewhere.set(lead.place_id, call_id);
    if (call_id === null || answeredAt === null) continue;
    // A page that came since may have shown that it has closed.
    const closedPermanently = places.get(lead.place_id)?.place.closedPermanently ?? false;
    const place = { ...placeOf(lead), closedPermanently };
    places.set(lead.place_id, { place, whole: true, callId: call_id, answeredAt, sources });
  }
  return { places, elsewhere };
}

async function positionsOf(db: Db | Tx, { userId, sandbox }: Memory, ids: readonly string[]) {
  const { rows } = await sql<{ id: string; answer: unknown; callId: string; answeredAt: Date }>`
    ${KEPT} select subject as id, answer, paid_call_id as "callId", answered_at as "answeredAt" from app.answers
    where user_id = ${userId} and provider = 'google_places' and operation = 'place' and sandbox = ${sandbox}
      and subject = any(${ids}) and expires_at > now()
  `.execute(db);
  return rows;
}

type Lead = {
  place_id: string;
  business_name: string;
  phone: string | null;
  address: string | null;
  website: string | null;
  latitude: number | null;
  longitude: number | null;
  service_area: boolean;
};
type ListedLead = Lead & { list_id: string; call_id: string | null; answered_at: Date | null; sources: ValueSources };

/** Reads leads of the user that are these places, oldest first. `answered_at`: null when it is too old to be used again. */
async function leadsOf(db: Db | Tx, { userId, sandbox }: Memory, ids: readonly string[]) {
  const { rows } = await sql<ListedLead>`
    ${KEPT} select lead.place_id, lead.business_name, lead.phone, lead.address, lead.website, lead.latitude, lead.longitude,
      lead.service_area, lead.list_id,
      coalesce((select jsonb_object_agg(key, value) from jsonb_each(lead.sources)
        where key in ('business_name', 'phone', 'address', 'website')), '{}') as sources, call.id as call_id,
      case when call.settled_at > now() - ${COORDINATES_DAYS} * interval '1 day' then call.settled_at end as answered_at
    from public.lists as list
      join public.leads as lead on lead.list_id = list.id
      left join app.paid_calls as call on call.id = lead.place_call_id
    where list.user_id = ${userId} and list.sandbox = ${sandbox} and lead.place_id = any(${ids})
    order by call.settled_at nulls first
  `.execute(db);
  return rows;
}

const placeOf = (lead: Lead): Omit<Place, 'closedPermanently'> => ({
  id: lead.place_id,
  name: lead.business_name,
  ...(lead.phone === null ? {} : { phone: lead.phone }),
  ...(lead.address === null ? {} : { address: lead.address }),
  ...(lead.website === null ? {} : { website: lead.website }),
  ...(lead.latitude === null || lead.longitude === null ? {} : { latitude: lead.latitude, longitude: lead.longitude }),
  serviceArea: lead.service_area,
});
