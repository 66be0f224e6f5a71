import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { backUp } from '#db/backup/back-up.ts';
import { digestOf } from '#db/backup/digest.ts';
import { isOfBackend, listTables } from '#db/backup/tables.ts';
import { freePort } from '#db/embedded/free-port.ts';
import { createVault } from '#db/sealed/vault.ts';
import { storedFile } from '#db/values/stored-file.ts';
import { keyPlace } from '#server/api-keys/api-key.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { temporaryFolder } from '#test/databases/postgres.ts';
import { COMPILED_ONCE, type ServerProcess, startServer } from '#test/servers/server-process.ts';

// Two servers and several commands are started, each a process of its own.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 });

const ANN = { id: randomUUID(), email: 'ann@people.example' };
const BOB = { id: randomUUID(), email: 'bob@people.example' };
const EVE = { id: randomUUID(), email: 'eve@people.example' };
const PHONE = '15125550142';
const LIST = randomUUID();
const EXPORT = `${ANN.id}/${LIST}/2026-11-20T09-00-00.000Z--all--all--500.csv`;
const PUBLISHABLE_KEY = 'sb_publishable_hosted';
const SECRET_KEY = `sb_secret_${randomBytes(24).toString('hex')}`;
const HOOK_SECRET = `v1,whsec_${randomBytes(32).toString('base64')}`;
const SILENT = { auth: { persistSession: false, autoRefreshToken: false } };
const newKey = () => randomBytes(32).toString('base64');
const [oldKey, key] = [newKey(), newKey()];

const folder = temporaryFolder();
const file = join(folder, 'backup.gz');
const processes: ServerProcess[] = [];
const clients: pg.Client[] = [];
let environment: Record<string, string>;
let backend: string;
let target: pg.Client;
const service = () => createClient(backend, SECRET_KEY, SILENT).auth.admin;

beforeAll(async () => {
  const source = await freshDatabase();
  await fill(await open(source));
  await backUp(source, file, folder);

  const adminUrl = await freshDatabase('empty');
  const port = await freePort();
  // Supabase's connections do not call themselves ours.
  const theirs = new URL(adminUrl);
  theirs.searchParams.set('application_name', 'supabase_auth');
  const site = `http://localhost:${port}`;
  const files = join(folder, 'of-supabase');
  backend = await start(
    { DATABASE_URL: theirs.href, FILES: files, SITE_URL: site, HOOK_SECRET, PUBLISHABLE_KEY, SECRET_KEY },
    'test/hosted/supabase-process.ts',
  );
  target = await open(adminUrl);
  environment = {
    PORT: String(port),
    DATA_DIR: folder,
    DATABASE_URL: await ownerLikeSupabases(adminUrl),
    ENCRYPTION_KEYS: oldKey,
    SUPABASE_URL: backend,
    SUPABASE_PUBLISHABLE_KEY: PUBLISHABLE_KEY,
    SUPABASE_SECRET_KEY: SECRET_KEY,
    SUPABASE_HOOK_SECRET: HOOK_SECRET,
  };
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.end()));
  await Promise.all(processes.map((one) => one.stop()));
  rmSync(folder, { recursive: true, force: true });
});

async function open(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  clients.push(client);
  return client;
}

function start(env: Record<string, string>, main?: string): Promise<string> {
  const server = startServer(env, main);
  processes.push(server);
  return server.ready();
}

