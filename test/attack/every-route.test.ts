import { decodeJwt } from 'jose';
import { beforeAll, expect, test } from 'vitest';
import { addressOf } from '#contract/address.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { forgeries, signAsServer } from './harness/forgeries.ts';
import { type Input, inputsAbout } from './harness/inputs.ts';
import { type Account, type Owner, signIn, signInOwner } from './harness/people.ts';
import { contractEndpoints, type RouteName, routesBelow } from './harness/routes.ts';
import { rowHashes } from './harness/row-hashes.ts';
import { ADMIN, type Site, startSite } from './harness/site.ts';

/** Outside the contract: the way back from the CRM, whose answer is a redirect. */
const BESIDE_THE_CONTRACT = ['GET /api/admin/keap/oauth/callback'];
/** Product routes for people who are not signed in. Anyone who adds one decides so here. */
const PUBLIC = [
  ...['GET /api/admin/keap/oauth/callback', 'POST /api/auth/precheck'],
  // Who has a refresh token of before a move to hosted Supabase.
  'POST /api/session/carry-over',
  // Strangers suppress their own number or address, where an administrator has switched that on.
  ...['GET /api/stop', 'POST /api/stop', 'POST /api/stop/confirm'],
];
/** The same of the sign-in. */
const PUBLIC_AUTH = [
  ...['GET /auth/v1/.well-known/jwks.json', 'GET /auth/v1/health', 'GET /auth/v1/settings', 'GET /auth/v1/verify'],
  ...['POST /auth/v1/otp', 'POST /auth/v1/recover', 'POST /auth/v1/resend', 'POST /auth/v1/signup'],
  ...['POST /auth/v1/token', 'POST /auth/v1/verify', 'POST /auth/v1/sso'],
  ...['GET /auth/v1/authorize', 'GET /auth/v1/callback'],
];

/** Routes of storage that a signature or a public bucket opens. */
const SIGNED_OR_PUBLIC = /^(?:GET|PUT) \/storage\/v1\/object\/(?:sign|upload\/sign|public|info\/public)\//;
const storagePath = (path: string) => path.replace(':bucket', 'exports').replace(/:name.*$/, 'a/b/c.csv');
/** What each of its routes would accept. */
const storageInput = (userId: string) => ({
  name: 'made',
  public: true,
  expiresIn: 60,
  paths: ['a'],
  prefixes: [`${userId}/a`],
  prefix: userId,
  bucketId: 'exports',
  sourceKey: 'a',
  destinationKey: 'b',
});

let site: Site;
let alice: Owner;
let mallory: Account;
let disabled: Account;
let forged: Record<string, string | undefined>;
let endpoints: Map<RouteName, Endpoint>;
let productRoutes: RouteName[];
let authRoutes: RouteName[];

beforeAll(async () => {
  site = await startSite();
  alice = await signInOwner(site, 'alice@people.example');
  await signIn(site, ADMIN);
  for (const email of ['mallory@people.example', 'disabled@people.example']) await site.invite(email);
  mallory = await signIn(site, 'mallory@people.example');
  disabled = await signIn(site, 'disabled@people.example');
  await site.db
    .updateTable('app.profiles')
    .set({ status: 'disabled' })
    .where('user_id', '=', disabled.userId)
    .execute();
  forged = { ...(await forgeries(site, alice, mallory)), 'a disabled user': disabled.accessToken };
  endpoints = await contractEndpoints();
  productRoutes = routesBelow(site, '/api/');
  authRoutes = routesBelow(site, '/auth/v1/');
});

const inputOf = (route: RouteName): Input => inputsAbout(alice.listId, alice.email)[route] ?? {};

/** Calls a route as it would be called with that token. */
function tryRoute(route: RouteName, token: string | undefined) {
  const [method = '', path = ''] = route.split(' ');
  const input = inputOf(route);
  return site.call(method, addressOf(path, input.query), {
    token,
    body: method === 'GET' ? undefined : (input.body ?? {}),
  });
}

/** Does what may not work, and proves that nothing of anyone was changed by it. */
async function changingNothing(attack: () => Promise<void>): Promise<void> {
  const before = await rowHashes(site.db);
  await attack();
  expect(await rowHashes(site.db)).toEqual(before);
}

test('the app serves what the contract names, and nothing that is not listed here', () => {
  const named = [...endpoints.keys()].map((route) => route.replace(/ (all|open)$/, ''));
  expect(productRoutes).toEqual([...new Set(named), ...BESIDE_THE_CONTRACT].sort());
  expect(productRoutes.length).toBeGreaterThan(25);
  const open = [...endpoints].filter(([, { access }]) => access === 'public').map(([route]) => route);
  expect(PUBLIC).toEqual(expect.arrayContaining(open));
  const admin = productRoutes.filter((route) => route.includes(' /api/admin/') && !PUBLIC.includes(route));
  expect(admin.filter((route) => endpoints.get(route)?.access !== 'admin')).toEqual([]);
});

test('every endpoint that takes something is tried with something that it takes', () => {
  const inputs = inputsAbout(alice.listId, alice.email);
  for (const [route, { body, query }] of endpoints) {
    const input = inputs[route];
    if (body) expect(body.safeParse(input?.body).success, `${route} in inputs.ts`).toBe(true);
    if (query) expect(query.safeParse(input?.query).success, `${route} in inputs.ts`).toBe(true);
  }
  expect(Object.keys(inputs).filter((route) => !endpoints.has(route))).toEqual([]);
});

