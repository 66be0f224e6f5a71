import { sql } from 'kysely';
import type { SurveyCount } from '#contract/work/search/surveys.ts';
import type { Db } from '#db/connection/client.ts';
import { SPACING } from '#server/paid-calls/departure/departures.ts';
import { callsLeft, type Level, probeCalls } from './estimates/calls-left.ts';
import { SURVEY_LIMITS } from './limits.ts';
import type { SurveyRow } from './survey.ts';

/** Free calls for a thousand places, as measured for cities of all kinds, and rounded up. */
const CALLS_PER_1000 = 190;
/** Pages that one second look takes, on average. */
const CALLS_PER_PROBE = 3;

/** About how many free calls a survey takes at most: it stops at a number of places. Each business type is cut by itself. */
export const mostFreeCalls = (types: number): number =>
  Math.ceil((types * SURVEY_LIMITS.places * CALLS_PER_1000) / 1_000);

/** Reads how far a survey under way is, by the calls that it has made and those still to come. */
export async function readProgress(
  db: Db,
  survey: SurveyRow,
): Promise<Pick<SurveyCount, 'share' | 'etaSeconds' | 'again'>> {
  const { probes_planned: planned, probes_done: done } = survey;
  if (planned !== null)
    return {
      share: planned === 0 ? 1 : Math.min(1, done / planned),
      etaSeconds: secondsOf(Math.max(0, planned - done) * CALLS_PER_PROBE),
      again: { done: Math.min(done, planned), planned },
    };
  const levels = await readLevels(db, survey);
  if (levels.every(({ settled }) => settled === 0)) return { share: 0, etaSeconds: null, again: null };
  const left = callsLeft(levels);
  // The row may have been read before the calls of these tiles were counted in it.
  const share = left === 0 ? 1 : survey.free_calls / (survey.free_calls + left);
  return { share, etaSeconds: secondsOf(left + probeCalls(levels, share)), again: null };
}

function secondsOf(calls: number): number {
  const [spacing] = SPACING.google_places;
  return Math.ceil(calls / (spacing ? spacing.calls / (spacing.windowMs / 1_000) : 1));
}

/** Reads the tiles of a survey by how often their frame was halved. */
async function readLevels(db: Db, { id, frames, queries }: SurveyRow): Promise<Level[]> {
  const { rows } = await sql<Omit<Level, 'split'>>`
    with frame as (
      select *, (north - south)::float8 * (east - west) as size
      from jsonb_to_recordset(${JSON.stringify(frames)}::jsonb) as f (south integer, west integer, north integer, east integer)
    )
    select round(ln(frame.size / ((tile.north - tile.south)::float8 * (tile.east - tile.west))) / ln(2))::integer as depth,
      count(*) filter (where state = 'open')::integer as open,
      count(*) filter (where state = 'outside')::integer as outside,
      count(*) filter (where state in ('complete', 'saturated', 'failed'))::integer as settled,
      coalesce(sum(pages) filter (where state in ('complete', 'saturated')), 0)::integer as pages,
      coalesce(sum(cardinality(ids)) filter (where state in ('complete', 'saturated')), 0)::integer as places,
      count(*) filter (where cardinality(ids) >= 50)::integer as "nearlyFull"
    from app.survey_tiles as tile join frame
      on tile.south >= frame.south and tile.north <= frame.north and tile.west >= frame.west and tile.east <= frame.east
    where survey_id = ${id} group by depth order by depth
  `.execute(db);
  const roots = queries.length * (Array.isArray(frames) ? frames.length : 1);
  const deepest = rows.at(-1)?.depth ?? 0;
  const levels: Level[] = [];
  for (let depth = 0; depth <= deepest; depth += 1) {
    const row = rows.find((one) => one.depth === depth) ?? NONE;
    const made = depth === 0 ? roots : 2 * (levels[depth - 1]?.split ?? 0);
    levels.push({ ...row, depth, split: Math.max(0, made - row.open - row.outside - row.settled) });
  }
  return levels;
}

const NONE = { open: 0, outside: 0, settled: 0, pages: 0, places: 0, nearlyFull: 0 };
