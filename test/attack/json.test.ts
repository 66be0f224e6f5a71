import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { addressOf } from '#contract/address.ts';
import { buildListOf } from '#test/lists.ts';
import { inputsAbout } from './harness/inputs.ts';
import { type Account, type Owner, signIn, signInOwner } from './harness/people.ts';
import { contractEndpoints } from './harness/routes.ts';
import { ADMIN, type Answer, PUBLISHABLE_KEY, type Site, startSite } from './harness/site.ts';

let site: Site;
let alice: Owner;
let admin: Account;
let listId: string;

beforeAll(async () => {
  site = await startSite();
  alice = await signInOwner(site, 'alice@people.example');
  admin = await signIn(site, ADMIN);
  listId = await buildListOf(site.db, admin.userId, [{}]);
});
const withoutLimits = () => sql`delete from app.rate_limits`.execute(site.db);
beforeEach(withoutLimits);

/** Every call that takes JSON, with a body that it takes, made by an administrator about what is theirs. */
async function callsWithBodies(): Promise<{ method: string; path: string; body: object }[]> {
  const inputs = inputsAbout(listId, 'nobody@people.example');
  const product = [...(await contractEndpoints())].flatMap(([route, { method, path }]) => {
    const { body, query } = inputs[route] ?? {};
    return body ? [{ method, path: addressOf(path, query), body }] : [];
  });
  const email = 'nobody@people.example';
  const post = (path: string, body: object) => ({ method: 'POST', path, body });
  return [
    ...product,
    post('/auth/v1/otp', { email, data: {} }),
    post('/auth/v1/resend', { email, type: 'signup' }),
    post('/auth/v1/verify', { email, token: '123456', type: 'email' }),
    post('/auth/v1/token?grant_type=pkce', { auth_code: 'x', code_verifier: 'y' }),
    post('/auth/v1/token?grant_type=refresh_token', { refresh_token: 'x' }),
    { method: 'PUT', path: '/auth/v1/user', body: { data: {} } },
    post('/rest/v1/lists', { user_id: admin.userId, name: 'A list', status: 'processing' }),
    { method: 'PATCH', path: `/rest/v1/lists?id=eq.${listId}`, body: { name: 'A list' } },
  ];
}

const sendAll = async (spoil: (body: string) => string): Promise<Answer[]> => {
  await withoutLimits();
  const answers: Answer[] = [];
  for (const { method, path, body } of await callsWithBodies()) {
    const text = spoil(JSON.stringify(body));
    answers.push(await site.call(method, path, { token: admin.accessToken, body: text }));
  }
  expect(answers.length).toBeGreaterThan(20);
  return answers;
};

