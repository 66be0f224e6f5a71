import type { Hono } from 'hono';
import { listRuns } from '#contract/runs.ts';
import type { Deps } from '#server/deps.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { route } from '#server/http/route.ts';
import { listRuns as list } from './list-runs.ts';

export function runsRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  route(app, deps, listRuns, (ctx, { query }) => list(ctx, query));
}
