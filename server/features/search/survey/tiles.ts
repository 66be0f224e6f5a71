import { sql } from 'kysely';
import type { Piece } from '#area/cut/cut.ts';
import type { Rectangle } from '#area/rectangle.ts';
import type { Db } from '#db/connection/client.ts';
import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { Look } from './look.ts';

/** A rectangle of a survey, for one of its business types. */
export type Tile = Rectangle & { query: number };

/** What a look at a rectangle showed. `inside`: all of the rectangle lies in the area. */
type Found = { state: 'complete' | 'saturated'; look: Look; inside: boolean };
/** The same of one that is cut. */
type FoundInWhole = Pick<Look, 'ids' | 'pages'> & { inside: boolean };

const isTile = (surveyId: string, { query, south, west, north, east }: Tile) => sql`
  survey_id = ${surveyId} and query = ${query}::smallint and south = ${south} and west = ${west} and north = ${north} and east = ${east}`;

export async function insertTiles(tx: Tx, surveyId: string, query: number, pieces: readonly Piece[]): Promise<void> {
  await sql`
    insert into app.survey_tiles (survey_id, query, south, west, north, east, state)
    select ${surveyId}::uuid, ${query}::smallint, south, west, north, east, state
    from jsonb_to_recordset(${JSON.stringify(pieces)}::jsonb)
      as piece (south integer, west integer, north integer, east integer, state text)
    on conflict do nothing
  `.execute(tx);
}

/** Reads tiles that were not looked at yet, or gave no answer. The largest come last. */
export async function readOpenTiles(db: Db, surveyId: string): Promise<Tile[]> {
  const { rows } = await sql<Tile>`
    select query, south, west, north, east from app.survey_tiles
    where survey_id = ${surveyId} and state in ('open', 'failed')
    order by (north - south)::bigint * (east - west)
  `.execute(db);
  return rows;
}

/** Whether a survey has tiles that were not looked at yet. */
export async function hasOpenTiles(db: Db, surveyId: string): Promise<boolean> {
  const { rows } = await sql<{ open: boolean }>`
    select exists (select from app.survey_tiles where survey_id = ${surveyId} and state = 'open') as open
  `.execute(db);
  return rows[0]?.open ?? false;
}

/** Stores what a tile holds. What earlier passes saw in it stays. Returns how many places no look had seen before. */
export async function settleTile(
  db: Db,
  surveyId: string,
  tile: Tile,
  { state, look, inside }: Found,
): Promise<number> {
  return guardedTransaction(db, async (tx) => {
    await sql`
      update app.survey_tiles as tile set state = ${state}, pages = greatest(pages, ${look.pages}::smallint), pass = pass + 1,
        (ids, id_pages) = (
          select coalesce(array_agg(id order by page, id), '{}'), coalesce(array_agg(page order by page, id), '{}') from (
            select id, max(page)::smallint as page from (
              select id, coalesce(id_pages[at], pages) as page from unnest(ids) with ordinality as known (id, at)
              union all select * from unnest(${look.ids}::text[], ${look.idPages}::smallint[])
            ) as seen group by id
          ) as one)
      where ${isTile(surveyId, tile)}
    `.execute(tx);
    return addPlaces(tx, surveyId, { ...look, inside });
  });
}

/**
 * Puts the pieces of a tile in its place. What it held stays known, and belongs to no piece until that is looked at.
 * Returns how many places no look had seen before.
 */
export async function replaceTile(
  db: Db,
  surveyId: string,
  tile: Tile,
  look: FoundInWhole,
  pieces: readonly Piece[],
): Promise<number> {
  return guardedTransaction(db, async (tx) => {
    const { numAffectedRows } = await sql`delete from app.survey_tiles where ${isTile(surveyId, tile)}`.execute(tx);
    // Another process has cut it in the same moment.
    if (numAffectedRows === 0n) return 0;
    await insertTiles(tx, surveyId, tile.query, pieces);
    return addPlaces(tx, surveyId, look);
  });
}

