import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { buildListOf } from '#test/lists.ts';
import { hostileText, hostileValue, INSIDES } from './harness/hostile.ts';
import { type Input, inputsAbout } from './harness/inputs.ts';
import { type Account, type Owner, signIn, signInOwner } from './harness/people.ts';
import { contractEndpoints } from './harness/routes.ts';
import { rowHashes } from './harness/row-hashes.ts';
import { ADMIN, type Answer, type Call, type Site, startSite } from './harness/site.ts';

/** Cases for each of the three APIs. */
const CASES = 2_500;
/** Where Alice keeps what no one else may reach. */
const HERS = ['public.lists', 'public.leads', 'app.provider_keys', 'app.runs', 'app.paid_calls'] as const;

let site: Site;
let alice: Owner;
let admin: Account;
let mallory: Account;
let ownListId: string;

beforeAll(async () => {
  site = await startSite();
  alice = await signInOwner(site, 'alice@people.example');
  admin = await signIn(site, ADMIN);
  await site.invite('mallory@people.example');
  mallory = await signIn(site, 'mallory@people.example');
  ownListId = await buildListOf(site.db, mallory.userId, [{}, {}]);
});

async function hers() {
  const hashes = await rowHashes(site.db, [admin.userId, mallory.userId, ownListId]);
  return HERS.map((table) => hashes[table]);
}

type Attack = { method: string; path: string; query: [string, string][] } & Call;

/** Sends every case. Nothing breaks, nothing of the inside is told, and Alice still has what she had. */
async function attack(cases: fc.Arbitrary<Attack>, insides: RegExp): Promise<Set<number>> {
  const before = await hers();
  const statuses = new Set<number>();
  let sent = 0;
  const send = async ({ method, path, query, ...call }: Attack): Promise<Answer> => {
    // What is refused for being too fast proves nothing.
    if (sent % 25 === 0) await sql`delete from app.rate_limits`.execute(site.db);
    sent += 1;
    const address = query.reduce((to, [name, value]) => to.replace(`:${name}`, () => inPath(value)), path);
    return site.call(method, `${address}?${new URLSearchParams(query)}`, call);
  };
  await fc.assert(
    fc.asyncProperty(cases, async (one) => {
      const answer = await send(one);
      statuses.add(answer.status);
      expect(answer.status, answer.text).toBeLessThan(500);
      const inner = answer.status >= 400 ? (answer.text.match(insides) ?? []) : [];
      const secrets = alice.kept.filter((secret) => answer.text.includes(secret));
      // A message may repeat what was sent: only what the server added tells of its inside.
      const sent = [answer.sent, ...one.query.flat()].join(' ');
      expect(
        [...inner, ...secrets].filter((part) => !sent.includes(part)),
        answer.text,
      ).toEqual([]);
    }),
    { numRuns: CASES },
  );
  expect(await hers()).toEqual(before);
  return statuses;
}

const inPath = (value: string) => encodeURIComponent(value.toWellFormed());

