import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Connection, connect } from '#db/client.ts';
import { freshDatabase } from '#test/database.ts';
import { buildListOf, readCalls, readRuns } from '#test/lists.ts';
import { type LiveListener, listenToLists } from '#test/live-listener.ts';
import { type Cluster, type Member, startCluster } from '#test/many/cluster.ts';

// Four processes are started, and once more each.
vi.setConfig({ testTimeout: 150_000, hookTimeout: 90_000 });

const PATIENT = { timeout: 20_000 };
const ANN = 'ann@people.example';
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

/** Signs somebody in by the code of their mail, which is asked for, read and spent at alternating processes. */
async function signIn(email: string): Promise<SupabaseClient> {
  const client = createClient(cluster.balancer.url, key, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { fetch: alternating() },
  });
  expect((await client.auth.signInWithOtp({ email })).error).toBeNull();
  const mails = (await json('/outbox.json')) as { to: string; text: string }[];
  const token = /\b\d{6}\b/.exec(mails.find((mail) => mail.to === email)?.text ?? '')?.[0] ?? '';
  expect((await client.auth.verifyOtp({ email, token, type: 'email' })).error).toBeNull();
  return client;
}
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

/** Listens at one process to what happens to the user's lists. */
async function hear(client: SupabaseClient, { url }: Member): Promise<LiveListener> {
  const { data } = await client.auth.getSession();
  const listening = createClient(url, key, { accessToken: async () => data.session?.access_token ?? null });
  listeners.push(listening);
  return listenToLists(listening, data.session?.user.id ?? '');
}

test('each step of a journey is taken at another process than the one before', async () => {
  const [one, two] = [(await json('/config.json')) as { backendKey: string }, await json('/config.json')];
  expect(one).toEqual(two);
  key = one.backendKey;
  const ann = await signIn(ANN);
  expect(await json('/auth/v1/.well-known/jwks.json')).toEqual(await json('/auth/v1/.well-known/jwks.json'));

  // A limit counts what was asked anywhere.
  for (let ask = 0; ask < 2; ask += 1) await ann.auth.signInWithOtp({ email: ANN });
  const { rows } = await sql<{ hits: number }>`
    select sum(hits)::integer as hits from app.rate_limits where bucket like 'auth.ask.ip.1h%'`.execute(connection.db);
  expect(rows).toEqual([{ hits: 3 }]);

  const heard = await Promise.all(cluster.web.map((member) => hear(ann, member)));
  await post(ann, '/api/keys/test', { provider: 'google_places', apiKey: 'a-google-key', save: true });
  const { data: list } = await ann
    .from('lists')
    .insert({
      user_id: (await ann.auth.getUser()).data.user?.id,
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

test('while every process is replaced, no request fails and no run stops or pays twice', async () => {
  const { db } = connection;
  const email = 'ben@people.example';
  await db
    .insertInto('app.invitations')
    .values({ email, expires_at: new Date(Date.now() + 60_000) })
    .execute();
  const ben = await signIn(email);
  const userId = (await ben.auth.getUser()).data.user?.id ?? '';
  await post(ben, '/api/keys/test', { provider: 'hunter_io', apiKey: 'a-hunter-key', save: true });
  const listId = await buildListOf(db, userId, websites(DOMAINS), { sandbox: false });
  const headers = { ...(await headersOf(ben)), apikey: key };
  const accessToken = async () => (await ben.auth.getSession()).data.session?.access_token ?? null;

  const through = (path: string, init: RequestInit = {}) =>
    fetch(`${cluster.balancer.url}${path}`, { ...init, headers });
  // Two of each, so that one of each waits at either process.
  const enrich = async () => {
    const answer = await through('/api/enrich/emails', { method: 'POST', body: JSON.stringify({ list_id: listId }) });
    return { answer, said: await answer.json() };
  };
  const byFunction = createClient(cluster.balancer.url, key, { accessToken }).functions;
  const invoke = async () => {
    const { data, response } = await byFunction.invoke('enrich-emails', { body: { list_id: listId } });
    return { answer: response, said: data };
  };
  const enriched = Promise.all([enrich(), enrich(), invoke(), invoke()]);
  const answers: string[] = [];
  let over = false;
  // Within what one person may read in a minute.
  const visit = async (path: string) => {
    while (!over) {
      const { status } = await through(path).catch(() => ({ status: 0 }));
      answers.push(`${status} ${path}`);
      await sleep(70);
    }
  };
  const visitors = ['/rest/v1/lists?select=*', '/api/keys', '/auth/v1/user', '/config.json'].map(visit);
  await vi.waitFor(async () => expect((await readCalls(db, userId)).length).toBeGreaterThan(0), PATIENT);
  for (const [place, web] of cluster.web.entries()) {
    const worker = cluster.workers[place] ?? web;
    expect(await Promise.all([cluster.restart(web), cluster.restart(worker)])).toEqual([0, 0]);
  }
  over = true;
  await Promise.all(visitors);

  const waited = await enriched;
  const totals = { total_domains_processed: DOMAINS, cost: expect.any(Number) };
  expect(waited.map(({ said }) => said)).toEqual(
    waited.map(() => ({ success: true, data: expect.objectContaining(totals) })),
  );
  // Of each at least the one that waited at the process that was replaced first was sent on.
  const sentOn = waited.map(({ answer }) => answer?.redirected === true);
  expect([sentOn[0] || sentOn[1], sentOn[2] || sentOn[3]]).toEqual([true, true]);
  expect(answers.filter((answer) => !answer.startsWith('200 '))).toEqual([]);
  expect(answers.length).toBeGreaterThan(100);
  expect((await readRuns(db, userId)).map(({ state }) => state)).toEqual(['completed']);
  const calls = await readCalls(db, userId);
  expect(calls.map(({ state }) => state)).toEqual(Array.from({ length: DOMAINS }, () => 'answered'));
  expect([...cluster.sandbox.meter.callsBySubject('hunter', '…-key').values()].filter((times) => times > 1)).toEqual(
    [],
  );
});
