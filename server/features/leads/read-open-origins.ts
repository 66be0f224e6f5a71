import { sql } from 'kysely';
import type { OpenOrigin } from '#contract/work/provenance.ts';
import type { Db } from '#db/connection/client.ts';
import { FROM_FILE } from '#server/leads/value-rights.ts';
import { sourceName } from '#server/open-data/sources.ts';

type Row = {
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
  const { rows } = await sql<Row>`
    select release.id, release.source, release.release, release.license, place.confidence, last.release as stated,
      place.gone_on::text as gone_on
    from app.open_releases as release
      join public.leads as lead on lead.id = ${leadId}
      left join lateral (
        select confidence, release_id, gone_on from app.open_places where ${IS_ITS_PLACE}
        union all
        select confidence, release_id, gone_on from app.open_street_map_places where ${IS_ITS_PLACE}
      ) as place on true
      left join app.open_releases as last on last.id = place.release_id
    where release.id = any(${ids}::integer[])
    order by release.id
  `.execute(db);
  return rows.map((row) => ({
    name: `open:${row.id}`,
    title: sourceName(row.source),
    release: row.release,
    license: row.license,
    confidence: row.confidence,
    stated: row.confidence === null ? null : row.stated,
    goneOn: row.gone_on,
  }));
}
