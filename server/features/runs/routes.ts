import type { Hono } from 'hono';
import { listCalls, settleCalls } from '#contract/money/paid-calls.ts';
import { cancelRun, getRun, listRuns } from '#contract/work/runs.ts';
import type { Deps } from '#server/deps.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { route } from '#server/http/route.ts';
import { cancelRun as cancel } from './cancel-run.ts';
import { getRun as get } from './get-run.ts';
import { listCalls as calls } from './list-calls.ts';
import { listRuns as list } from './list-runs.ts';
import { settleByHand } from './settle-by-hand.ts';

export function runsRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  route(app, deps, listRuns, (ctx, { query }) => list(ctx, query));
  route(app, deps, getRun, (ctx, { query }) => get(ctx, query));
  route(app, deps, listCalls, (ctx, { query }) => calls(ctx, query));
  route(app, deps, cancelRun, (ctx, { query }) => cancel(ctx, query));
  route(app, deps, settleCalls, (ctx, { body }) => settleByHand(ctx, body));
}
