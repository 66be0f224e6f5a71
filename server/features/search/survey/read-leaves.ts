import { sql } from 'kysely';
import type { DataOf } from '#contract/endpoint.ts';
import { LEAF_STATES, type leavesEndpoint } from '#contract/work/search/coverage.ts';
import type { AreaSearchRequest } from '#contract/work/search/surveys.ts';
import { openApiKey } from '#server/api-keys/api-key.ts';
import { locateArea } from '#server/features/search/area/locate-area.ts';
import type { Ctx } from '#server/http/context.ts';
import { findSurvey } from './open-survey.ts';

type Leaves = DataOf<typeof leavesEndpoint>;

const NONE: Leaves = { queries: [], leaves: [] };

/**
 * Reads the leaves of the caller's survey of an area.
 * @throws VALIDATION_FAILED when the area is not valid.
 * @throws UNKNOWN_PLACE
 */
export async function readLeaves({ deps, user: { userId } }: Ctx, request: AreaSearchRequest): Promise<Leaves> {
  const { db } = deps;
  const key = await openApiKey(deps, userId, 'google_places');
  if (!key) return NONE;
  const memory = { userId, sandbox: key.sandbox };
  const located = await locateArea(db, memory, request);
  const survey = 'spec' in located ? await findSurvey(db, memory, located.spec, request) : undefined;
  if (!survey) return NONE;
  const { rows } = await sql<Leaves['leaves'][number]>`
    select query, south, west, north, east, state, cardinality(ids) as places from app.survey_tiles
    where survey_id = ${survey.id} and state = any(${[...LEAF_STATES]})
  `.execute(db);
  return { queries: survey.queries, leaves: rows };
}
