import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { listKeysEndpoint } from '#contract/account/api-keys.ts';
import { buildListOf } from '#test/lists.ts';
import { type Account, signIn } from './harness/people.ts';
import { PUBLISHABLE_KEY, type Site, startSite } from './harness/site.ts';
import { attack, worstRequests } from './harness/worst-requests.ts';

let site: Site;
let mallory: Account;
let alice: Account;
let longList: string;
const LEADS = 10_000;

beforeAll(async () => {
  site = await startSite();
  for (const email of ['mallory@people.example', 'alice@people.example']) await site.invite(email);
  mallory = await signIn(site, 'mallory@people.example');
  alice = await signIn(site, 'alice@people.example');
  const text = JSON.stringify({ x: 'a'.repeat(3_000) });
  await site.owner
    .insertInto('lists')
    .values(
      Array.from({ length: 300 }, () => ({ user_id: mallory.userId, name: 'a'.repeat(250), search_params: text })),
    )
    .execute();
  longList = await buildListOf(
    site.owner,
    mallory.userId,
    Array.from({ length: LEADS }, (_, at) => ({ business_name: `Invented ${at}`, phone: '+1 217-555-0100' })),
  );
});

const send = (account: Account, path: string, init: RequestInit = {}) =>
  fetch(`${site.url}${path}`, {
    ...init,
    headers: {
      apikey: PUBLISHABLE_KEY,
      authorization: `Bearer ${account.accessToken}`,
      'content-type': 'application/json',
      ...init.headers,
    },
  });

test('while one person asks for the worst, others are answered and the process is ready', async () => {
  let over = false;
  const others = async () => {
    // The pause keeps her below the 900 requests of a minute that one person has.
    for (; !over; await pause(50)) {
      expect((await send(alice, listKeysEndpoint.path)).status).toBe(200);
      expect((await send(alice, '/rest/v1/lists?select=id')).status).toBe(200);
      expect((await fetch(`${site.url}/readyz`)).status).toBe(200);
    }
  };
  const watching = others();
  const statuses = await attack(
    ({ path, accept, ...init }, signal) => send(mallory, path, { ...init, signal, headers: accept ? { accept } : {} }),
    worstRequests(mallory.userId, longList),
    { count: 200, atOnce: 50 },
  );
  over = true;
  await watching;
  for (const status of statuses)
    expect([200, 201, 204, 206, 400, 404, 413, 416, 422, 429, 500], `${status}`).toContain(status);
  expect(statuses).toContain(400);
  const { count } = await site.owner
    .selectFrom('lists')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', mallory.userId)
    .executeTakeFirstOrThrow();
  expect(Number(count)).toBeLessThanOrEqual(1_000);
});

test.each([
  ['JSON', 'application/json', 'GET'],
  ['CSV', 'text/csv', 'GET'],
  ['JSON, of what was changed', 'application/json', 'PATCH'],
] as const)(
  'an answer of more than 2 MB is refused (%s), and a smaller page of it is not',
  async (_as, accept, method) => {
    const again = Array.from({ length: 20 }, (_, at) => `a${at}:search_params`).join(',');
    const read = (limit: string) =>
      send(mallory, `/rest/v1/lists?select=id,${again}&name=like.a*&order=id&limit=${limit}`, {
        method,
        headers: { accept, prefer: 'return=representation' },
        ...(method === 'PATCH' ? { body: JSON.stringify({ name: 'a'.repeat(249) }) } : {}),
      });
    const refused = await read('1000');
    expect(refused.status).toBe(413);
    expect(await refused.json()).toEqual({
      code: '54000',
      message: 'The answer would be larger than 2 MB',
      details: null,
      hint: 'Ask for smaller pages, or for fewer columns.',
    });
    if (method === 'GET') expect((await read('20')).status).toBe(200);
    else {
      const kept = site.owner.selectFrom('lists').select('id').where('user_id', '=', mallory.userId);
      // What is refused is not done.
      expect(await kept.where('name', '=', 'a'.repeat(249)).execute()).toEqual([]);
    }
  },
);

test('a hundred and fifty calls of sign-in at once of one person: some are refused by 429, and no one else is', async () => {
  const body = JSON.stringify({ data: { x: 'a' } });
  const asked = Array.from({ length: 150 }, () => send(mallory, '/auth/v1/user', { method: 'PUT', body }));
  expect((await send(alice, '/auth/v1/user')).status).toBe(200);
  const answers = await Promise.all(asked);
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(64);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  for (const one of refused) {
    expect(Number(one.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(await one.json()).toMatchObject({ msg: expect.stringContaining('too many requests open') });
  }
});

test('a hundred and fifty requests at once of one person: some are refused by 429, and no one else is', async () => {
  const asked = Array.from({ length: 150 }, () => send(mallory, listKeysEndpoint.path));
  expect((await send(alice, listKeysEndpoint.path)).status).toBe(200);
  const answers = await Promise.all(asked);
  const refused = answers.filter(({ status }) => status === 429);
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(128);
  for (const one of refused) {
    expect(Number(one.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(await one.json()).toMatchObject({
      error: 'RATE_LIMITED',
      message: expect.stringContaining('too many requests'),
    });
  }
});
