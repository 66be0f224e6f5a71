import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hasTransactionPooler } from '#db/connection/transaction-pooler.ts';
import { freePort } from '#db/embedded/free-port.ts';
import { findPgBouncer } from '#test/many/find-pgbouncer.ts';
import { type PgBouncer, startPgBouncer } from '#test/many/pgbouncer.ts';
import { freshDatabase } from './databases/database.ts';
import { temporaryFolder } from './databases/postgres.ts';
import { listenToLists } from './servers/live-listener.ts';
import { type ServerProcess, startServer } from './servers/server-process.ts';

// Four servers are started.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const BAKERS = { query: 'Bakers', location: 'Tulsa, OK', radius: 16_000, maxResults: 20 };
const SILENT = { persistSession: false, autoRefreshToken: false };
const ENCRYPTION_KEYS = randomBytes(32).toString('base64');

test('who connects straight to PostgreSQL has a connection of their own', async () => {
  expect(await hasTransactionPooler(await freshDatabase('empty'))).toBe(false);
});

/** A database, and what a process of each role connects to it as. */
type Place = { owner: string; db: pg.Client } & Record<Role, URL>;
type Role = 'web' | 'worker';

describe.skipIf(!findPgBouncer())('through PgBouncer in transaction mode (skipped where it is not installed)', () => {
  let place: Place;
  let another: Place;
  let pooler: PgBouncer;
  const folder = temporaryFolder();
  const servers: ServerProcess[] = [];
  const clients: SupabaseClient[] = [];

  beforeAll(async () => {
    [place, another] = await Promise.all([newPlace(), newPlace()]);
    pooler = await startPgBouncer([place.web, place.worker, another.web, another.worker]);
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.realtime.disconnect()));
    await Promise.all(servers.map((server) => server.stop()));
    await pooler?.stop();
    await Promise.all([place, another].map((one) => one?.db.end()));
    rmSync(folder, { recursive: true, force: true });
  });

  /** Starts a web and a worker process and answers their address; `direct`: with a way past the pooler. */
  async function startPair(at: Place, direct: boolean): Promise<string> {
    const port = String(await freePort());
    const url = `http://127.0.0.1:${port}`;
    const start = (role: Role, env: Record<string, string>) => {
      const past: Record<string, string> = direct ? { DATABASE_DIRECT_URL: at[role].href } : {};
      const own = { ROLE: role, DATABASE_URL: pooler.through(at[role]), DATABASE_OWNER_URL: at.owner, ...past };
      const server = startServer({ DATA_DIR: folder, ENCRYPTION_KEYS, PUBLIC_URL: url, ...own, ...env });
      servers.push(server);
      return server.ready();
    };
    await Promise.all([start('web', { PORT: port }), start('worker', {})]);
    return url;
  }

  /** Invites someone, signs them in and connects their providers. */
  async function arrive({ db }: Place, url: string, name: string): Promise<Person> {
    const email = `${name}@people.example`;
    await db.query(`insert into app.invitations (email, expires_at) values ($1, now() + interval '1 hour')`, [email]);
    const person = await signIn(url, email);
    clients.push(person.client);
    for (const provider of ['google_places', 'hunter_io', 'searchbug'])
      await person.post('/api/keys/test', { provider, apiKey: `sandbox-${name}`, save: true });
    return person;
  }

  test('it is noticed, also while others use it', async () => {
    const url = pooler.through(place.web);
    expect(await hasTransactionPooler(url)).toBe(true);
    const others = new pg.Pool({ connectionString: url, max: 8 });
    let over = false;
    const use = async () => {
      while (!over) await others.query('select pg_sleep(0.001 * random())');
    };
    const using = Promise.all(Array.from({ length: 8 }, use));
    const looks: boolean[] = [];
    while (looks.length < 5) looks.push(await hasTransactionPooler(url));
    over = true;
    await using;
    await others.end();
    expect(looks).toEqual([true, true, true, true, true]);
  });

  test('the schema is not changed through it', async () => {
    const server = startServer({ DATA_DIR: folder, ENCRYPTION_KEYS, DATABASE_URL: pooler.through(place.web) });
    await expect(server.ready()).rejects.toThrow(/Set DATABASE_DIRECT_URL or DATABASE_OWNER_URL/);
  });

  // At once, because they mostly wait.
  describe.concurrent('a web and a worker process do everything', () => {
    test('without another way: no one is told of changes, and no one gets the rights of someone else', async () => {
      const url = await startPair(place, false);
      const [ann, ben] = [await arrive(place, url, 'ann'), await arrive(place, url, 'ben')];
      const { statuses } = await listenToLists(ann.client, ann.id);
      expect(statuses[0]).toContain('UnableToConnectToDatabase: messages from other processes do not arrive');
      await ann.client.removeAllChannels();
      expect(await subscribe(ann.client, () => {})).toContain('UnableToConnectToDatabase: changes do not arrive');
      await ann.client.removeAllChannels();
      const lists = [await workOnList(ann), await newList(ben)];
      // More at once than there are connections.
      const reads = Array.from({ length: 60 }, async (_, at) => {
        const { data } = await (at % 2 === 0 ? ann : ben).client.from('lists').select('id').throwOnError();
        expect(data).toEqual([{ id: lists[at % 2] }]);
      });
      await Promise.all(reads);
      await cancelSearch(ann, place);
    });

    test('with DATABASE_DIRECT_URL: changes are told as ever', async () => {
      const cleo = await arrive(another, await startPair(another, true), 'cleo');
      const listener = await listenToLists(cleo.client, cleo.id);
      const rows: { id: string; status: string }[] = [];
      expect(await subscribe(cleo.client, (row) => rows.push(row))).toBe('Subscribed to PostgreSQL');
      const listId = await workOnList(cleo);
      await expect.poll(() => listener.of(listId).at(-1)?.list?.status).toBe('completed');
      await expect.poll(() => rows.findLast(({ id }) => id === listId)?.status).toBe('completed');
      await cancelSearch(cleo, another);
    });
  });
});