test('every product route refuses every token that is not one', () =>
  changingNothing(async () => {
    for (const route of productRoutes.filter((one) => !PUBLIC.includes(one)))
      for (const [what, token] of Object.entries(forged)) {
        const { status, text } = await tryRoute(route, token);
        const refusal = what === 'a disabled user' ? [403, 'FORBIDDEN'] : [401, 'UNAUTHENTICATED'];
        expect([status, JSON.parse(text).error], `${route} with ${what}`).toEqual(refusal);
      }
  }));

test('every sign-in route that needs someone refuses every token that is not one', () =>
  changingNothing(async () => {
    const closed = authRoutes.filter((route) => !PUBLIC_AUTH.includes(route));
    expect(closed).toEqual(expect.arrayContaining(['GET /auth/v1/user', 'POST /auth/v1/logout']));
    for (const route of closed)
      for (const [what, token] of Object.entries(forged)) {
        // A disabled person may still end sessions, which only takes away.
        if (what === 'a disabled user' && route === 'POST /auth/v1/logout') continue;
        const { status, text } = await tryRoute(route, token);
        expect([401, 403], `${route} with ${what}: ${text}`).toContain(status);
      }
  }));

test('every storage route that needs someone refuses every token that is not one', () =>
  changingNothing(async () => {
    const closed = routesBelow(site, '/storage/v1/').filter((route) => !SIGNED_OR_PUBLIC.test(route));
    expect(closed.length).toBeGreaterThan(15);
    for (const route of closed)
      for (const [what, token] of Object.entries(forged)) {
        const [method = '', path = ''] = route.split(' ');
        const body = method === 'GET' ? undefined : storageInput(alice.userId);
        const answer = await site.call(method, storagePath(path), { token, body });
        // Without a token one is no one in particular, who sees no buckets and no objects.
        const nothing =
          ['no token', 'the publishable key'].includes(what) &&
          /^(?:\[\]|\{"hasNext":false,"folders":\[\],"objects":\[\]\}|\[\{"error":"Either[^{}]*"signedURL":null\}\])$/.test(
            answer.text,
          );
        if (answer.status === 200) expect(nothing, `${route} with ${what}: ${answer.text}`).toBe(true);
        else expect(answer.status, `${route} with ${what}: ${answer.text}`).toBe(400);
      }
  }));

test('every table, by every verb, refuses every token that is not one', () =>
  changingNothing(async () => {
    const names = Object.keys(await rowHashes(site.db)).map((name) => name.split('.').at(-1));
    for (const table of names)
      for (const method of ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE']) {
        const reads = method === 'GET' || method === 'HEAD';
        const filter = method === 'PATCH' || method === 'DELETE' ? `?id=eq.${alice.listId}` : '';
        for (const [what, token] of Object.entries(forged)) {
          const { status, text } = await site.call(method, `/rest/v1/${table}${filter}`, {
            token,
            body: reads || method === 'DELETE' ? undefined : { id: alice.listId },
          });
          expect([401, 403, 404], `${method} ${table} with ${what}: ${text}`).toContain(status);
          if (method === 'GET') expect(JSON.parse(text)).toHaveProperty('code');
        }
      }
  }));

test('an ordinary user is no administrator, whatever the token says of roles', () =>
  changingNothing(async () => {
    const claims = decodeJwt(mallory.accessToken);
    const admin = { role: 'admin', roles: ['admin'], is_admin: true };
    const tokens = [
      mallory.accessToken,
      await signAsServer(site, { ...claims, user_metadata: admin }),
      await signAsServer(site, { ...claims, user_metadata: admin, app_metadata: admin, email: ADMIN }),
    ];
    for (const [route] of [...endpoints].filter(([, { access }]) => access === 'admin'))
      for (const token of tokens) {
        const { status, text } = await tryRoute(route, token);
        expect([status, JSON.parse(text).error], route).toEqual([403, 'FORBIDDEN']);
      }
  }));

test('a session that has not proven its second step opens nothing', async () => {
  const halfway = await signInInvited('halfway@people.example');
  const factor = { user_id: halfway.userId, factor_type: 'totp', status: 'verified', sealed_secret: 'v1' };
  await site.db.insertInto('auth.mfa_factors').values(factor).execute();
  await changingNothing(async () => {
    for (const route of productRoutes.filter((one) => !PUBLIC.includes(one))) {
      const { status, text } = await tryRoute(route, halfway.accessToken);
      expect([status, JSON.parse(text).error], route).toEqual([403, 'SECOND_STEP_REQUIRED']);
    }
    for (const table of ['lists', 'leads'])
      expect((await site.call('GET', `/rest/v1/${table}`, { token: halfway.accessToken })).status).toBe(403);
  });
});

async function signInInvited(email: string): Promise<Account> {
  await site.invite(email);
  return signIn(site, email);
}

test('what is not there, or not by that method, is told in JSON', async () => {
  for (const route of productRoutes)
    for (const method of ['PATCH', 'OPTIONS', 'PURGE']) {
      const answer = await site.call(method, route.split(' ')[1] ?? '', { token: alice.accessToken });
      expect([404, 405], `${method} ${route}`).toContain(answer.status);
      expect(answer.headers.get('content-type')).toContain('application/json');
    }
});
