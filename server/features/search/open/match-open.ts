import { sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';
import { boundingBox } from '#providers/geo.ts';
import type { Place } from '#providers/provider.ts';
import { type Business, compareNearness, NEAR, type Reason, sameBusiness } from '#server/open-data/same-business.ts';

type OpenLead = {
  id: string;
  place_id: string | null;
  open_id: string;
  business_name: string;
  phone_key: string | null;
  website: string | null;
  address: string | null;
  latitude: number;
  longitude: number;
};
type Found = { place: Place; phoneKey: string | null };

/**
 * Matches Google's places with leads from open data, and returns the ids of those that are such leads already.
 * - Of several that may be the same, the surest pairs count, in whichever order Google gives its places.
 * - They are not added: the lead takes the place's id, and the match is kept as both ids and the reason.
 * - No value of Google's is stored.
 */
export async function matchOpen(tx: Tx, listId: string, places: readonly Place[]): Promise<ReadonlySet<string>> {
  const pairs: Pair[] = [];
  for (const { place, phoneKey } of await withPhoneKeys(tx, places)) {
    for (const lead of await candidates(tx, listId, { place, phoneKey })) {
      const [one, other] = [{ ...place, phoneKey }, shapeOf(lead)];
      const reason = sameBusiness(one, other);
      if (reason) pairs.push({ one, other, lead, reason });
    }
  }
  const matches: Pair[] = [];
  for (const pair of pairs.toSorted(surestFirst))
    if (!matches.some(({ lead, one }) => lead.id === pair.lead.id || one.id === pair.one.id)) matches.push(pair);
  if (matches.length > 0) await keep(tx, listId, matches);
  return new Set(matches.map(({ one }) => one.id));
}

type Pair = { one: Place & { phoneKey: string | null }; other: Business; lead: OpenLead; reason: Reason };
const REASONS: readonly Reason[] = ['phone', 'domain', 'name_and_distance'];

/** A lead that has the place's id already comes first. */
const surestFirst = (a: Pair, b: Pair): number =>
  Number(a.lead.place_id === null) - Number(b.lead.place_id === null) ||
  REASONS.indexOf(a.reason) - REASONS.indexOf(b.reason) ||
  compareNearness(a, b);

async function withPhoneKeys(tx: Tx, places: readonly Place[]): Promise<Found[]> {
  const phones = places.map(({ phone }) => phone ?? null);
  const { rows } = await sql<{ key: string | null }>`
    select app.phone_key(phone) as key from unnest(${phones}::text[]) with ordinality as given (phone, at) order by at
  `.execute(tx);
  return places.map((place, index) => ({ place, phoneKey: rows[index]?.key ?? null }));
}

async function candidates(tx: Tx, listId: string, { place, phoneKey }: Found): Promise<OpenLead[]> {
  const { latitude, longitude } = place;
  const box = latitude === undefined || longitude === undefined ? undefined : boundingBox(latitude, longitude, NEAR);
  const isNear = box
    ? sql`lead.latitude between ${box.low.latitude} and ${box.high.latitude} and lead.longitude between ${box.low.longitude} and ${box.high.longitude}`
    : sql`false`;
  const { rows } = await sql<OpenLead>`
    select id, place_id, open_id, business_name, app.phone_key(phone) as phone_key, website, address, latitude, longitude
    from public.leads as lead
    where list_id = ${listId} and open_id is not null and (place_id is null or place_id = ${place.id})
      and (contact_keys @> array['phone:' || ${phoneKey}::text] or (${isNear}))
    order by place_id nulls last, position limit 50
  `.execute(tx);
  return rows;
}

const shapeOf = ({ business_name: name, phone_key: phoneKey, ...rest }: OpenLead): Business => ({
  name,
  phoneKey,
  ...rest,
});

async function keep(tx: Tx, listId: string, matches: readonly Pick<Pair, 'one' | 'lead' | 'reason'>[]): Promise<void> {
  const rows = JSON.stringify(
    matches.map(({ lead, one, reason }) => ({ id: lead.id, open_id: lead.open_id, place_id: one.id, reason })),
  );
  await sql`
    update public.leads as lead set place_id = found.place_id
    from jsonb_to_recordset(${rows}::jsonb) as found (id uuid, place_id text)
    where lead.id = found.id and lead.place_id is null
      and not exists (select from public.leads as other where other.list_id = ${listId} and other.place_id = found.place_id)
  `.execute(tx);
  await sql`
    insert into app.open_matches (user_id, place_id, open_id, reason, sandbox)
    select list.user_id, found.place_id, found.open_id, found.reason, coalesce(list.sandbox, false)
    from public.lists as list, jsonb_to_recordset(${rows}::jsonb) as found (place_id text, open_id text, reason text)
    where list.id = ${listId}
    on conflict (user_id, place_id, open_id) do update set reason = excluded.reason
  `.execute(tx);
}
