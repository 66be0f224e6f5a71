import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Connection, connect } from '#db/connection/client.ts';
import { buildList, buildListOf, readCalls, readRuns } from '#test/lists.ts';
import { type Cluster, type Member, startCluster } from '#test/many/cluster.ts';
import { followLists } from '#test/many/follow-lists.ts';
import { copyList, refreshAll, signInByLink, storeFiles, writeLists } from '#test/many/journeys.ts';
import { startTraffic } from '#test/many/traffic.ts';
import { freshDatabase } from './databases/database.ts';
import { listenToLists } from './servers/live-listener.ts';

// Four processes are started, and once more each.
vi.setConfig({ testTimeout: 150_000, hookTimeout: 90_000 });

const PATIENT = { timeout: 20_000 };
const [ANN, BEN, CLEO] = ['ann@people.example', 'ben@people.example', 'cleo@people.example'];
const [DORA, EVE] = ['dora@people.example', 'eve@people.example'];
/** So many that looking them up goes on while processes come and go: a key makes ten calls a second. */
const DOMAINS = 90;
const websites = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ website: `https://rolling${index}.example/` }));
let cluster: Cluster;
let connection: Connection;
let key: string;
const listeners: SupabaseClient[] = [];

beforeAll(async () => {
  const databaseUrl = await freshDatabase('empty');
  cluster = await startCluster({ databaseUrl, web: 2, workers: 2, latencyMs: 100 });
  connection = connect(databaseUrl);
  ({ backendKey: key } = (await json('/config.json')) as { backendKey: string });
});
afterAll(async () => {
  await Promise.all(listeners.map((client) => client.realtime.disconnect()));
  await connection?.db.destroy();
  await cluster?.stop();
});

/** Sends each request to the next process in turn. */
function alternating() {
  let turn = 0;
  return (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    turn += 1;
    const { url } = cluster.web[turn % 2] as Member;
    return fetch(new URL(`${pathname}${search}`, url), init);
  };
}
const send = alternating();
const json = async (path: string) => (await send(new URL(path, cluster.balancer.url))).json();