async function command(name: string, args: string[] = [], env: object = {}) {
  const child = spawn(process.execPath, [`scripts/${name}.mjs`, ...args], {
    env: { PATH: process.env.PATH, ...COMPILED_ONCE, ...environment, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = await once(child, 'close');
  return { code: code as number | null, output };
}

/** An administrator, someone disabled and someone with a telephone, with sessions, a list, its leads, an export, a key and the ledger. */
async function fill(client: pg.Client): Promise<void> {
  const vault = createVault([oldKey]);
  const sealed = vault.seal('an api key', keyPlace(ANN.id, 'hunter_io'));
  const version = randomUUID();
  mkdirSync(dirname(storedFile(folder, version)), { recursive: true });
  writeFileSync(storedFile(folder, version), 'Name\r\nBakers');
  await client.query(`
    insert into auth.users (id, email, raw_user_meta_data, raw_app_meta_data) values
      ('${ANN.id}', '${ANN.email}', '{"name": "Änn"}', '{"role": "admin"}'), ('${BOB.id}', '${BOB.email}', '{}', '{}');
    insert into auth.users (id, email, phone, phone_confirmed_at) values ('${EVE.id}', '${EVE.email}', '${PHONE}', now());
    update auth.users set phone = '15125550143', phone_confirmed_at = now() where id = '${BOB.id}';
    insert into auth.mfa_factors (user_id, factor_type, phone, status) values ('${BOB.id}', 'phone', '15125550143', 'verified');
    insert into app.profiles (user_id, email, role, status) values
      ('${ANN.id}', '${ANN.email}', 'admin', 'active'), ('${BOB.id}', '${BOB.email}', 'user', 'disabled'),
      ('${EVE.id}', '${EVE.email}', 'user', 'active');
    insert into public.lists (id, user_id, name, status) values ('${LIST}', '${ANN.id}', 'Bakers', 'completed');
    insert into public.leads (list_id, position, business_name)
      select '${LIST}', i, E'Tabs\\tand\\nlines ' || i from generate_series(1, 500) as i;
    insert into app.provider_keys (user_id, provider, sealed_key, last_four, fingerprint, sandbox)
      values ('${ANN.id}', 'hunter_io', '${sealed}', ' key', '${vault.fingerprint('hunter_io:an api key')}', false);
    insert into app.paid_calls (idempotency_key, user_id, provider, operation, subject, estimate_micros, sandbox)
      values ('one', '${ANN.id}', 'hunter_io', 'domain_search', 'bakers.example', 34000, false);
    insert into storage.objects (bucket_id, name, version, metadata) values ('exports', '${EXPORT}', '${version}', '{}');
    insert into app.audit_log (action, actor_id) values ('signed_in', '${ANN.id}');
  `);
  await addSession(client, ANN.id, { spent: 'ann-first', token: 'ann-second' });
  await addSession(client, ANN.id, { token: 'ann-ended', columns: { not_after: new Date(0) } });
  await addSession(client, BOB.id, { token: 'bob-halfway' });
  await addSession(client, BOB.id, { token: 'bob-proven', columns: { aal: 'aal2' } });
}

type Session = { token: string; spent?: string; columns?: { aal?: string; not_after?: Date } };
async function addSession(client: pg.Client, userId: string, { token, spent, columns = {} }: Session) {
  const { aal = 'aal1', not_after = null } = columns;
  await client.query(
    `with session as (insert into auth.sessions (user_id, ip, aal, not_after) values ($1, '203.0.113.7', $2, $3) returning id)
     insert into auth.refresh_tokens (session_id, token_hash, used_at)
     select id, sha256($4::text::bytea), null from session
     union all select id, sha256($5::text::bytea), now() from session where $5::text is not null`,
    [userId, aal, not_after, token, spent],
  );
}

/** As a page does that has stood open since before the move. */
async function carryOver(refresh_token: string): Promise<{ status: number; token_hash: string }> {
  const response = await fetch(`http://localhost:${environment.PORT}/api/session/carry-over`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ refresh_token }),
  });
  const { data } = (await response.json()) as { data?: { token_hash: string } };
  return { status: response.status, token_hash: data?.token_hash ?? '' };
}

/** Like `postgres` at Supabase: no superuser, and neither owner of schema auth nor able to write there. */
async function ownerLikeSupabases(adminUrl: string): Promise<string> {
  const [role, password] = [`hosted_owner_${randomBytes(4).toString('hex')}`, randomBytes(12).toString('hex')];
  await target.query(`
    create role ${role} login createrole bypassrls password '${password}';
    grant anon, authenticated, service_role, fairlead_web, fairlead_worker to ${role} with admin option;
    grant create on database ${new URL(adminUrl).pathname.slice(1)} to ${role};
    grant usage on schema auth to ${role};
    grant references on auth.users to ${role};
    grant select on auth.mfa_factors to ${role};
    alter schema public owner to ${role};
    alter table storage.buckets owner to ${role}; -- Supabase lets its owner role write policies without that
    alter table storage.objects owner to ${role};
    grant usage on schema storage to ${role};
    grant usage on schema realtime to ${role};
    grant create on schema realtime to ${role};
    grant execute on function realtime.watch(regclass, text), realtime.answer_for(regclass), realtime.tell_change(), realtime.topic() to ${role};
    alter table realtime.messages owner to ${role};
  `);
  const url = new URL(adminUrl);
  url.username = role;
  url.password = password;
  return url.href;
}