export async function failTile(db: Db, surveyId: string, tile: Tile): Promise<void> {
  await sql`update app.survey_tiles set state = 'failed' where ${isTile(surveyId, tile)}`.execute(db);
}

async function addPlaces(
  tx: Tx,
  surveyId: string,
  { ids, pages, inside }: { ids: readonly string[]; pages: number; inside: boolean },
): Promise<number> {
  const { rows } = await sql<{ made: boolean }>`
    insert into app.survey_places as place (survey_id, place_id, inside)
    select ${surveyId}::uuid, id, ${inside}::boolean from unnest(${ids}::text[]) as id
    order by id on conflict (survey_id, place_id) do update set inside = true where excluded.inside and not place.inside
    returning xmax = 0 as made
  `.execute(tx);
  await sql`update app.surveys set free_calls = free_calls + ${pages}::integer where id = ${surveyId}`.execute(tx);
  return rows.filter(({ made }) => made).length;
}

/** Notes that a run has bought all that a leaf was to bring, and that some of its places did not come. */
export async function noteLack(
  db: Db,
  surveyId: string,
  tile: Tile & { lacked: number },
  runId: string,
): Promise<void> {
  await sql`
    update app.survey_tiles set lacked = lacked + 1, lacked_by = ${runId}::uuid
    where ${isTile(surveyId, tile)} and lacked = ${tile.lacked}::smallint
  `.execute(db);
}

/** Counts one more second look, and the free calls that it took. */
export async function noteProbe(db: Db, surveyId: string, calls: number): Promise<void> {
  await sql`
    update app.surveys set free_calls = free_calls + ${calls}::integer, probes_done = probes_done + 1 where id = ${surveyId}
  `.execute(db);
}

/** Stores how many second looks there will be. */
export async function planProbes(db: Db, surveyId: string, planned: number): Promise<void> {
  await sql`update app.surveys set probes_planned = ${planned}::integer where id = ${surveyId}`.execute(db);
}

/** Adds places that a second look found in a leaf, behind those that it has. */
export async function addToTile(
  db: Db,
  surveyId: string,
  tile: Tile,
  { ids, inside }: { ids: readonly string[]; inside: boolean },
): Promise<void> {
  await guardedTransaction(db, async (tx) => {
    await sql`
      update app.survey_tiles set ids = ${ids}::text[], pages = greatest(pages, least(3, ceil(${ids.length}::integer / 20.0)::smallint))
      where ${isTile(surveyId, tile)}
    `.execute(tx);
    await addPlaces(tx, surveyId, { ids, pages: 0, inside });
  });
}

/** Puts the halves of a leaf in its place, each with what it holds. */
export async function splitTile(
  db: Db,
  surveyId: string,
  tile: Tile,
  halves: readonly (Tile & { ids: readonly string[]; inside: boolean })[],
): Promise<void> {
  await guardedTransaction(db, async (tx) => {
    const { numAffectedRows } = await sql`delete from app.survey_tiles where ${isTile(surveyId, tile)}`.execute(tx);
    if (numAffectedRows === 0n) return;
    for (const half of halves) {
      await sql`
        insert into app.survey_tiles (survey_id, query, south, west, north, east, state, ids, pages, pass)
        values (${surveyId}, ${half.query}, ${half.south}, ${half.west}, ${half.north}, ${half.east}, 'complete', ${half.ids}::text[],
          least(3, greatest(1, ceil(${half.ids.length}::integer / 20.0)))::smallint, 1)
      `.execute(tx);
      await addPlaces(tx, surveyId, { ids: half.ids, pages: 0, inside: half.inside });
    }
  });
}

/** How many places a survey has seen, also beyond the border of its area. */
export async function countPlaces(db: Db, surveyId: string): Promise<number> {
  const { rows } = await sql<{ places: number }>`
    select count(*)::integer as places from app.survey_places where survey_id = ${surveyId}
  `.execute(db);
  return rows[0]?.places ?? 0;
}
