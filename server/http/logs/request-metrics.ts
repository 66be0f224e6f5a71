import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { HttpEnv } from '#server/http/http-env.ts';
import type { Metrics } from '#server/metrics/metrics.ts';

/** Measures each request under the pattern of the route that answered it. Patterns only: addresses hold ids. */
export function requestMetrics(metrics: Metrics): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const started = performance.now();
    await next();
    metrics.requestEnded(c.req.method, routePath(c), c.res.status, (performance.now() - started) / 1000);
  };
}
