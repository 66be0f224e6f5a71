import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { getPriority } from 'node:os';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '#db/embedded/free-port.ts';
import { temporaryFolder } from '#test/databases/postgres.ts';
import { buildList } from '#test/lists.ts';
import { ENCRYPTION_KEY, type Product, startProduct } from '#test/product.ts';
import { type ServerProcess, startServer } from '#test/servers/server-process.ts';
import { signIn } from '../../bench/harness/sign-in.ts';
import { type Apart, createApart } from './apart.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const LONG = 20_000;
const ALL = JSON.stringify({ filter: 'all', compliance: 'all_leads' });
const AT = '2026-06-01T17:00:00.000Z';

let folder: string;
let product: Product;
let server: ServerProcess;
let url: string;
type Person = { userId: string; headers: Record<string, string> };
let ann: Person;
let list: string;

let port: number;

/** At the same address each time, so that tokens stay valid. */
const startAgain = async () => {
  const env = { DATA_DIR: folder, DATABASE_URL: product.url, ENCRYPTION_KEYS: ENCRYPTION_KEY, PORT: String(port) };
  server = startServer(env);
  url = await server.ready();
};

beforeAll(async () => {
  folder = temporaryFolder();
  port = await freePort();
  product = await startProduct({ worker: false });
  await startAgain();
  const { userId, headers } = await signIn(url, 'ann@people.example');
  ann = { userId, headers: { ...headers, 'content-type': 'application/json' } };
  list = await longListOf(userId, LONG);
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function longListOf(userId: string, leads: number): Promise<string> {
  const listId = await buildList(product.db, userId, { name: 'Long', status: 'completed', lead_count: leads });
  await sql`
    insert into leads (list_id, position, business_name, phone, address)
    select ${listId}::uuid, n, 'Invented ' || n, '+1217' || (2000000 + n), n || ' Main Street, Springfield, IL 62701, USA'
    from generate_series(1, ${leads}) as n`.execute(product.db);
  return listId;
}

const ask = (path: string, init: RequestInit = {}, who = ann) =>
  fetch(`${url}${path}`, { ...init, headers: who.headers });
const post = (path: string, body: unknown, who = ann) =>
  ask(path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) }, who);
