import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Hono } from 'hono';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Connection, connect } from '#db/connection/client.ts';
import { createVault } from '#db/sealed/vault.ts';
import { createGate } from '#server/access/gate.ts';
import { readEnv } from '#server/config/env.ts';
import type { CrmVerdict } from '#server/crm/crm-access.ts';
import type { Deps } from '#server/deps.ts';
import { answerError } from '#server/http/error-handler.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { requestLog } from '#server/http/logs/request-log.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { BEFORE_USER_CREATED_PATH, CUSTOM_ACCESS_TOKEN_PATH } from './events.ts';
import { hooksRoutes } from './routes.ts';

const KEY = Buffer.alloc(32, 1);
const OLD_KEY = Buffer.alloc(32, 2);
const vault = createVault([KEY.toString('base64')]);
const secretOf = (key: Buffer) => `v1,whsec_${key.toString('base64')}`;

let connection: Connection;
/** What the CRM says, and how often it was asked. */
let crm: { verdict: CrmVerdict | undefined; delayMs: number; asked: number };
beforeAll(async () => {
  connection = connect(await freshDatabase());
});
afterAll(() => connection.db.destroy());
beforeEach(async () => {
  for (const table of ['app.hook_deliveries', 'app.invitations', 'auth.users'] as const)
    await connection.db.deleteFrom(table).execute();
  crm = { verdict: undefined, delayMs: 0, asked: 0 };
});

function appWith(secrets: string | undefined, options?: { deadlineMs: number }) {
  const log = pino({ level: 'silent' });
  const app = new Hono<HttpEnv>();
  app.onError(answerError);
  app.use(requestLog(log));
  const gate = createGate({
    db: connection.db,
    adminEmails: ['boss@people.example'],
    strangersMayCome: true,
    crm: {
      async decide() {
        crm.asked += 1;
        const { verdict, delayMs } = crm;
        await pause(delayMs);
        return verdict;
      },
    },
  });
  const env = readEnv(secrets === undefined ? {} : { SUPABASE_HOOK_SECRET: secrets });
  // These routes use nothing else of what verbs get.
  hooksRoutes(app, { db: connection.db, vault, env, gate, log } as unknown as Deps, options);
  return app;
}

type Delivery = { id?: string; key?: Buffer; ageMs?: number; app?: ReturnType<typeof appWith> };
async function deliver(path: string, event: unknown, { id = randomUUID(), key = KEY, ageMs = 0, app }: Delivery = {}) {
  const body = JSON.stringify(event);
  const seconds = Math.floor((Date.now() - ageMs) / 1000);
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  const response = await (app ?? appWith(secretOf(KEY))).request(path, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': `v1,${signature}`,
    },
  });
  return { status: response.status, type: response.headers.get('content-type'), body: await response.json() };
}

const creation = <User extends Record<string, unknown>>(user: User) => ({
  metadata: { uuid: randomUUID(), time: new Date(), name: 'before-user-created', ip_address: '192.0.2.1' },
  user: { id: randomUUID(), aud: 'authenticated', role: '', phone: '', is_anonymous: false, ...user },
});
const askCreation = (email: string, delivery?: Delivery) =>
  deliver(BEFORE_USER_CREATED_PATH, creation({ email }), delivery);

const claimsOf = (userId: string, email: string) => ({
  iss: 'https://project.supabase.example/auth/v1',
  aud: 'authenticated',
  sub: userId,
  email,
  phone: '',
  exp: 1_900_003_600,
  iat: 1_900_000_000,
  role: 'authenticated',
  aal: 'aal1',
  session_id: randomUUID(),
  is_anonymous: false,
  app_metadata: { provider: 'email', role: 'user' },
  user_metadata: { role: 'admin' },
  amr: [{ method: 'otp', timestamp: 1_900_000_000 }],
});
const tokenEvent = (user: { id: string; email: string }, method = 'token_refresh') => ({
  user_id: user.id,
  claims: claimsOf(user.id, user.email),
  authentication_method: method,
});
const askToken = (user: { id: string; email: string }, method?: string, delivery?: Delivery) =>
  deliver(CUSTOM_ACCESS_TOKEN_PATH, tokenEvent(user, method), delivery);

