import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { Logger } from 'pino';
import type { HttpEnv } from './http-env.ts';

/** Gives each request an id, answers it as X-Request-Id, and logs one line: no query, no body, no header. */
export function requestLog(log: Logger): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const requestId = randomUUID();
    const started = performance.now();
    c.set('requestId', requestId);
    c.set('log', log.child({ requestId }));
    await next();
    // Not c.header(): that rebuilds a finished answer around a stream, which costs more than all the rest here.
    c.res.headers.set('X-Request-Id', requestId);
    c.get('log').info(
      { method: c.req.method, path: c.req.path, status: c.res.status, ms: Math.round(performance.now() - started) },
      'request',
    );
  };
}
