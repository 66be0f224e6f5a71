import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { addressOf } from '#contract/address.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { buildListOf } from '#test/lists.ts';
import { signAsServer } from './harness/forgeries.ts';
import { inputsAbout } from './harness/inputs.ts';
import { type Account, type Owner, signIn, signInOwner } from './harness/people.ts';
import { contractEndpoints, type RouteName } from './harness/routes.ts';
import { rowHashes } from './harness/row-hashes.ts';
import { type Answer, type Site, startSite } from './harness/site.ts';

let site: Site;
let alice: Owner;
let mallory: Account;
let ownListId: string;
let endpoints: Map<RouteName, Endpoint>;

beforeAll(async () => {
  site = await startSite();
  alice = await signInOwner(site, 'alice@people.example');
  await site.invite('mallory@people.example');
  mallory = await signIn(site, 'mallory@people.example');
  ownListId = await buildListOf(site.db, mallory.userId, [{}]);
  endpoints = await contractEndpoints();
});

/** What an answer gives away of Alice: what stood in the request is not news. */
const leaked = ({ text, sent, headers }: Answer) => {
  const shown = `${text} ${JSON.stringify([...headers])}`;
  return alice.secrets.filter((secret) => shown.includes(secret) && !sent.includes(secret));
};

/** Does what someone else may try, and proves that nothing of Alice's was changed by it. */
async function leavingAliceAlone(attack: () => Promise<void>): Promise<void> {
  const hashes = () => rowHashes(site.db, [mallory.userId, mallory.sessionId, ownListId]);
  const before = await hashes();
  await attack();
  expect(await hashes()).toEqual(before);
}

const expectNothing = (answer: Answer) => {
  expect(leaked(answer), answer.sent).toEqual([]);
  expect(answer.status, `${answer.sent}: ${answer.text}`).toBeLessThan(500);
};

test('someone reads their own, so that the other tests can fail', async () => {
  const own = await site.call('GET', '/rest/v1/leads', { token: alice.accessToken });
  expect(leaked(own)).toEqual(expect.arrayContaining([alice.leadId, alice.listId]));
});

test('product API: no id of someone else opens anything', () =>
  leavingAliceAlone(async () => {
    for (const [route, { method, path, access }] of endpoints)
      for (const id of Object.values(alice.ids)) {
        // Deleting an account takes no id, and would end the attack.
        if (access !== 'user' || route === 'DELETE /api/keys') continue;
        const input = inputsAbout(id, alice.email)[route] ?? {};
        const call = { token: mallory.accessToken, body: input.body };
        const answer = await site.call(method, addressOf(path, input.query), call);
        expectNothing(answer);
        const about = JSON.stringify(input).includes(id);
        if (about) expect([404, 422], `${route} about ${id}: ${answer.text}`).toContain(answer.status);
      }
  }));

test('product API: leads of someone else are not worked on through a list of one’s own', () =>
  leavingAliceAlone(async () => {
    const body = { list_id: ownListId, lead_ids: [alice.leadId] };
    const answer = await site.call('POST', '/api/compliance', { token: mallory.accessToken, body });
    expectNothing(answer);
    expect(answer.status).toBeGreaterThanOrEqual(400);
  }));

test('product API: what is told of one’s own is of no one else', () =>
  leavingAliceAlone(async () => {
    for (const path of ['/api/account/export', '/api/keys', '/api/runs', '/api/account/sessions', '/api/training'])
      expectNothing(await site.call('GET', path, { token: mallory.accessToken }));
  }));

