import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { sharesConnections } from '#db/shares-connections.ts';
import { freshDatabase } from '#test/database.ts';
import { listenToLists } from '#test/live-listener.ts';
import { hasPgBouncer, type PgBouncer, startPgBouncer } from '#test/many/pgbouncer.ts';
import { temporaryFolder } from '#test/postgres.ts';
import { type ServerProcess, startServer } from '#test/server-process.ts';

// Two servers are started, one after the other.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const SILENT = { persistSession: false, autoRefreshToken: false };
const ENCRYPTION_KEYS = randomBytes(32).toString('base64');

test('who connects straight to PostgreSQL has a connection of their own', async () => {
  expect(await sharesConnections(await freshDatabase('empty'))).toBe(false);
});

describe.skipIf(!hasPgBouncer)('through PgBouncer in transaction mode (skipped where it is not installed)', () => {
  let owner: string;
  let direct: string;
  let pooler: PgBouncer;
  let db: pg.Client;
  const folder = temporaryFolder();
  const servers: ServerProcess[] = [];

  beforeAll(async () => {
    owner = await freshDatabase();
    db = new pg.Client({ connectionString: owner });
    await db.connect();
    const login = new URL(owner);
    login.username = `leads_${randomBytes(4).toString('hex')}`;
    login.password = randomBytes(12).toString('hex');
    await db.query(`create role ${login.username} login password '${login.password}' in role fairlead_web`);
    direct = login.href;
    pooler = await startPgBouncer(direct);
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await pooler?.stop();
    await db?.end();
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(env: Record<string, string>): Promise<string> {
    const server = startServer({ DATA_DIR: folder, DATABASE_URL: pooler.url, ENCRYPTION_KEYS, ...env });
    servers.push(server);
    return server.ready();
  }

  /** Signs in at a server that runs there. */
  async function signIn(url: string, email: string): Promise<SupabaseClient> {
    const { backendKey } = (await (await fetch(`${url}/config.json`)).json()) as { backendKey: string };
    await db.query(`insert into app.invitations (email, expires_at) values ($1, now() + interval '1 hour')`, [email]);
    const client = createClient(url, backendKey, { auth: SILENT });
    await client.auth.signInWithOtp({ email });
    const mails = (await (await fetch(`${url}/outbox.json`)).json()) as { to: string; text: string }[];
    const token = /\b\d{6}\b/.exec(mails.find((mail) => mail.to === email)?.text ?? '')?.[0] ?? '';
    expect((await client.auth.verifyOtp({ email, token, type: 'email' })).error).toBeNull();
    return client;
  }
  async function headersOf(client: SupabaseClient) {
    const { data } = await client.auth.getSession();
    return { authorization: `Bearer ${data.session?.access_token}`, 'content-type': 'application/json' };
  }
  const idOf = async (client: SupabaseClient) => (await client.auth.getUser()).data.user?.id ?? '';
  async function search(url: string, client: SupabaseClient): Promise<string> {
    const headers = await headersOf(client);
    const post = (path: string, body: object) =>
      fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    await post('/api/keys/test', { provider: 'google_places', apiKey: 'sandbox', save: true });
    const row = { user_id: await idOf(client), name: 'Bakers', search_params: {}, status: 'processing' };
    const { data: list } = await client.from('lists').insert(row).select('id').single();
    const wanted = { query: 'Bakers', location: 'Tulsa, OK', radius: 16_000, maxResults: 20 };
    expect((await post('/api/search-leads', { list_id: list?.id, ...wanted })).status).toBe(200);
    return String(list?.id);
  }

  test('it is noticed, also while others use it', async () => {
    expect(await sharesConnections(pooler.url)).toBe(true);
    const others = new pg.Pool({ connectionString: pooler.url, max: 8 });
    let over = false;
    const use = async () => {
      while (!over) await others.query('select pg_sleep(0.001 * random())');
    };
    const using = Promise.all(Array.from({ length: 8 }, use));
    const looks: boolean[] = [];
    while (looks.length < 5) looks.push(await sharesConnections(pooler.url));
    over = true;
    await using;
    await others.end();
    expect(looks).toEqual([true, true, true, true, true]);
  });

  test('the schema is not changed through it', async () => {
    await expect(start({})).rejects.toThrow(/Set DATABASE_DIRECT_URL or DATABASE_OWNER_URL/);
  });

  test('without another way nothing listens, and searches end all the same; nobody gets the rights of somebody else', async () => {
    const url = await start({ DATABASE_OWNER_URL: owner });
    const [ann, ben] = [await signIn(url, 'ann@people.example'), await signIn(url, 'ben@people.example')];
    const lists = [await search(url, ann), await search(url, ben)];
    const { statuses } = await listenToLists(ann, await idOf(ann));
    expect(statuses[0]).toContain('UnableToConnectToDatabase: messages of other processes are not heard');
    await ann.removeAllChannels();
    // More at once than there are connections.
    const reads = Array.from({ length: 60 }, async (_, at) => {
      const { data, error } = await (at % 2 === 0 ? ann : ben).from('lists').select('id');
      expect(error).toBeNull();
      expect(data).toEqual([{ id: lists[at % 2] }]);
    });
    await Promise.all(reads);
  });

  test('with DATABASE_DIRECT_URL changes are told as ever', async () => {
    const url = await start({ DATABASE_DIRECT_URL: direct, DATABASE_OWNER_URL: owner });
    const cleo = await signIn(url, 'cleo@people.example');
    const listener = await listenToLists(cleo, await idOf(cleo));
    const listId = await search(url, cleo);
    await expect.poll(() => listener.of(listId).at(-1)?.list?.status).toBe('completed');
    await cleo.removeAllChannels();
  });
});