/** Some of the usual values, at least one, in exchange for hostile ones. */
const spoilt = <T>(usual: Record<string, T>, hostile: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> =>
  fc
    .tuple(
      fc.subarray(Object.keys(usual), { minLength: Math.min(1, Object.keys(usual).length) }),
      fc.array(hostile, { minLength: 6, maxLength: 6 }),
    )
    .map(([chosen, values]) => ({
      ...usual,
      ...Object.fromEntries(chosen.map((name, index) => [name, values[index % values.length] as T])),
    }));

const stray = fc.array(fc.tuple(hostileText, hostileText), { maxLength: 2 });

const callOf = (method: string, path: string, input: Input, token?: string): fc.Arbitrary<Attack> =>
  fc
    .tuple(spoilt<unknown>(input.body ?? {}, hostileValue), spoilt(input.query ?? {}, hostileText), stray)
    .map(([body, query, more]) => ({
      method,
      path,
      token,
      query: [...more, ...Object.entries(query)],
      ...(input.body ? { body } : {}),
    }));

test('product API: every parameter of every endpoint', async () => {
  const inputs = inputsAbout(ownListId, mallory.email);
  const cases = [...(await contractEndpoints())].map(([route, { method, path, access }]) =>
    callOf(method, path, inputs[route] ?? {}, access === 'admin' ? admin.accessToken : mallory.accessToken),
  );
  const callback = callOf('GET', '/api/admin/keap/oauth/callback', { query: { state: 'x', code: 'y', error: 'z' } });
  const statuses = await attack(fc.oneof(callback, ...cases), INSIDES);
  expect([...statuses]).toEqual(expect.arrayContaining([200, 303, 404, 422]));
}, 180_000);

test('sign-in: every parameter of every call', async () => {
  await site.invite('leaver@people.example');
  const leaver = await signIn(site, 'leaver@people.example');
  const email = mallory.email;
  const pkce = { code_challenge: 'x'.repeat(43), code_challenge_method: 's256' };
  const cases = [
    callOf('POST', '/auth/v1/otp', {
      body: { email, data: {}, create_user: true, ...pkce },
      query: { redirect_to: 'x' },
    }),
    callOf('POST', '/auth/v1/resend', { body: { email, type: 'signup', ...pkce }, query: { redirect_to: 'x' } }),
    callOf('POST', '/auth/v1/verify', { body: { email, type: 'email', token: '123456' } }),
    callOf('POST', '/auth/v1/verify', { body: { type: 'email', token_hash: 'x' } }),
    callOf('GET', '/auth/v1/verify', { query: { token: 'x', type: 'magiclink', redirect_to: 'x' } }),
    ...['pkce', 'refresh_token', 'password'].map((grant_type) =>
      callOf('POST', '/auth/v1/token', {
        body: { auth_code: 'x', code_verifier: 'x'.repeat(43), refresh_token: 'x' },
        query: { grant_type },
      }),
    ),
    callOf('POST', '/auth/v1/logout', { query: { scope: 'nowhere' } }, leaver.accessToken),
    callOf('PUT', '/auth/v1/user', { body: { data: {}, email, nonce: 'x' } }, mallory.accessToken),
    callOf('GET', '/auth/v1/user', {}, mallory.accessToken),
  ];
  const statuses = await attack(fc.oneof(...cases), INSIDES);
  expect([...statuses]).toEqual(expect.arrayContaining([200, 303, 400]));
});

test('data API: tables, columns, operators, values, bodies and headers', async () => {
  const column = fc.oneof(
    fc.constantFrom('id', 'user_id', 'list_id', 'name', 'search_params', 'created_at'),
    hostileText,
  );
  const operator = fc.constantFrom(
    'eq.',
    'neq.',
    'gt.',
    'like.',
    'ilike.',
    'is.',
    'in.',
    'in.("',
    'not.eq.',
    'or.',
    '',
  );
  const condition = fc.tuple(
    column,
    fc.tuple(operator, hostileText).map((parts) => parts.join('')),
  );
  const rule = fc.tuple(
    fc.constantFrom(
      'select',
      'order',
      'limit',
      'offset',
      'columns',
      'on_conflict',
      'or',
      'and',
      'leads.or',
      'leads.limit',
    ),
    hostileText,
  );
  const embedding = fc.tuple(
    fc.constant('select'),
    hostileText.map((text) => `*,leads(${text})`),
  );
  const logic = fc.tuple(
    fc.constantFrom('or', 'not.and'),
    hostileText.map((text) => `(id.not.is.null,name.eq.${text})`),
  );
  const header = hostileText.map((text) => text.replaceAll(/[^\x20-\x7e]/g, ''));
  const cases = fc
    .record({
      method: fc.constantFrom('GET', 'GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT'),
      table: fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom('lists', 'leads') },
        { weight: 1, arbitrary: hostileText },
      ),
      query: fc.array(fc.oneof(condition, condition, rule, embedding, logic), { maxLength: 3 }),
      row: fc.oneof(fc.dictionary(column, hostileValue, { minKeys: 1, maxKeys: 3 }), hostileValue),
      headers: fc.dictionary(fc.constantFrom('prefer', 'accept', 'range', 'range-unit', 'accept-profile'), header, {
        maxKeys: 1,
      }),
    })
    .map(({ method, table, query, row, headers }) => ({
      method,
      path: `/rest/v1/${encodeURIComponent(table.toWellFormed())}`,
      query,
      headers,
      token: mallory.accessToken,
      ...(method === 'POST' || method === 'PATCH' ? { body: row } : {}),
    }));
  const statuses = await attack(cases, /at or near|unterminated|syntax error|node_modules|\.ts:\d/g);
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 404]));
  expect(statuses).not.toContain(401);
});