async function newPlace(): Promise<Place> {
  const owner = await freshDatabase();
  const db = new pg.Client({ connectionString: owner });
  await db.connect();
  const loginOf = async (role: Role) => {
    const login = new URL(owner);
    login.username = `leads_${role}_${randomBytes(4).toString('hex')}`;
    login.password = randomBytes(12).toString('hex');
    await db.query(`create role ${login.username} login password '${login.password}' in role fairlead_${role}`);
    return login;
  };
  return { owner, db, web: await loginOf('web'), worker: await loginOf('worker') };
}

/** Someone who is signed in. */
type Person = {
  id: string;
  client: SupabaseClient;
  /**
   * Returns `data`.
   * @throws Error with the words of a refusal.
   */
  post(path: string, body?: object): Promise<unknown>;
};

/** Signs in by the code of the mail, and refreshes the session. */
async function signIn(url: string, email: string): Promise<Person> {
  const { backendKey } = (await (await fetch(`${url}/config.json`)).json()) as { backendKey: string };
  const client = createClient(url, backendKey, { auth: SILENT });
  await client.auth.signInWithOtp({ email });
  const mails = (await (await fetch(`${url}/outbox.json`)).json()) as { to: string; text: string }[];
  const token = /\b\d{6}\b/.exec(mails.find((mail) => mail.to === email)?.text ?? '')?.[0] ?? '';
  expect((await client.auth.verifyOtp({ email, token, type: 'email' })).error).toBeNull();
  const { data } = await client.auth.refreshSession();
  const headers = { authorization: `Bearer ${data.session?.access_token}`, 'content-type': 'application/json' };
  return {
    id: data.user?.id ?? '',
    client,
    async post(path, body = {}) {
      const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      const said = (await answer.json()) as { data?: unknown; message?: string };
      if (!answer.ok) throw new Error(said.message);
      return said.data;
    },
  };
}

/** A list from its search to its stored export. Returns its id. */
async function workOnList(person: Person): Promise<string> {
  const { id, client, post } = person;
  const list_id = await newList(person);
  await post('/api/search-leads', { list_id, ...BAKERS });
  await post('/api/enrich/emails', { list_id, steps: ['hunter'] });
  await post('/api/compliance', { list_id });
  const { data } = await client.from('leads').select('email, compliance_status').throwOnError();
  for (const column of ['email', 'compliance_status'] as const)
    expect(data.filter((lead) => lead[column] !== null).length).toBeGreaterThan(0);

  const name = `${id}/${list_id}/bakers.csv`;
  const files = client.storage.from('exports');
  expect((await files.upload(name, 'name\nBakers\n', { contentType: 'text/csv' })).error).toBeNull();
  expect(await (await files.download(name)).data?.text()).toBe('name\nBakers\n');
  return list_id;
}

/** A search of several pages that is cancelled while the provider takes its time. */
async function cancelSearch(person: Person, { db }: Place): Promise<void> {
  const { post } = person;
  await post('/api/keys/test', { provider: 'google_places', apiKey: 'sandbox-slow-later', save: true });
  const list_id = await newList(person);
  const cancelled = expect(
    post('/api/search-leads', { list_id, ...BAKERS, query: 'Cafes', maxResults: 60 }),
  ).rejects.toThrow('The run was canceled');
  const begun = `select id from app.runs where list_id = $1 and state = 'running'`;
  const run = await vi.waitUntil(async () => (await db.query(begun, [list_id])).rows[0]?.id, { timeout: 15_000 });
  expect(await post(`/api/runs/${run}/cancel`)).toEqual({ cancelled: true });
  await cancelled;
}

async function newList({ id, client }: Person): Promise<string> {
  const row = { user_id: id, name: 'Bakers', search_params: {}, status: 'processing' };
  const { data } = await client.from('lists').insert(row).select('id').single().throwOnError();
  return String(data.id);
}

/** Resolves with what becomes of a subscription to changes of lists. */
function subscribe(client: SupabaseClient, onRow: (row: { id: string; status: string }) => void): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  client
    .channel('changes')
    .on('postgres_changes', { event: '*', schema: 'public', table: 'lists' }, ({ new: row }) =>
      onRow(row as { id: string; status: string }),
    )
    .on('system', {}, ({ message }: { message: string }) => resolve(message))
    .subscribe();
  return promise;
}
