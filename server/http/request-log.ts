import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { Logger } from 'pino';
import type { HttpEnv } from './http-env.ts';
import { requestScope } from './request-scope.ts';

/** Ids that a proxy or a client may give: nothing that could break a log line or fill it. */
const ACCEPTED_ID = /^[\w.-]{8,64}$/;

/** What is asked every few seconds by whoever watches the process: a line of each would hide the others. */
const PROBES = new Set(['/healthz', '/readyz']);

/**
 * Gives each request an id, the one that came as X-Request-Id if it can be used, and answers it. Every line that is logged while the
 * request is worked on carries it; one more says how it went: no query, no body, no header.
 */
export function requestLog(log: Logger): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const given = c.req.header('X-Request-Id');
    const requestId = given && ACCEPTED_ID.test(given) ? given : randomUUID();
    const started = performance.now();
    c.set('requestId', requestId);
    c.set('log', log);
    await requestScope.run({ requestId }, async () => {
      await next();
      // Not c.header(): that rebuilds a finished answer around a stream, which costs more than all the rest here.
      c.res.headers.set('X-Request-Id', requestId);
      const level = c.res.ok && PROBES.has(c.req.path) ? 'debug' : 'info';
      log[level](
        { method: c.req.method, path: c.req.path, status: c.res.status, ms: Math.round(performance.now() - started) },
        'request',
      );
    });
  };
}