/** Signs someone in by the code of their mail, which is asked for, read and spent at alternating processes. */
async function signIn(email: string, by: typeof fetch = alternating()): Promise<SupabaseClient> {
  const client = createClient(cluster.balancer.url, key, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { fetch: by },
  });
  expect((await client.auth.signInWithOtp({ email })).error).toBeNull();
  const mails = (await json('/outbox.json')) as { to: string; text: string }[];
  const token = /\b\d{6}\b/.exec(mails.find((mail) => mail.to === email)?.text ?? '')?.[0] ?? '';
  expect((await client.auth.verifyOtp({ email, token, type: 'email' })).error).toBeNull();
  return client;
}
const idOf = async (client: SupabaseClient) => (await client.auth.getSession()).data.session?.user.id ?? '';
const headersOf = async (client: SupabaseClient) => {
  const { data } = await client.auth.getSession();
  return { authorization: `Bearer ${data.session?.access_token}`, 'content-type': 'application/json' };
};
async function post(client: SupabaseClient, path: string, body: object, by = send): Promise<unknown> {
  const response = await by(new URL(path, cluster.balancer.url), {
    method: 'POST',
    headers: await headersOf(client),
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  expect(answer).toMatchObject({ success: true });
  return answer;
}

const invite = (emails: readonly string[]) =>
  connection.db
    .insertInto('app.invitations')
    .values(emails.map((email) => ({ email, expires_at: new Date(Date.now() + 600_000) })))
    .execute();

async function enrichByPath(client: SupabaseClient, listId: string, by: typeof fetch) {
  const answer = await by(`${cluster.balancer.url}/api/enrich/emails`, {
    method: 'POST',
    headers: await headersOf(client),
    body: JSON.stringify({ list_id: listId, steps: ['hunter'] }),
  });
  return { answer, said: await answer.json() };
}
async function enrichByFunction(client: SupabaseClient, listId: string) {
  const { data, response } = await client.functions.invoke('enrich-emails', {
    body: { list_id: listId, steps: ['hunter'] },
  });
  return { answer: response, said: data };
}

/** What the journeys have left behind. */
async function countRows({ cleoId, doraId, eveId }: Record<'cleoId' | 'doraId' | 'eveId', string>) {
  const { rows } = await sql<Record<'lists' | 'copies' | 'files' | 'renewals' | 'sessions', number>>`
    select (select count(*) from lists where user_id = ${cleoId})::integer as lists,
      (select count(*) from lists where user_id = ${doraId})::integer - 1 as copies,
      (select count(*) from storage.objects)::integer as files,
      (select count(*) from auth.refresh_tokens join auth.sessions as session on session.id = session_id
        where user_id = ${eveId})::integer - 1 as renewals,
      (select count(*) from auth.sessions join auth.users as guest on guest.id = user_id
        where email like 'guest%')::integer as sessions`.execute(connection.db);
  return rows[0];
}

/** One more page of someone, which listens at `url`. */
async function anotherOf(client: SupabaseClient, url: string): Promise<SupabaseClient> {
  const { data } = await client.auth.getSession();
  const another = createClient(url, key, { accessToken: async () => data.session?.access_token ?? null });
  listeners.push(another);
  return another;
}

test('each step of a journey is taken at another process than the one before', async () => {
  expect(await json('/config.json')).toEqual(await json('/config.json'));
  const ann = await signIn(ANN);
  expect(await json('/auth/v1/.well-known/jwks.json')).toEqual(await json('/auth/v1/.well-known/jwks.json'));

  // A limit counts what was asked anywhere.
  for (let ask = 0; ask < 2; ask += 1) await ann.auth.signInWithOtp({ email: ANN });
  const { rows } = await sql<{ hits: number }>`
    select sum(hits)::integer as hits from app.rate_limits where bucket like 'auth.ask.ip.1h%'`.execute(connection.db);
  expect(rows).toEqual([{ hits: 3 }]);

  const annId = await idOf(ann);
  const heard = await Promise.all(cluster.web.map(async ({ url }) => listenToLists(await anotherOf(ann, url), annId)));
  await post(ann, '/api/keys/test', { provider: 'google_places', apiKey: 'a-google-key', save: true });
  const { data: list } = await ann
    .from('lists')
    .insert({
      user_id: annId,
      name: 'Bakers',
      search_params: {},
      status: 'processing',
    })
    .select('id')
    .single();
  const search = { query: 'Bakers', location: 'Tulsa, OK', radius: 16_000, maxResults: 20 };
  await post(ann, '/api/search-leads', { list_id: list?.id, ...search });
  const counts = [0, 1].map(() =>
    ann.from('leads').select('*', { count: 'exact', head: true }).eq('list_id', list?.id),
  );
  expect((await Promise.all(counts)).map(({ count }) => (count ?? 0) > 0)).toEqual([true, true]);
  for (const told of heard)
    await vi.waitFor(() => expect(told.of(list?.id).at(-1)?.list?.status).toBe('completed'), PATIENT);

  for (let turn = 0; turn < 2; turn += 1) expect((await ann.auth.refreshSession()).error).toBeNull();
  const token = (await headersOf(ann)).authorization;
  await ann.auth.signOut();
  for (const { url } of cluster.web)
    expect((await fetch(`${url}/api/keys`, { headers: { authorization: token } })).status).toBe(401);
  for (const told of heard) await vi.waitFor(() => expect(told.statuses.at(-1)).toBe('CLOSED'), PATIENT);
});

test('while every process is replaced, no request fails, nothing is done twice and no run stops', async () => {
  const { db } = connection;
  const { url } = cluster.balancer;
  const traffic = startTraffic();
  const guests = Array.from({ length: 80 }, (_, number) => `guest${number}@people.example`);
  await invite([BEN, CLEO, DORA, EVE, ...guests]);
  const [ben, cleo] = [await signIn(BEN, traffic.fetch), await signIn(CLEO, traffic.fetch)];
  const [dora, eve] = [await signIn(DORA, traffic.fetch), await signIn(EVE, traffic.fetch)];
  await post(ben, '/api/keys/test', { provider: 'hunter_io', apiKey: 'a-hunter-key', save: true }, traffic.fetch);
  const [benId, cleoId, doraId, eveId] = await Promise.all([idOf(ben), idOf(cleo), idOf(dora), idOf(eve)]);
  const listId = await buildListOf(db, benId, websites(DOMAINS), { sandbox: false });
  const doras = await buildListOf(db, doraId, websites(3));

  // Two of each, so that one of each waits at either process.
  const enriched = Promise.all([
    ...[1, 2].map(() => enrichByPath(ben, listId, traffic.fetch)),
    ...[1, 2].map(() => enrichByFunction(ben, listId)),
  ]);
  const reader = { ...(await headersOf(ben)), apikey: key };
  for (const path of ['/rest/v1/lists?select=*', '/api/keys', '/auth/v1/user', '/config.json'])
    traffic.repeat(70, async () => void (await traffic.fetch(`${url}${path}`, { headers: reader })));
  const lists = writeLists(traffic, cleo, cleoId);
  const away: Promise<unknown>[] = [];
  const writeAway = () => {
    const name = 'Written while a page was away';
    away.push(buildList(db, cleoId, { name }).then((id) => lists.set(id, name)));
  };
  const follow = async () => followLists(await anotherOf(cleo, url), cleoId, writeAway);
  const pages = await Promise.all([follow(), follow(), follow()]);
  const stored = storeFiles(traffic, dora, `${doraId}/${doras}`);
  const copies = copyList(traffic, dora, doras);
  const refreshed = refreshAll(traffic, eve);
  const signedIn = signInByLink(traffic, cluster, key, guests);
  await vi.waitFor(async () => expect((await readCalls(db, benId)).length).toBeGreaterThan(0), PATIENT);
  for (const [place, web] of cluster.web.entries()) {
    const worker = cluster.workers[place] ?? web;
    expect(await Promise.all([cluster.restart(web), cluster.restart(worker)])).toEqual([0, 0]);
  }
  await traffic.stop();
  const waited = await enriched;
  expect(traffic.wrong).toEqual([]);
  expect(traffic.requests()).toBeGreaterThan(300);

  const totals = { total_domains_processed: DOMAINS, cost: expect.any(Number) };
  expect(waited.map(({ said }) => said)).toEqual(
    waited.map(() => ({ success: true, data: expect.objectContaining(totals) })),
  );
  // At least the one that waited at the first replaced process was sent on.
  const sentOn = waited.map(({ answer }) => answer?.redirected === true);
  expect([sentOn[0] || sentOn[1], sentOn[2] || sentOn[3]]).toEqual([true, true]);
  expect((await readRuns(db, benId)).map(({ state }) => state)).toEqual(['completed']);
  const calls = await readCalls(db, benId);
  expect(calls.map(({ state }) => state)).toEqual(Array.from({ length: DOMAINS }, () => 'answered'));
  expect([...cluster.sandbox.meter.callsBySubject('hunter', '…-key').values()].filter((times) => times > 1)).toEqual(
    [],
  );

  // Exactly what was answered is there, and each page has come to know of all of it.
  await Promise.all(away);
  for (const page of pages) {
    await vi.waitFor(() => expect(page.names()).toEqual(lists), PATIENT);
    expect(page.joined()).toBeGreaterThan(1);
  }
  expect(away.length).toBeGreaterThanOrEqual(pages.length);
  const guestMails = (await cluster.mails()).filter(({ to }) => to.startsWith('guest'));
  expect(guestMails.map(({ to }) => to).sort()).toEqual(signedIn.toSorted());
  expect(await countRows({ cleoId, doraId, eveId })).toEqual({
    lists: lists.size,
    copies: copies(),
    files: stored.length,
    renewals: refreshed(),
    sessions: signedIn.length,
  });
});
