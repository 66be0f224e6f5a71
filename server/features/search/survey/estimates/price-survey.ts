import { sql } from 'kysely';
import { COORDINATES_DAYS } from '#contract/work/retention.ts';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import { pageOperation } from '#server/features/search/search-operations.ts';
import { foundPlaces } from '#server/features/search/survey/found-places.ts';
import { readOutside, type SurveyedArea } from '#server/features/search/survey/known-outside.ts';
import { PURCHASE, REMOVED } from '#server/features/search/survey/purchase.ts';
import type { Tile } from '#server/features/search/survey/tiles.ts';
import type { Memory } from '#server/paid-calls/memory/count-known.ts';

/**
 * A leaf that holds places whose details are not known, and how many of its pages bring them: up to the last one that any of them came on.
 * - `lacked`: how often its pages were bought and did not bring all. They are asked for again, and any of them may bring the rest.
 * - `allPages`: what that takes the next time.
 */
export type PricedLeaf = Tile & { pages: number; allPages: number; lacked: number; unknown: string[] };

/** What to leave out. `openIds`: Google's ids of places that come from open data. `onlyNew`: all that is in one of the user's lists. */
export type Spared = { onlyNew: boolean; openIds: ReadonlySet<string> };

/** Selects places that every search of the area would drop: they are known to be closed, or to lie outside of it. */
const DROPPED = ({ userId, sandbox }: Memory, outside: readonly string[]) => sql`
  select unnest(${outside}::text[]) as id
  union
  select subject from app.answers
  where user_id = ${userId} and provider = 'google_places' and operation = 'place' and sandbox = ${sandbox}
    and expires_at > now() and (answer ->> 'closedPermanently')::boolean`;

/**
 * Selects places that need not be paid for.
 * - They have details of the last 30 days in one of the user's lists, would be dropped, or come from open data.
 */
const KNOWN = (memory: Memory, { onlyNew, openIds }: Spared, outside: readonly string[]) => sql`
  select unnest(${[...openIds]}::text[]) as id
  union
  select lead.place_id
  from public.lists as list
    join public.leads as lead on lead.list_id = list.id
    left join app.paid_calls as call on call.id = lead.place_call_id
  where list.user_id = ${memory.userId} and list.sandbox = ${memory.sandbox} and lead.place_id is not null
    and (${onlyNew} or call.settled_at > now() - ${COORDINATES_DAYS} * interval '1 day')
  union
  ${DROPPED(memory, outside)}`;

/**
 * Reads leaves worth paying for, those first that bring the most for each page, and last those that have lacked something before.
 * - `runId`: of the run that buys them. What it has bought before it was taken up again counts as the same purchase, and so does what
 *   was bought for its list on the days before, where it goes on by itself. What was removed from its list since is not bought again.
 */
export const priceLeaves = async (
  db: Db | Tx,
  memory: Memory,
  survey: SurveyedArea,
  spared: Spared,
  runId: string,
): Promise<PricedLeaf[]> =>
  leavesWorth(db, memory, { surveyId: survey.id, runId }, spared, await readOutside(db, memory, survey));

async function leavesWorth(
  db: Db | Tx,
  memory: Memory,
  { surveyId, runId }: { surveyId: string; runId: string | null },
  spared: Spared,
  outside: readonly string[],
): Promise<PricedLeaf[]> {
  const { rows } = await sql<PricedLeaf>`
    with known as materialized (${KNOWN(memory, spared, outside)} union ${REMOVED(runId)}), same as materialized (${PURCHASE(runId)}), wanted as (
      select query, south, west, north, east, pages as "allPages", lacked, unknown,
        case when lacked > 0 then pages else least(pages, last_page) end as pages
      from (
        select query, south, west, north, east, pages, ids, id_pages,
          lacked - (lacked > 0 and exists (select from same where same.id = lacked_by))::integer as lacked
        from app.survey_tiles where survey_id = ${surveyId} and state <> 'outside' and ids <> '{}'
      ) as tile cross join lateral (
        select array_agg(one.id) as unknown, max(coalesce(tile.id_pages[one.at], tile.pages)) as last_page
        from unnest(tile.ids) with ordinality as one (id, at)
        where not exists (select from known where known.id = one.id)
      ) as sought
      where unknown is not null
    )
    select * from wanted order by lacked > 0, cardinality(unknown)::numeric / pages desc, query, south, west
  `.execute(db);
  return rows;
}

export type SurveyPrice = {
  found: number;
  unlisted: number;
  leaves: number;
  unplaced: number;
  /** How many of those found are known to come from open data. */
  fromOpen: number;
  paidPages: number;
  boundMicros: number;
};

/** Returns what a survey has found so far, and the most that a search after it costs. */
export async function priceSurvey(
  db: Db | Tx,
  memory: Memory,
  survey: SurveyedArea,
  spared: Spared,
): Promise<SurveyPrice> {
  const { id: surveyId } = survey;
  const outside = await readOutside(db, memory, survey);
  const leaves = await leavesWorth(db, memory, { surveyId, runId: null }, spared, outside);
  const paidPages = leaves.reduce((sum, { pages }) => sum + pages, 0);
  const { rows } = await sql<{ found: number; unlisted: number; leaves: number; placed: number; fromOpen: number }>`
    with dropped as materialized (${DROPPED(memory, outside)})
    select count(*)::integer as found, count(*) filter (where placed)::integer as placed,
      count(*) filter (where not exists (
        select from public.lists as list join public.leads as lead on lead.list_id = list.id
        where list.user_id = ${memory.userId} and list.sandbox = ${memory.sandbox} and lead.place_id = place.id
      ) and not exists (select from dropped where dropped.id = place.id))::integer as unlisted,
      count(*) filter (where place.id = any(${[...spared.openIds]}::text[]))::integer as "fromOpen",
      (select count(*)::integer from app.survey_tiles
        where survey_id = ${surveyId} and state in ('complete', 'saturated')) as leaves
    from (${foundPlaces(surveyId, outside)}) as place where not outside
  `.execute(db);
  const [{ placed, ...counted } = { found: 0, unlisted: 0, leaves: 0, placed: 0, fromOpen: 0 }] = rows;
  return {
    ...counted,
    unplaced: counted.found - placed,
    paidPages,
    boundMicros: paidPages * pageOperation.estimateMicros,
  };
}