const within = (body: string, name: string, value: string) => body.replace(/^\{/, `{"${name}":${value},`);
const deep = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`;

const beside = (value: string) => (body: string) => within(body, 'extra', value);
const inPlaceOfAField = (value: string) => (body: string) =>
  body.replace(/"(data|tags|lead_ids|email|name|list_id|id)":("[^"]*"|\{\}|\[.*?\])/, `"$1":${value}`);

test.each([
  ['beside what is asked for', beside(deep('[', ']', 20_000))],
  ['deeper than a stack', beside(deep('[', ']', 300_000))],
  ['in place of a field', inPlaceOfAField(deep('{"a":', '}', 10_500))],
  ['of both kinds in place of a field', inPlaceOfAField(deep('[{"a":', '}]', 5_000))],
  ['and nothing else', () => deep('[', ']', 20_000)],
])('deep JSON does no harm: %s', async (_where, spoil) => {
  for (const { status, text, sent } of await sendAll(spoil))
    expect(status, `${sent.slice(0, 80)}: ${text}`).toBeLessThan(500);
});

test('deep JSON in a field that takes any is stored, or refused in words', async () => {
  for (const depth of [20, 3_000, 100_000]) {
    const body = `{"user_id":"${admin.userId}","name":"Deep","status":"processing","search_params":${deep('{"a":', '}', depth)}}`;
    const answer = await site.call('POST', '/rest/v1/lists', { token: admin.accessToken, body });
    expect(answer.status, answer.text).toBe(depth === 20 ? 201 : 400);
  }
  const list = await site.call('GET', '/rest/v1/lists?select=search_params', { token: admin.accessToken });
  expect(list.status).toBe(200);
});

test.each(['__proto__', 'constructor', 'prototype'])('no object gets anything through %s', async (name) => {
  const value = '{"polluted":"yes","role":"admin","list_id":"x","prototype":{"polluted":"yes"}}';
  for (const { status, sent, text } of await sendAll((body) => within(body, name, value)))
    expect(status, `${sent.slice(0, 80)}: ${text}`).toBeLessThan(500);
  for (const path of ['/api/runs', '/api/keys', '/rest/v1/lists', '/auth/v1/verify', '/auth/v1/user'])
    await site.call('GET', `${path}?${name}=polluted&${name}[polluted]=yes`, { token: admin.accessToken });
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
  expect(Reflect.get([], 'polluted')).toBeUndefined();
  expect(Reflect.get({}, 'role')).toBeUndefined();
});

test('what stands on a prototype only was not sent', async () => {
  const token = alice.accessToken;
  for (const body of [
    `{"__proto__":{"list_id":"${alice.listId}"}}`,
    `{"constructor":{"prototype":{"list_id":"${alice.listId}"}}}`,
  ])
    expect((await site.call('POST', '/api/lists/duplicate', { token, body })).status).toBe(422);
  for (const provider of ['__proto__', 'constructor', 'toString'])
    for (const [method, path] of [
      ['DELETE', '/api/keys'],
      ['POST', '/api/keys/test'],
    ] as const)
      expect((await site.call(method, path, { token, body: { provider, apiKey: 'x' } })).status).toBe(422);
});

test('names that every object has are no columns', async () => {
  const token = admin.accessToken;
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty'])
    for (const query of [`${name}=eq.1`, `select=${name}`, `order=${name}`, `select=x:${name}`]) {
      const answer = await site.call('GET', `/rest/v1/lists?${query}`, { token });
      expect(answer.status, answer.text).toBe(400);
    }
});

test.each([
  ['NUL', '\\u0000'],
  ['half a surrogate pair', '\\ud800'],
  ['the other half', '\\udc00'],
])('text that cannot be stored is refused, or made storable: %s', async (_what, escaped) => {
  for (const { status, sent, text } of await sendAll((body) => body.replaceAll(/:"([^"]*)"/g, `:"$1${escaped}"`)))
    expect(status, `${sent}: ${text}`).toBeLessThan(500);
  // Metadata is kept only of someone new.
  const email = `new-${escaped.slice(2)}@people.example`;
  await site.invite(email);
  const asked = await site.call('POST', '/auth/v1/otp', {
    body: `{"email":"${email}","data":{"a${escaped}":"b${escaped}"}}`,
  });
  expect(asked.status, asked.text).toBe(400);
});

test('a body that is no JSON, or calls itself something else, is refused in words', async () => {
  for (const body of ['', '{', '[1,', 'null', '0', '""', '{"a":1}{"a":2}', "{'a':1}", '{"a":NaN}', '<xml/>'])
    for (const { status, text, sent } of await sendAll(() => body)) {
      expect(status, `${sent}: ${text}`).toBeGreaterThanOrEqual(400);
      expect(status, `${sent}: ${text}`).toBeLessThan(500);
    }
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', ''])
    for (const path of ['/api/lists/duplicate', '/auth/v1/otp', '/rest/v1/lists']) {
      const answer = await site.app.request(path, {
        method: 'POST',
        headers: { authorization: `Bearer ${admin.accessToken}`, apikey: PUBLISHABLE_KEY, 'content-type': type },
        body: '{"name":"x"}',
      });
      expect([400, 415], `${path} as ${type}`).toContain(answer.status);
    }
});

test('a name that is said twice means what was said last, for everyone who reads it', async () => {
  const body = '{"email":"alice@people.example","email":"nobody@people.example"}';
  const mailed = site.mails.length;
  expect((await site.call('POST', '/auth/v1/otp', { body })).status).toBe(403);
  expect(site.mails).toHaveLength(mailed);
});
