import { sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';
import { noteArriving } from '#server/leads/origins/note-told.ts';
import { readReleases } from '#server/leads/origins/value-rights.ts';
import { recountList } from '#server/leads/recount-list.ts';
import { findOpen, type OpenFound, type OpenKey, type OpenQuery, openIdOf, openTable, sourcesOf } from './find-open.ts';

/** What became of the places. `found` is the sum of the other numbers. `sources`: where they came from. */
export type OpenFill = {
  found: number;
  added: number;
  duplicates: number;
  alreadyListed: number;
  beyondMaximum: number;
  sources: string[];
};

/** `removed`: ids of places that their owner has taken out of the list. */
type Fill = OpenQuery & {
  listId: string;
  userId: string;
  onlyNew: boolean;
  most: number;
  removed?: ReadonlySet<string>;
};

/** Adds places of open data after the leads of a list, which is locked. Repeating it adds nothing. */
export async function fillFromOpen(tx: Tx, fill: Fill): Promise<OpenFill> {
  const found = await findOpen(tx, fill);
  let keys = found.keys.filter((key) => !fill.removed?.has(openIdOf(key)));
  const elsewhere = fill.onlyNew ? await listedElsewhere(tx, fill, keys) : new Set<string>();
  let fresh = keys.filter((key) => !elsewhere.has(openIdOf(key)));
  let kept = fresh.slice(0, fill.most);
  const added = kept.length > 0 ? await insertLeads(tx, fill, { ...found, keys: kept }) : 0;
  await recountList(tx, fill.listId);
  if (added < kept.length) {
    // A source that was removed meanwhile is not found, and its places are no duplicates.
    const there = await stillThere(tx, found);
    const isThere = (key: OpenKey) => there.has(openIdOf(key));
    [keys, fresh, kept] = [keys.filter(isThere), fresh.filter(isThere), kept.filter(isThere)];
  }
  return {
    found: keys.length,
    added,
    duplicates: Math.max(0, kept.length - added),
    alreadyListed: keys.length - fresh.length,
    beyondMaximum: fresh.length - kept.length,
    sources: sourcesOf({ ...found, keys }),
  };
}

async function stillThere(tx: Tx, { apart, keys }: OpenFound): Promise<Set<string>> {
  const { rows } = await sql<{ source: string; sourceId: string }>`
    select source, source_id as "sourceId"
    from unnest(${keys.map(({ source }) => source)}::text[], ${keys.map(({ sourceId }) => sourceId)}::text[])
        as wanted (source, source_id)
      join ${openTable({ apart })} as place using (source, source_id)
  `.execute(tx);
  return new Set(rows.map(openIdOf));
}

/** Archived lists count, as they do where Google's places are bought: they can be restored. */
async function listedElsewhere(tx: Tx, { userId, listId, kind }: Fill, keys: readonly OpenKey[]): Promise<Set<string>> {
  const { rows } = await sql<{ open_id: string }>`
    select distinct lead.open_id from public.lists as list join public.leads as lead on lead.list_id = list.id
    where list.user_id = ${userId} and list.id <> ${listId} and list.sandbox = ${kind.sandbox}
      and lead.open_id = any(${keys.map(openIdOf)})
  `.execute(tx);
  return new Set(rows.map((row) => row.open_id));
}

/** Adds the leads. Of those with the same name and number one is kept, because sources overlap. Each value names its release. */
async function insertLeads(
  tx: Tx,
  { listId, userId }: Pick<Fill, 'listId' | 'userId'>,
  { apart, keys }: OpenFound,
): Promise<number> {
  const isNoted = apart || [...(await readReleases(tx)).values()].some(({ restricted }) => restricted);
  const { rows, numAffectedRows = 0n } = await sql<Parameters<typeof noteArriving>[2][number]>`
    insert into public.leads (list_id, position, business_name, address, phone, website, email, latitude, longitude, open_id, sources)
    select ${listId}::uuid, last.position + row_number() over (order by rank), name, address, phone, website, email, latitude,
      longitude, source || ':' || source_id, jsonb_strip_nulls(jsonb_build_object('business_name', origin,
        'address', case when address is not null then origin end, 'phone', case when phone is not null then origin end,
        'website', case when website is not null then origin end, 'email', case when email is not null then origin end))
    from (
      select distinct on (coalesce(app.phone_key(place.phone), place.source || ':' || place.source_id), app.company_key(place.name))
        place.*, wanted.rank, 'open:' || place.release_id as origin
      from unnest(${keys.map(({ source }) => source)}::text[], ${keys.map(({ sourceId }) => sourceId)}::text[])
          with ordinality as wanted (source, source_id, rank)
        join ${openTable({ apart })} as place on place.source = wanted.source and place.source_id = wanted.source_id
      order by coalesce(app.phone_key(place.phone), place.source || ':' || place.source_id), app.company_key(place.name), wanted.rank
    ) as chosen, (select coalesce(max(position), -1) as position from public.leads where list_id = ${listId}) as last
    where not exists (
      select from public.leads as lead where lead.list_id = ${listId} and app.phone_key(lead.phone) = app.phone_key(chosen.phone)
        and app.company_key(lead.business_name) = app.company_key(chosen.name)
    )
    order by rank
    on conflict do nothing
    ${isNoted ? sql`returning business_name, address, phone, website, email, sources` : sql``}
  `.execute(tx);
  if (!isNoted) return Number(numAffectedRows);
  await noteArriving(tx, userId, rows);
  return rows.length;
}
