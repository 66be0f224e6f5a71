import type { Hono } from 'hono';
import { exportUsage, getUsage, listUsageRuns } from '#contract/usage.ts';
import type { Deps } from '#server/deps.ts';
import { download } from '#server/http/download.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { route } from '#server/http/route.ts';
import { exportUsage as take } from './export-usage.ts';
import { getUsage as get } from './get-usage.ts';
import { listUsageRuns as runs } from './list-usage-runs.ts';

export function usageRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  route(app, deps, getUsage, (ctx, { query }) => get(ctx, query));
  route(app, deps, listUsageRuns, (ctx, { query }) => runs(ctx, query));
  download(app, deps, exportUsage, (ctx, { query }) => take(ctx, query));
}
