import type { Hono } from 'hono';
import { listMetersEndpoint, readMeterEndpoint } from '#contract/money/meters.ts';
import { exportUsageEndpoint, getUsageEndpoint, listUsageRunsEndpoint } from '#contract/money/usage.ts';
import type { Deps } from '#server/deps.ts';
import { download } from '#server/http/download.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { route } from '#server/http/route.ts';
import { exportUsage } from './export-usage.ts';
import { getUsage } from './get-usage.ts';
import { listMeters } from './list-meters.ts';
import { listUsageRuns } from './list-usage-runs.ts';
import { readMeter } from './read-meter.ts';

export function usageRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  route(app, deps, getUsageEndpoint, (ctx, { query }) => getUsage(ctx, query));
  route(app, deps, listUsageRunsEndpoint, (ctx, { query }) => listUsageRuns(ctx, query));
  route(app, deps, listMetersEndpoint, (ctx) => listMeters(ctx));
  route(app, deps, readMeterEndpoint, (ctx, { body }) => readMeter(ctx, body));
  download(app, deps, exportUsageEndpoint, (ctx, { query }) => exportUsage(ctx, query));
}