test('data API: no row of someone else can be read, changed, taken or given', () =>
  leavingAliceAlone(async () => {
    const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
      site.call(method, `/rest/v1/${path}`, {
        token: mallory.accessToken,
        body,
        headers: { prefer: 'return=representation,count=exact', ...headers },
      });
    for (const id of Object.values(alice.ids))
      for (const table of ['lists', 'leads'])
        for (const column of ['id', 'list_id', 'user_id']) {
          for (const filter of [`eq.${id}`, `in.(${id},${ownListId})`, `neq.${mallory.userId}`, `gte.${id}`]) {
            const answer = await call('GET', `${table}?${column}=${filter}`);
            expectNothing(answer);
          }
          expectNothing(await call('PATCH', `${table}?${column}=eq.${id}`, { name: 'Mine' }));
          expectNothing(await call('PATCH', `${table}?${column}=eq.${id}`, { user_id: mallory.userId }));
          expectNothing(await call('DELETE', `${table}?${column}=eq.${id}`));
        }
    const list = { name: 'A gift', status: 'processing' };
    for (const [table, row] of [
      ['lists', { ...list, user_id: alice.userId }],
      ['lists', { ...list, user_id: mallory.userId, id: alice.listId }],
      ['leads', { list_id: alice.listId, business_name: 'A gift', position: 9 }],
    ] as const) {
      const answer = await call('POST', table, row);
      expectNothing(answer);
      expect(answer.status, answer.sent).toBeGreaterThanOrEqual(400);
    }
    for (const path of ['lists?select=*,leads(*)', 'leads?select=*,lists!inner(*)', 'lists?or=(id.not.is.null)'])
      expectNothing(await call('GET', path));
  }));

test('data API: nothing of the server’s own schemas can be named', () =>
  leavingAliceAlone(async () => {
    const tables = Object.keys(await rowHashes(site.db)).filter((name) => !name.startsWith('public.'));
    expect(tables.length).toBeGreaterThan(15);
    for (const name of tables)
      for (const [path, profile] of [
        [name, 'public'],
        [name.split('.')[1], name.split('.')[0]],
        [encodeURIComponent(`"${name.replace('.', '"."')}"`), 'public'],
      ]) {
        const headers = { 'accept-profile': profile ?? '', 'content-profile': profile ?? '' };
        const answer = await site.call('GET', `/rest/v1/${path}`, { token: mallory.accessToken, headers });
        expect([404, 406], `${path} in ${profile}: ${answer.text}`).toContain(answer.status);
      }
    const { rows } = await sql<{ name: string }>`
      select p.proname as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname in ('app', 'auth', 'public')`.execute(site.db);
    expect(rows.length).toBeGreaterThan(5);
    for (const { name } of rows) {
      const answer = await site.call('POST', `/rest/v1/rpc/${name}`, { token: mallory.accessToken, body: {} });
      expect(answer.status, `rpc ${name}: ${answer.text}`).toBeGreaterThanOrEqual(400);
    }
  }));

test('sign-in: a session is worth what it is, and no one else’s', () =>
  leavingAliceAlone(async () => {
    const claims = decodeJwt(mallory.accessToken);
    // Not even the server's own signature joins the session of one with the name of another.
    for (const swapped of [
      { sub: alice.userId },
      { session_id: alice.sessionId },
      { email: alice.email, user_metadata: { sub: alice.userId } },
    ]) {
      const token = await signAsServer(site, { ...claims, ...swapped });
      for (const [method, path] of [
        ['GET', '/auth/v1/user'],
        ['PUT', '/auth/v1/user'],
        ['POST', '/auth/v1/logout?scope=others'],
        ['DELETE', `/auth/v1/user/identities/${alice.userId}`],
        ['GET', '/api/account/export'],
        ['GET', '/api/account/sessions'],
        ['GET', `/rest/v1/lists?user_id=eq.${alice.userId}`],
      ] as const)
        expectNothing(await site.call(method, path, { token, body: method === 'PUT' ? {} : undefined }));
    }
    for (const id of Object.values(alice.ids)) {
      const body = { refresh_token: id, auth_code: id, code_verifier: id.padEnd(43, 'x') };
      for (const grant of ['refresh_token', 'pkce', 'id_token', 'password'])
        expectNothing(await site.call('POST', `/auth/v1/token?grant_type=${grant}`, { body }));
    }
    expect((await site.call('GET', '/auth/v1/user', { token: alice.accessToken })).status).toBe(200);
  }));
