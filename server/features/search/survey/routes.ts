import type { Hono } from 'hono';
import { countiesEndpoint } from '#contract/work/search/areas.ts';
import {
  coverageEndpoint,
  googleCountEndpoint,
  leavesEndpoint,
  outlineEndpoint,
} from '#contract/work/search/coverage.ts';
import { countedAreasEndpoint, stopSurveyEndpoint } from '#contract/work/search/surveys.ts';
import type { Deps } from '#server/deps.ts';
import { listCounted } from '#server/features/search/area/list-counted.ts';
import { listCounties } from '#server/features/search/area/list-counties.ts';
import { outlineArea } from '#server/features/search/area/outline-area.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { route } from '#server/http/route.ts';
import { askGoogleCount } from './certificate/ask-google-count.ts';
import { readCoverage } from './certificate/read-coverage.ts';
import { readLeaves } from './read-leaves.ts';
import { stopSurvey } from './stop-survey.ts';

/** Counting shares its address with the count of a search: see the routes of that. */
export function surveyRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  route(app, deps, stopSurveyEndpoint, (ctx, { body }) => stopSurvey(ctx, body));
  route(app, deps, googleCountEndpoint, askGoogleCount);
  route(app, deps, countiesEndpoint, listCounties);
  route(app, deps, countedAreasEndpoint, listCounted);
  route(app, deps, outlineEndpoint, (ctx, { body }) => outlineArea(ctx, body));
  route(app, deps, leavesEndpoint, (ctx, { body }) => readLeaves(ctx, body));
  route(app, deps, coverageEndpoint, (ctx, { query }) => readCoverage(ctx, query));
}
