import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { z } from 'zod/mini';
import { type Endpoint, endpoint } from '#contract/endpoint.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { startProduct } from '#test/product.ts';
import { productRoutes } from './product-routes.ts';

/** Before a sign-in, in the place of one, and the way back from the CRM, whose cookie and state say who comes. */
const PUBLIC = [
  'POST /api/auth/precheck',
  'POST /api/session/carry-over',
  'GET /api/admin/keap/oauth/callback',
  'GET /api/stop',
  'POST /api/stop',
  'POST /api/stop/confirm',
];
/** How Hono lists what only surrounds a route. */
const MIDDLEWARE = 'ALL';

const product = await startProduct({ worker: false });
const app = new Hono<HttpEnv>();
productRoutes(app, product.deps);
const calls = app.routes
  .filter(({ method, path }) => method !== MIDDLEWARE && !PUBLIC.includes(`${method} ${path}`))
  .map(({ method, path }) =>
    endpoint({ ...({ method, path } as Pick<Endpoint, 'method' | 'path'>), data: z.unknown() }),
  );

test('no one gets anywhere without a session', async () => {
  expect(calls.length).toBe(app.routes.filter(({ method }) => method !== MIDDLEWARE).length - PUBLIC.length);
  for (const { method, path } of calls) {
    const { status } = await product.request(path, { method });
    expect(status, `${method} ${path}`).toBe(401);
  }
});

test('users get nowhere under /api/admin', async () => {
  const user = await product.user();
  const forAdmins = calls.filter(({ path }) => path.startsWith('/api/admin/'));
  expect(forAdmins.length).toBeGreaterThan(15);
  for (const call of forAdmins)
    await expect(user.call(call), `${call.method} ${call.path}`).rejects.toMatchObject({ status: 403 });
});
