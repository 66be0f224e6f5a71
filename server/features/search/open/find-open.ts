import { type RawBuilder, sql } from 'kysely';
import { toDegrees } from '#area/rectangle.ts';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { ResolvedArea } from '#server/features/search/area/resolve-area.ts';
import { wantedOf } from '#server/open-data/terms.ts';
import type { OpenKind } from './kind-of-open.ts';

/** The key of a place. */
export type OpenKey = { source: string; sourceId: string };

/** A place's id, whatever its release. */
export const openIdOf = ({ source, sourceId }: OpenKey): string => `${source}:${sourceId}`;

export type OpenQuery = { queries: readonly string[]; area: Pick<ResolvedArea, 'frames' | 'holds'>; kind: OpenKind };

/** The table that a search reads. */
export const openTable = ({ apart }: OpenKind): RawBuilder<unknown> =>
  apart ? sql`app.open_street_map_places` : sql`app.open_places`;

/** Finds places of an area by type or name, the surest first. Those that have closed or are gone are left out. */
export async function findOpen(db: Db | Tx, { queries, area, kind }: OpenQuery): Promise<OpenKey[]> {
  const { rows } = await sql<{ source: string; source_id: string; latitude: number; longitude: number }>`
    select source, source_id, latitude, longitude from ${openTable(kind)} as place
    where (${or(queries.map(isMeant))}) and (${or(area.frames.map(isWithin))})
      and release_id = any(${kind.releaseIds}) and not closed and gone_on is null
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
