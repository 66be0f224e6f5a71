import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { ResolvedArea } from '#server/features/search/area/resolve-area.ts';
import type { Memory } from '#server/paid-calls/memory/count-known.ts';

/** A survey with the shape of its area. */
export type SurveyedArea = { id: string; area: Pick<ResolvedArea, 'holds'> };

/**
 * Reads the places of a survey that are known to lie outside of its area: leaves that cross the border show them, and no search of it keeps them.
 * - It is known for as long as a person's positions are remembered.
 */
export async function readOutside(
  db: Db | Tx,
  { userId, sandbox }: Memory,
  { id, area }: SurveyedArea,
): Promise<string[]> {
  const { rows } = await sql<{ id: string; latitude: number; longitude: number }>`
    select place.place_id as id, (known.answer ->> 'latitude')::float8 as latitude, (known.answer ->> 'longitude')::float8 as longitude
    from app.survey_places as place join app.answers as known on known.subject = place.place_id
    where place.survey_id = ${id} and known.user_id = ${userId} and known.sandbox = ${sandbox}
      and known.provider = 'google_places' and known.operation = 'place' and known.expires_at > now()
      and known.answer ->> 'latitude' is not null and known.answer ->> 'longitude' is not null
      and not (known.answer ->> 'serviceArea')::boolean
  `.execute(db);
  return rows.filter((point) => !area.holds(point)).map((row) => row.id);
}
