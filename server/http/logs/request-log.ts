import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { Logger } from 'pino';
import type { HttpEnv } from '#server/http/http-env.ts';
import { requestScope, scopeAround } from '#server/http/request-scope.ts';

/** Ids of a proxy or a client that are logged: nothing that could break a line or fill it. */
const LOGGED_ID = /^[\w.-]{8,64}$/;

/** What is asked every few seconds by anyone who watches the process: a line of each would hide the others. */
const PROBES = new Set(['/healthz', '/readyz']);

/**
 * Gives each request an id of our own and returns it as X-Request-Id. Every line logged for the request carries it.
 * - One line says how it went and who asked: no query, no body, no header.
 * - An X-Request-Id that came along is only logged, as `clientRequestId`: others choose it, so two requests may share it.
 * - A call from inside goes on under the id it has.
 */
export function requestLog(log: Logger): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const given = c.req.header('X-Request-Id');
    const scope = scopeAround(c.req.raw) ?? { requestId: randomUUID() };
    const started = performance.now();
    c.set('requestId', scope.requestId);
    c.set('log', log);
    await requestScope.run(scope, async () => {
      await next();
      // Not c.header(): that rebuilds a finished answer around a stream, which costs more than all the rest here.
      c.res.headers.set('X-Request-Id', scope.requestId);
      const level = c.res.ok && PROBES.has(c.req.path) ? 'debug' : 'info';
      const { method, path } = c.req;
      const clientRequestId = given && LOGGED_ID.test(given) ? { clientRequestId: given } : {};
      const ms = Math.round(performance.now() - started);
      log[level]({ method, path, status: c.res.status, ms, ...clientRequestId }, 'request');
    });
  };
}
