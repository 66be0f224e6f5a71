import { Hono } from 'hono';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Connection, connect } from '#db/connection/client.ts';
import { createVault } from '#db/sealed/vault.ts';
import { createGate } from '#server/access/gate.ts';
import type { Deps } from '#server/deps.ts';
import { answerError } from '#server/http/error-handler.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { requestLog } from '#server/http/logs/request-log.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { holdWindows } from '#test/databases/hold-windows.ts';
import { PRECHECK_LIMITS } from './precheck-access.ts';
import { accessRoutes } from './routes.ts';

let connection: Connection;
let app: Hono<HttpEnv>;
let ip = '192.0.2.1';

beforeAll(async () => {
  const url = await freshDatabase();
  await holdWindows(url);
  connection = connect(url);
  const log = pino({ level: 'silent' });
  app = new Hono<HttpEnv>();
  app.onError(answerError);
  app.use(requestLog(log));
  // This route uses nothing else of what verbs get.
  const deps = {
    db: connection.db,
    vault: createVault([Buffer.alloc(32, 1).toString('base64')]),
    gate: createGate({ db: connection.db, adminEmails: ['boss@people.example'], strangersMayCome: false }),
    log,
    clientIp: () => ip,
  } as unknown as Deps;
  accessRoutes(app, deps);
});
afterAll(() => connection.db.destroy());
beforeEach(() => connection.db.deleteFrom('app.rate_limits').execute());

const ask = (body: unknown) =>
  app.request('/api/auth/precheck', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

test('answers allow and reason', async () => {
  expect(await (await ask({ email: ' Boss@people.example ' })).json()).toEqual({
    success: true,
    data: { allow: true, reason: null },
  });
  expect(await (await ask({ email: 'stranger@people.example' })).json()).toEqual({
    success: true,
    data: { allow: false, reason: 'NO_CONTACT' },
  });
});

test.each([{}, { email: '' }, { email: 'nobody' }, { email: 'a@b.example\r\nBcc: x@y.example' }, { email: 7 }])(
  'refuses %j',
  async (body) => {
    expect((await ask(body)).status).toBe(422);
  },
);

test('refuses too many questions about one address from one network, and says when to come back; others may ask', async () => {
  for (let n = 0; n < PRECHECK_LIMITS.perAddress.hits; n += 1) {
    ip = `2001:db8:1:2::${n}`;
    expect((await ask({ email: 'boss@people.example' })).status).toBe(200);
  }
  const refused = await ask({ email: 'BOSS@people.example' });
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({ success: false, error: 'RATE_LIMITED' });
  expect((await ask({ email: 'other@people.example' })).status).toBe(200);
  ip = '2001:db8:1:3::1';
  expect((await ask({ email: 'boss@people.example' })).status).toBe(200);
});

test('refuses too many questions from one place, whatever it asks, and keeps no address', async () => {
  ip = '192.0.2.200';
  for (let n = 0; n < PRECHECK_LIMITS.perIp.hits; n += 1) await ask({ email: `p${n}@people.example` });
  expect((await ask({ email: 'one-more@people.example' })).status).toBe(429);
  const buckets = await connection.db.selectFrom('app.rate_limits').select('bucket').execute();
  expect(JSON.stringify(buckets)).not.toMatch(/@|192\.0\.2/);
});
