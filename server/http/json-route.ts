import type { Hono } from 'hono';
import type { Endpoint } from '#contract/endpoint.ts';
import type { Deps } from '#server/deps.ts';
import { limitOf } from '#server/limits/api-limits.ts';
import type { Ctx } from './context.ts';
import type { HttpEnv } from './http-env.ts';
import { callOf, type Input } from './route.ts';

/**
 * As `route`, for an answer of thousands of rows that PostgreSQL has written as JSON: `handler` returns the text of `data`.
 * It is sent as it is, so the handler names each column that the contract names, and no other.
 */
export function jsonRoute<E extends Endpoint>(
  app: Hono<HttpEnv>,
  deps: Deps,
  endpoint: E,
  handler: (ctx: Ctx, input: Input<E>) => Promise<string>,
): void {
  app.on(endpoint.method, endpoint.path, async (c) => {
    const { ctx, input } = await callOf(deps, endpoint, c, limitOf(endpoint));
    const data = await handler(ctx, input);
    c.header('Cache-Control', 'no-store');
    return c.body(`{"success":true,"data":${data}}`, 200, { 'Content-Type': 'application/json' });
  });
}
