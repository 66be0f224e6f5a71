import type { Hono } from 'hono';
import { liveChanges } from '#contract/live.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/http/app-error.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { callOf } from '#server/http/route.ts';
import { limitOf } from '#server/limits/api-limits.ts';

export function liveRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  app.get(liveChanges.path, async (c) => {
    const { ctx } = await callOf(deps, liveChanges, c, limitOf(liveChanges));
    // A HEAD would leave a stream that nobody reads.
    if (c.req.method !== 'GET') throw new AppError('METHOD_NOT_ALLOWED', 'This is only answered to GET.');
    const body = await deps.live.open(ctx.user, ctx.signal);
    c.header('Content-Type', 'text/event-stream; charset=utf-8');
    // Proxies that compress or buffer would hold messages back.
    c.header('Cache-Control', 'no-store, no-transform');
    c.header('X-Accel-Buffering', 'no');
    return c.body(body);
  });
}
