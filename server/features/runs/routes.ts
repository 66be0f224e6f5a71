import type { Hono } from 'hono';
import { listCallsEndpoint, settleCallsEndpoint } from '#contract/money/paid-calls.ts';
import { cancelRunEndpoint, getRunEndpoint, listRunsEndpoint } from '#contract/work/runs.ts';
import type { Deps } from '#server/deps.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { route } from '#server/http/route.ts';
import { cancelRun } from './cancel-run.ts';
import { getRun } from './get-run.ts';
import { listCalls } from './list-calls.ts';
import { listRuns } from './list-runs.ts';
import { settleByHand } from './settle-by-hand.ts';

export function runsRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  route(app, deps, listRunsEndpoint, (ctx, { query }) => listRuns(ctx, query));
  route(app, deps, getRunEndpoint, (ctx, { query }) => getRun(ctx, query));
  route(app, deps, listCallsEndpoint, (ctx, { query }) => listCalls(ctx, query));
  route(app, deps, cancelRunEndpoint, (ctx, { query }) => cancelRun(ctx, query));
  route(app, deps, settleCallsEndpoint, (ctx, { body }) => settleByHand(ctx, body));
}
