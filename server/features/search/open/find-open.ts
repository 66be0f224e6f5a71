import { type RawBuilder, sql } from 'kysely';
import { toDegrees } from '#area/rectangle.ts';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { ResolvedArea } from '#server/features/search/area/resolve-area.ts';
import { sourceName } from '#server/open-data/sources.ts';
import { wantedOf } from '#server/open-data/terms.ts';
import type { OpenKind, OpenPart } from './kind-of-open.ts';

/** The key of a place. */
export type OpenKey = { source: string; sourceId: string };

/** A place's id, whatever its release. */
export const openIdOf = ({ source, sourceId }: OpenKey): string => `${source}:${sourceId}`;

export type OpenQuery = { queries: readonly string[]; area: Pick<ResolvedArea, 'frames' | 'holds'>; kind: OpenKind };

/** The table of a part. */
export const openTable = ({ apart }: Pick<OpenPart, 'apart'>): RawBuilder<unknown> =>
  apart ? sql`app.open_street_map_places` : sql`app.open_places`;

/** The places of the part that was read. */
export type OpenFound = { apart: boolean; keys: OpenKey[] };

/** What people call the sources that places came from. */
export const sourcesOf = ({ keys }: OpenFound): string[] =>
  [...new Set(keys.map(({ source }) => source))].map(sourceName);

/**
 * Finds places of an area by type or name, the surest first. Those that have closed or are gone are left out.
 * All are of one part: the first that has any.
 */
export async function findOpen(db: Db | Tx, { kind, ...query }: OpenQuery): Promise<OpenFound> {
  let found: OpenFound = { apart: false, keys: [] };
  for (const part of kind.parts) {
    found = { apart: part.apart, keys: await findIn(db, part, query) };
    if (found.keys.length > 0) break;
  }
  return found;
}

async function findIn(db: Db | Tx, part: OpenPart, { queries, area }: Omit<OpenQuery, 'kind'>): Promise<OpenKey[]> {
  const { rows } = await sql<{ source: string; source_id: string; latitude: number; longitude: number }>`
    select source, source_id, latitude, longitude from ${openTable(part)} as place
    where (${or(queries.map(isMeant))}) and (${or(area.frames.map(isWithin))})
      and release_id = any(${part.releaseIds}) and not closed and gone_on is null
    order by confidence desc nulls last, source, source_id
  `.execute(db);
  return rows.flatMap(({ source, source_id: sourceId, ...point }) => (area.holds(point) ? [{ source, sourceId }] : []));
}

const or = (conditions: readonly RawBuilder<unknown>[]) =>
  conditions.length > 0 ? sql.join(conditions, sql` or `) : sql`false`;

function isMeant(query: string): RawBuilder<unknown> {
  const { categories, words } = wantedOf(query);
  const ofType = sql`terms && ${categories}::text[]`;
  return words.length > 0 ? sql`${ofType} or terms @> ${words}::text[]` : ofType;
}

const isWithin = ({ west, south, east, north }: ResolvedArea['frames'][number]): RawBuilder<unknown> =>
  sql`point(longitude, latitude) <@ box(point(${toDegrees(west)}, ${toDegrees(south)}), point(${toDegrees(east)}, ${toDegrees(north)}))`;
