import type { Hono } from 'hono';
import { listMeters, readMeter } from '#contract/money/meters.ts';
import { exportUsage, getUsage, listUsageRuns } from '#contract/money/usage.ts';
import { whileAsked } from '#db/cancel/while-asked.ts';
import type { Deps } from '#server/deps.ts';
import { download } from '#server/http/download.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { route } from '#server/http/route.ts';
import { exportUsage as take } from './export-usage.ts';
import { getUsage as get } from './get-usage.ts';
import { listMeters as meters } from './list-meters.ts';
import { listUsageRuns as runs } from './list-usage-runs.ts';
import { readMeter as read } from './read-meter.ts';

export function usageRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  route(app, deps, getUsage, (ctx, { query }) => whileAsked(ctx.signal, () => get(ctx, query)));
  route(app, deps, listUsageRuns, (ctx, { query }) => whileAsked(ctx.signal, () => runs(ctx, query)));
  route(app, deps, listMeters, (ctx) => meters(ctx));
  route(app, deps, readMeter, (ctx, { body }) => read(ctx, body));
  download(app, deps, exportUsage, (ctx, { query }) => take(ctx, query));
}