/** The id of the server's process for long work. A new Linux machine may lack ps. */
function childOf(pid: number | undefined): number | undefined {
  const lines = existsSync('/proc/self/stat')
    ? readdirSync('/proc').flatMap((name) => processOf(name) ?? [])
    : spawnSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).stdout.split('\n');
  for (const line of lines) {
    const [own, parent, ...args] = line.trim().split(/\s+/);
    if (Number(parent) === pid && args.join(' ').includes('apart/child.ts')) return Number(own);
  }
  return undefined;
}
function processOf(name: string): string | undefined {
  if (!/^\d+$/.test(name)) return undefined;
  try {
    // Behind the last bracket stand the state and the parent.
    const parent = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1];
    return `${name} ${parent} ${readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')}`;
  } catch {
    return undefined; // It has ended meanwhile.
  }
}
const child = () => childOf(server.child.pid);
const runs = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Keeps whatever asks for verdicts on calls waiting, in PostgreSQL, until the returned function is called. */
async function keepVerdictsWaiting(): Promise<() => Promise<void>> {
  const owner = new pg.Client({ connectionString: product.url });
  await owner.connect();
  await owner.query('begin');
  await owner.query('lock table app.calling_rules in access exclusive mode');
  return () => owner.end();
}
const waiting = async (): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and state = 'active'`.execute(product.db);
  return rows[0]?.count ?? 0;
};

test('short work starts no process', async () => {
  const short = await longListOf(ann.userId, 100);
  expect((await post(`/api/lists/${short}/export`, ALL)).status).toBe(200);
  expect((await ask(`/api/lists/${short}/callability`)).status).toBe(200);
  // The whole list is looked at, but by PostgreSQL alone.
  expect((await ask(`/api/lists/${list}/leads?q=nothing`)).status).toBe(200);
  expect(child()).toBeUndefined();
});

test('what a process of its own says of a long list is what this one says, to the byte', async () => {
  const here = product.as({ id: ann.userId, email: 'ann@people.example' });
  const authorization = await here.authorization();
  const both = async (path: string, body?: unknown) => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const one = await product.request(path, {
      ...init,
      headers: { authorization, 'content-type': 'application/json' },
    });
    const other = await ask(path, init);
    expect([other.status, await other.text()], path).toEqual([one.status, await one.text()]);
    expect(other.headers.get('content-type')).toBe(one.headers.get('content-type'));
    return other;
  };
  const file = await both(`/api/lists/${list}/export`, JSON.parse(ALL));
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="leads.csv"');
  expect(file.headers.get('fairlead-export')).toMatch(/^[\da-f-]{36}$/);
  expect(file.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
  const pid = child();
  expect(pid).toBeDefined();
  await both(`/api/lists/${list}/callability?at=${AT}`);
  const page = await ask(`/api/lists/${list}/leads?sort=call.asc`);
  expect([page.headers.get('content-encoding'), page.headers.get('vary')]).toEqual(['gzip', 'Accept-Encoding']);
  await both(`/api/lists/${list}/leads/counts`, { call_within: 24 });
  await both('/api/enrich/estimate', { list_id: list });
  await both('/api/compliance/estimate', { list_id: list });
  await both('/api/suppressions/import', { csv: 'none\n'.repeat(20_000) });
  expect(child()).toBe(pid);
});

test('a request is counted once', async () => {
  const counted = async () => {
    const { rows } = await sql<{ hits: string }>`select coalesce(sum(hits), 0) as hits from app.rate_limits
      where bucket like 'api.%'`.execute(product.db);
    return Number(rows[0]?.hits);
  };
  const before = await counted();
  await (await ask(`/api/lists/${list}/callability`)).text();
  expect(await counted()).toBe(before + 1);
});

test('a list of someone else is not found, and no one says themselves who they are', async () => {
  const stranger = await product.user();
  const theirs = await longListOf(stranger.id, 3_000);
  for (const answer of [
    await ask(`/api/lists/${theirs}/callability`),
    await post(`/api/lists/${theirs}/export`, ALL),
    await post('/api/compliance/estimate', { list_id: theirs }),
  ])
    expect(answer.status).toBe(404);
  const told = {
    requestId: 'x',
    ip: '192.0.2.1',
    user: { userId: stranger.id, sessionId: '', email: '', role: 'admin' },
  };
  const forged = { 'fairlead-told': Buffer.from(JSON.stringify(told)).toString('base64url') };
  const path = `/api/lists/${theirs}/callability`;
  expect((await ask(path, {}, { ...ann, headers: { ...ann.headers, ...forged } })).status).toBe(404);
  expect((await ask(path, {}, { ...ann, headers: forged })).status).toBe(401);
});

test('who hangs up is not worked for anymore', async () => {
  const goOn = await keepVerdictsWaiting();
  const gone = new AbortController();
  const asked = ask(`/api/lists/${list}/callability`, { signal: gone.signal });
  await expect.poll(waiting).toBe(1);
  gone.abort();
  await expect(asked).rejects.toThrow();
  await expect.poll(waiting).toBe(0);
  await goOn();
});

test('a process that is killed over a request is replaced for the next', async () => {
  const goOn = await keepVerdictsWaiting();
  const asked = ask(`/api/lists/${list}/callability`);
  await expect.poll(waiting).toBe(1);
  const killed = child() ?? 0;
  process.kill(killed, 'SIGKILL');
  const answer = await asked;
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
  expect(await answer.json()).toMatchObject({
    error: 'UNAVAILABLE',
    message: 'This was interrupted before it finished. Try again in a moment.',
  });
  await goOn();
  expect((await ask(`/api/lists/${list}/callability`)).status).toBe(200);
  expect(child()).not.toBe(killed);
  await expect.poll(() => server.output).toContain('the process for long work ended');
});

/** Begins a file and reads nothing of it but its first bytes. */
async function beginFile(): Promise<IncomingMessage> {
  const asked = httpRequest(`${url}/api/lists/${list}/export`, { method: 'POST', headers: ann.headers });
  asked.end(ALL);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  await once(answer, 'readable');
  return answer;
}

test('a file whose maker is killed breaks off, and is not taken for a whole one', async () => {
  // A short file would leave at once: each part behind the first takes its time.
  await sql`
    create function public.take_time() returns trigger language plpgsql as $$
    begin
      if new.part > 0 then
        perform pg_sleep(5);
      end if;
      return new;
    end $$;
    create trigger take_time before insert on app.export_contacts for each row execute function public.take_time()`.execute(
    product.db,
  );
  onTestFinished(async () => {
    await sql`drop function public.take_time cascade`.execute(product.db);
  });
  const answer = await beginFile();
  process.kill(child() ?? 0, 'SIGKILL');
  await expect(text(answer)).rejects.toThrow('aborted');
});

test.runIf(process.platform === 'linux')('each of its threads goes behind its server', async () => {
  expect((await ask(`/api/lists/${list}/callability`)).status).toBe(200);
  const pid = child() ?? 0;
  const usual = getPriority(server.child.pid);
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) => getPriority(Number(thread)));
  expect(new Set(threads)).toEqual(new Set([Math.min(usual + 10, 19)]));
});

test('a stop waits for a file under way, and leaves no process behind', async () => {
  const answer = await beginFile();
  const pid = child() ?? 0;
  const stopped = server.stop();
  expect((await text(answer)).trimEnd().split('\r\n')).toHaveLength(LONG + 1);
  expect(await stopped).toBe(0);
  expect(runs(pid)).toBe(false);
  await startAgain();
});

test('it ends with its server, however that ends', async () => {
  expect((await ask(`/api/lists/${list}/callability`)).status).toBe(200);
  const pid = child() ?? 0;
  expect(runs(pid)).toBe(true);
  await server.stop('SIGKILL');
  await expect.poll(() => runs(pid)).toBe(false);
  await startAgain();
});

test('nothing of who asks, and for what, is printed', async () => {
  await ask('/api/account/export').then((answer) => answer.text());
  for (const secret of ['ann@people.example', ENCRYPTION_KEY, ann.headers.authorization, 'Invented', 'fairlead-told'])
    expect(server.output).not.toContain(secret);
});

async function withApart(env: Record<string, string>, use: (apart: Apart) => Promise<void>): Promise<void> {
  for (const [name, value] of Object.entries({
    DATA_DIR: folder,
    DATABASE_URL: product.url,
    ENCRYPTION_KEYS: ENCRYPTION_KEY,
    ...env,
  }))
    vi.stubEnv(name, value);
  const apart = createApart({
    databaseUrl: product.url,
    isSerial: true,
    siteUrl: url,
    log: product.deps.log,
    idleMs: 200,
  });
  try {
    await use(apart);
  } finally {
    await apart.stop();
    vi.unstubAllEnvs();
  }
}
const askApart = (apart: Apart) =>
  apart.answer({
    method: 'GET',
    path: `/api/lists/${list}/callability`,
    body: undefined,
    told: {
      requestId: 'one',
      ip: '192.0.2.1',
      user: { userId: ann.userId, sessionId: '', email: '', role: 'user', aal: 'aal1', isFresh: false },
    },
    signal: new AbortController().signal,
  });

test('it is there only while it is needed', () =>
  withApart({}, async (apart) => {
    expect(apart.pid).toBeUndefined();
    const answer = await askApart(apart);
    expect(answer?.status).toBe(200);
    const pid = apart.pid ?? 0;
    expect(runs(pid)).toBe(true);
    await answer?.text();
    await expect.poll(() => runs(pid)).toBe(false);
    expect(apart.pid).toBeUndefined();
    expect((await askApart(apart))?.status).toBe(200);
  }));

test('where it cannot be started, its work is done here', () =>
  withApart({ PORT: 'none' }, async (apart) => {
    expect(await askApart(apart)).toBeUndefined();
    expect(product.log.join('')).toContain('the process for long work could not be started');
  }));