async function digests(client: pg.Client) {
  const found: Record<string, object> = {};
  for (const table of await listTables(client))
    if (!isOfBackend(table) && table.name !== 'carried_sessions')
      found[`${table.schema}.${table.name}`] = await digestOf(client, table);
  return found;
}

test.each([
  [{ email: BOB.email }, `the id, of ${BOB.email}. Delete it there`],
  [{ email: 'bea@people.example', phone: PHONE, phone_confirm: true }, `the phone number of ${EVE.email}. Remove it`],
])('what Supabase knows by another id is refused before anything is written: %o', async (other, message) => {
  const { data } = await service().createUser(other);
  expect(await command('restore', [file])).toMatchObject({ code: 1, output: expect.stringContaining(message) });
  expect((await service().listUsers()).data.users).toHaveLength(1);
  expect((await target.query("select to_regnamespace('app') as app")).rows).toEqual([{ app: null }]);
  await service().deleteUser(data.user?.id ?? '');
});

test('people, sessions, lists, leads, keys, exports and ledger move; whose browser was signed in goes on without a mail', async () => {
  // What an earlier try has left behind.
  await service().createUser({ ...ANN, email_confirm: true });
  const moved = await command('restore', [file]);
  expect(moved).toMatchObject({ code: 0, output: expect.stringContaining('Browsers stay signed in') });
  const [source] = clients;
  expect(await digests(target)).toEqual(source && (await digests(source)));
  expect((await target.query('select count(*)::integer as sessions from auth.sessions')).rows).toEqual([
    { sessions: 0 },
  ]);
  const bob = (await service().getUserById(BOB.id)).data.user;
  // One phone would prove both steps.
  expect(bob).toMatchObject({ email: BOB.email, phone: '', banned_until: expect.any(String) });

  expect(await command('restore', [file])).toMatchObject({
    code: 1,
    output: expect.stringContaining('it has 3 users'),
  });
  expect(await command('restore', [file, '--replace'])).toMatchObject({ code: 0 });
  expect(await command('backup', [file])).toMatchObject({
    code: 1,
    output: expect.stringContaining('its own backups'),
  });

  // Supabase seals its own keys by itself: neither the rotation nor a start looks at them.
  await fetch(`${backend}/auth/v1/.well-known/jwks.json`);
  const rotated = await command('rotate-keys', [], { ENCRYPTION_KEYS: `${key},${oldKey}` });
  expect(rotated).toMatchObject({ code: 0, output: expect.stringContaining('provider_keys.sealed_key: 1 sealed') });
  await start({ ...environment, ENCRYPTION_KEYS: key });

  // What a page that is open since before the move takes for an outage, and nothing that ends its session.
  expect((await fetch(`http://localhost:${environment.PORT}/auth/v1/token`, { method: 'POST' })).status).toBe(503);
  const refused = { 'ann-first': 401, 'ann-ended': 401, 'bob-halfway': 401, 'bob-proven': 403, nobody: 401 };
  for (const [token, status] of Object.entries(refused))
    expect(await carryOver(token), token).toEqual({ status, token_hash: '' });
  const { status, token_hash } = await carryOver('ann-second');
  expect(status).toBe(200);
  const ann = createClient(backend, PUBLISHABLE_KEY, SILENT);
  expect((await ann.auth.verifyOtp({ token_hash, type: 'email' })).error).toBeNull();
  expect(await ann.from('lists').select('name')).toMatchObject({ error: null, data: [{ name: 'Bakers' }] });
  const kept = await ann.storage.from('exports').download(EXPORT);
  expect([kept.error, await kept.data?.text(), kept.data?.type]).toEqual([null, 'Name\r\nBakers', 'text/csv']);
  expect((await carryOver('ann-second')).status).toBe(401);
  expect(processes[0]?.output).not.toContain('Mail for');
  const again = await service().generateLink({ type: 'magiclink', email: BOB.email });
  const out = await ann.auth.verifyOtp({ token_hash: again.data.properties?.hashed_token ?? '', type: 'email' });
  expect(out.error).not.toBeNull();

  const eve = createClient(backend, PUBLISHABLE_KEY, SILENT);
  expect((await eve.auth.signInWithOtp({ phone: PHONE })).error).toBeNull();
  const [, token = ''] = /Text for \S+: \D*(\d{6})/.exec(processes[0]?.output ?? '') ?? [];
  expect((await eve.auth.verifyOtp({ phone: PHONE, token, type: 'sms' })).error).toBeNull();
});