async function personOf(email: string, profile: { role?: string; status?: string; crm_granted_at?: Date } = {}) {
  const { id } = await connection.db
    .insertInto('auth.users')
    .values({ email })
    .returning('id')
    .executeTakeFirstOrThrow();
  await connection.db
    .insertInto('app.profiles')
    .values({ user_id: id, email, ...profile })
    .execute();
  return { id, email };
}
const refusal = (message: string) => ({
  status: 200,
  type: 'application/json',
  body: { error: { http_code: 403, message } },
});
const NO_ACCESS = refusal('Access denied. This email does not have the required access.');
const KEAP_ERROR = refusal('Unable to verify access right now. Please try again or contact support.');
const DISABLED = refusal('Access denied. Please contact support if you believe this is an error.');

describe('who may ask', () => {
  test.each([BEFORE_USER_CREATED_PATH, CUSTOM_ACCESS_TOKEN_PATH])('without a secret there is no %s', async (path) => {
    expect((await appWith(undefined).request(path, { method: 'POST' })).status).toBe(404);
  });

  test.each([
    ['nothing signed', {}],
    ['another secret', { key: Buffer.alloc(32, 3) }],
    ['an old time', { ageMs: 6 * 60_000 }],
    ['a time to come', { ageMs: -6 * 60_000 }],
  ] as const)('%s is refused before anyone is looked at', async (name, delivery) => {
    const answer =
      name === 'nothing signed'
        ? await appWith(secretOf(KEY)).request(BEFORE_USER_CREATED_PATH, { method: 'POST', body: '{}' })
        : await askCreation('boss@people.example', delivery);
    expect(answer.status).toBe(401);
    expect(crm.asked).toBe(0);
    expect(await connection.db.selectFrom('app.hook_deliveries').selectAll().execute()).toEqual([]);
  });

  test.each([
    ['commas', `${secretOf(KEY)},${secretOf(OLD_KEY)}`],
    ['spaces', `${secretOf(KEY)} ${secretOf(OLD_KEY)}`],
    ['both', `${secretOf(KEY)}, ${secretOf(OLD_KEY)}`],
    ['bars', `${secretOf(KEY)}|${secretOf(OLD_KEY)}`],
  ])('several secrets, parted by %s, are good at the same time', async (_, secrets) => {
    for (const key of [KEY, OLD_KEY])
      expect((await askCreation('boss@people.example', { key, app: appWith(secrets) })).body).toEqual({});
  });

  test.each([
    [BEFORE_USER_CREATED_PATH, {}],
    [BEFORE_USER_CREATED_PATH, null],
    [BEFORE_USER_CREATED_PATH, { ...creation({ email: 'boss@people.example' }), metadata: { name: 'send-email' } }],
    [CUSTOM_ACCESS_TOKEN_PATH, creation({ email: 'boss@people.example' })],
    [CUSTOM_ACCESS_TOKEN_PATH, { ...tokenEvent({ id: randomUUID(), email: 'a@b.example' }), user_id: randomUUID() }],
    [CUSTOM_ACCESS_TOKEN_PATH, { ...tokenEvent({ id: randomUUID(), email: 'a@b.example' }), claims: [] }],
    [CUSTOM_ACCESS_TOKEN_PATH, JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`)],
  ])('%s: %j is no event of it', async (path, event) => {
    expect(await deliver(path, event)).toMatchObject({ status: 400, body: { success: false, error: 'BAD_REQUEST' } });
  });
});

describe('before-user-created', () => {
  test('allows the invited and the administrators with an empty object', async () => {
    const open = { email: 'new@people.example', expires_at: new Date(Date.now() + 60_000) };
    await connection.db.insertInto('app.invitations').values(open).execute();
    for (const email of ['New@people.example', 'boss@people.example'])
      expect(await askCreation(email)).toEqual({ status: 200, type: 'application/json', body: {} });
  });

  test('refuses strangers in the words of the login page, and anyone who has no address', async () => {
    expect(await askCreation('stranger@people.example')).toEqual(NO_ACCESS);
    for (const user of [{ email: '' }, { email: null }, {}, { email: 'boss@people.example', is_anonymous: true }])
      expect(await deliver(BEFORE_USER_CREATED_PATH, creation(user))).toEqual(NO_ACCESS);
    // K here is the Kelvin sign, which becomes a k in lower case.
    expect(await askCreation('\u212Aate@people.example')).toEqual(NO_ACCESS);
  });

  test.each([
    ['granted', { status: 200, type: 'application/json', body: {} }],
    ['NO_CONTACT', NO_ACCESS],
    ['MISSING_TAG', NO_ACCESS],
    ['KEAP_ERROR', KEAP_ERROR],
  ] as const)('a CRM that says %s', async (verdict, answer) => {
    crm.verdict = verdict;
    expect(await askCreation('someone@people.example')).toEqual(answer);
  });
});

describe('custom-access-token', () => {
  test.each(['token_refresh', 'otp'])('answers the claims as they came (%s)', async (method) => {
    const ann = await personOf('ann@people.example');
    const event = tokenEvent(ann, method);
    expect(await deliver(CUSTOM_ACCESS_TOKEN_PATH, event)).toEqual({
      status: 200,
      type: 'application/json',
      body: { claims: event.claims },
    });
  });

  test('refuses the disabled, also under another address', async () => {
    const dan = await personOf('dan@people.example', { status: 'disabled' });
    for (const email of [dan.email, 'boss@people.example'])
      for (const method of ['token_refresh', 'magiclink'])
        expect(await askToken({ ...dan, email }, method)).toEqual(DISABLED);
  });

  test('refuses anyone who comes by a password, at once and at each refresh, be they known or not', async () => {
    const boss = await personOf('boss@people.example', { role: 'admin' });
    expect(await askToken(boss, 'password')).toEqual(NO_ACCESS);
    const { claims, ...event } = tokenEvent(boss);
    const began = (amr: unknown) => deliver(CUSTOM_ACCESS_TOKEN_PATH, { ...event, claims: { ...claims, amr } });
    expect(await began([{ method: 'totp' }, { method: 'password' }])).toEqual(NO_ACCESS);
    expect(await began(['password'])).toEqual(NO_ACCESS);
    expect((await began([{ method: 'otp' }])).body).toHaveProperty('claims');
  });

  test('refuses strangers and the anonymous', async () => {
    expect(await askToken({ id: randomUUID(), email: 'stranger@people.example' })).toEqual(NO_ACCESS);
    expect(await askToken({ id: randomUUID(), email: '' })).toEqual(NO_ACCESS);
    const event = tokenEvent({ id: randomUUID(), email: 'boss@people.example' });
    const anonymous = { ...event, claims: { ...event.claims, is_anonymous: true } };
    expect(await deliver(CUSTOM_ACCESS_TOKEN_PATH, anonymous)).toEqual(NO_ACCESS);
  });

  test('a lost tag ends it at the next refresh', async () => {
    const ann = await personOf('ann@people.example', { crm_granted_at: new Date() });
    crm.verdict = 'MISSING_TAG';
    expect(await askToken(ann)).toEqual(NO_ACCESS);
  });

  test('while the CRM cannot be asked, sessions go on for the time of grace and no one signs in', async () => {
    crm.verdict = 'KEAP_ERROR';
    const ann = await personOf('ann@people.example', { crm_granted_at: new Date(Date.now() - 3_600_000) });
    const late = await personOf('late@people.example', { crm_granted_at: new Date(Date.now() - 25 * 3_600_000) });
    expect(await askToken(ann)).toMatchObject({ body: { claims: { sub: ann.id } } });
    expect(await askToken(ann, 'otp')).toEqual(KEAP_ERROR);
    expect(await askToken(late)).toEqual(KEAP_ERROR);
    const boss = await personOf('boss@people.example');
    expect(await askToken(boss, 'otp')).toMatchObject({ body: { claims: { sub: boss.id } } });
  });
});

describe('the deadline', () => {
  test('is kept: a gate that is too slow counts as KEAP_ERROR, now and when the same comes again', async () => {
    crm = { verdict: 'granted', delayMs: 400, asked: 0 };
    const app = appWith(secretOf(KEY), { deadlineMs: 100 });
    const event = creation({ email: 'slow@people.example' });
    const started = performance.now();
    expect(await deliver(BEFORE_USER_CREATED_PATH, event, { id: 'slow', app })).toEqual(KEAP_ERROR);
    expect(performance.now() - started).toBeLessThan(390);
    await pause(500);
    crm.delayMs = 0;
    expect(await deliver(BEFORE_USER_CREATED_PATH, event, { id: 'slow', app })).toEqual(KEAP_ERROR);
    expect(crm.asked).toBe(1);
  });
});

describe('a delivery that comes again', () => {
  const event = creation({ email: 'ann@people.example' });
  const again = () => deliver(BEFORE_USER_CREATED_PATH, event, { id: 'one' });

  test('gets the same answer, and no one is asked twice', async () => {
    crm.verdict = 'granted';
    expect((await again()).body).toEqual({});
    crm.verdict = 'MISSING_TAG';
    expect((await again()).body).toEqual({});
    expect(crm.asked).toBe(1);
    expect(await deliver(BEFORE_USER_CREATED_PATH, event)).toEqual(NO_ACCESS);
  });

  test('twice at once gets one answer', async () => {
    crm = { verdict: 'granted', delayMs: 50, asked: 0 };
    const first = again();
    await vi.waitFor(() => expect(crm.asked).toBe(1), { interval: 5, timeout: 15_000 });
    // The second is decided well after the first has been written.
    Object.assign(crm, { verdict: 'MISSING_TAG', delayMs: 500 });
    const answers = await Promise.all([first, again()]);
    expect(answers.map(({ body }) => body)).toEqual([{}, {}]);
    expect(crm.asked).toBe(2);
  });

  test('leaves one line in the audit log, with the address of the person', async () => {
    await connection.db.deleteFrom('app.rate_limits').execute();
    const unknown = creation({ email: `Eve-${randomUUID()}@people.example` });
    for (const id of ['one', 'one', 'two']) await deliver(BEFORE_USER_CREATED_PATH, unknown, { id });
    const lines = await connection.db
      .selectFrom('app.audit_log')
      .select(['action', 'ip', 'details'])
      .where('target', '=', unknown.user.email.toLowerCase())
      .execute();
    expect(lines).toEqual([
      { action: 'access.refused', ip: '192.0.2.1', details: { reason: 'NO_CONTACT', at: 'link' } },
    ]);
  });

  test('is refused with another body, and for another hook', async () => {
    const ann = await personOf('ann@people.example');
    expect((await again()).status).toBe(200);
    const other = creation({ email: 'boss@people.example' });
    expect(await deliver(BEFORE_USER_CREATED_PATH, other, { id: 'one' })).toMatchObject({ status: 409 });
    const both = { ...event, ...tokenEvent(ann) };
    expect((await deliver(BEFORE_USER_CREATED_PATH, both, { id: 'two' })).status).toBe(200);
    expect(await deliver(CUSTOM_ACCESS_TOKEN_PATH, both, { id: 'two' })).toMatchObject({ status: 409 });
  });

  test('is forgotten once it cannot come again', async () => {
    await again();
    await connection.db
      .updateTable('app.hook_deliveries')
      .set({ received_at: new Date(Date.now() - 16 * 60_000) })
      .execute();
    await askCreation('boss@people.example', { id: 'later' });
    const kept = await connection.db.selectFrom('app.hook_deliveries').selectAll().execute();
    expect(kept.map(({ webhook_id }) => webhook_id)).toEqual(['later']);
    expect(JSON.stringify(kept)).not.toContain('@');
  });
});
