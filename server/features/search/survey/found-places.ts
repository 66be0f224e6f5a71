import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';

/**
 * Selects the places that a survey has found, `placed` where a leaf holds them, and `outside` where they are known to lie outside of its area.
 * - Once all leaves have answered, one that was only seen in full rectangles across the border lies beyond it, as far as anyone can tell.
 */
export const foundPlaces = (surveyId: string, outside: readonly string[]) => sql`
  select place.place_id as id, held.id is not null as placed, place.place_id in (select unnest(${outside}::text[])) as outside
  from app.survey_places as place left join (
    select distinct one.id from app.survey_tiles as tile, unnest(tile.ids) as one (id) where tile.survey_id = ${surveyId}
  ) as held on held.id = place.place_id
  where place.survey_id = ${surveyId} and (place.inside or held.id is not null or exists (
    select from app.survey_tiles where survey_id = ${surveyId} and state in ('open', 'failed')))`;

/** What a survey has found. `unplaced`: ids that no leaf holds. `beyond`: how many more are known to lie outside of its area. */
export async function readFound(
  db: Db,
  surveyId: string,
  outside: readonly string[],
): Promise<{ found: number; unplaced: string[]; beyond: number }> {
  const { rows } = await sql<{ found: number; unplaced: string[]; beyond: number }>`
    select count(*) filter (where not outside)::integer as found, count(*) filter (where outside)::integer as beyond,
      coalesce(array_agg(id order by id) filter (where not outside and not placed), '{}') as unplaced
    from (${foundPlaces(surveyId, outside)}) as place
  `.execute(db);
  return rows[0] ?? { found: 0, unplaced: [], beyond: 0 };
}

/** Counts places that a survey has found in its area, other than these. */
export async function countOthers(
  db: Db,
  surveyId: string,
  outside: readonly string[],
  these: readonly string[],
): Promise<number> {
  const { rows } = await sql<{ places: number }>`
    select count(*)::integer as places from (${foundPlaces(surveyId, outside)}) as place
    where not outside and id not in (select unnest(${these}::text[]))
  `.execute(db);
  return rows[0]?.places ?? 0;
}
