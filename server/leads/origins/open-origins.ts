import { type RawBuilder, sql } from 'kysely';
import type { OpenOrigin } from '#contract/work/open-origins.ts';
import type { Db } from '#db/connection/client.ts';
import { sourceName } from '#server/open-data/sources.ts';
import { FROM_FILE } from './value-rights.ts';

type Row = {
  lead_id: string;
  id: number;
  source: string;
  release: string;
  license: string;
  confidence: number | null;
  stated: string | null;
  gone_on: string | null;
};

/** By the primary key of both tables. */
const IS_ITS_PLACE = sql`source = release.source and starts_with(lead.open_id, release.source || ':')
  and source_id = substr(lead.open_id, length(release.source) + 2)`;

/** The releases that the sources of a lead name, and how sure theirs is of the place that it came from. */
export async function readOpenOrigins(
  db: Db,
  leadId: string,
  sources: Readonly<Record<string, string>>,
): Promise<OpenOrigin[]> {
  const ids = Object.values(sources).flatMap((said) => {
    const [, id] = /^open:(\d{1,9})$/.exec(said.startsWith(FROM_FILE) ? said.slice(FROM_FILE.length) : said) ?? [];
    return id === undefined ? [] : [Number(id)];
  });
  if (ids.length === 0) return [];
  const rows = await read(db, sql`lead.id = ${leadId} and release.id = any(${ids}::integer[])`);
  return rows.map(toOrigin);
}

/** The releases that brought the leads of a list that come from open data, by the ids of these leads. */
export async function originsOfLeads(
  db: Db,
  listId: string,
  leadIds: readonly string[],
): Promise<Map<string, OpenOrigin>> {
  if (leadIds.length === 0) return new Map();
  const brought = sql`substring(lead.sources ->> 'business_name' from '^open:(\\d{1,9})$')::integer`;
  const isMeant = sql`lead.list_id = ${listId} and lead.id = any(${leadIds}::uuid[]) and lead.open_id is not null`;
  const rows = await read(db, sql`${isMeant} and release.id = ${brought}`);
  return new Map(rows.map((row) => [row.lead_id, toOrigin(row)]));
}

async function read(db: Db, isMeant: RawBuilder<unknown>): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select lead.id as lead_id, release.id, release.source, release.release, release.license, place.confidence, last.release as stated,
      place.gone_on::text as gone_on
    from public.leads as lead cross join app.open_releases as release
      left join lateral (
        select confidence, release_id, gone_on from app.open_places where ${IS_ITS_PLACE}
        union all
        select confidence, release_id, gone_on from app.open_street_map_places where ${IS_ITS_PLACE}
      ) as place on true
      left join app.open_releases as last on last.id = place.release_id
    where ${isMeant}
    order by release.id
  `.execute(db);
  return rows;
}

const toOrigin = (row: Row): OpenOrigin => ({
  name: `open:${row.id}`,
  title: sourceName(row.source),
  release: row.release,
  license: row.license,
  confidence: row.confidence,
  stated: row.confidence === null ? null : row.stated,
  goneOn: row.gone_on,
});
