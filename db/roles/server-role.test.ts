import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase } from '#test/databases/database.ts';
import { assuming, hasRole, loggingIn, type ServerRole } from './server-role.ts';

let url: string;
const clients: pg.Client[] = [];
const userId = randomUUID();

beforeAll(async () => {
  url = await freshDatabase();
  const owner = await open(url);
  await owner.query(`
    insert into auth.users (id, email) values ('${userId}', 'ann@people.example');
    insert into app.profiles (user_id, email) values ('${userId}', 'ann@people.example');
    insert into app.paid_calls (idempotency_key, user_id, provider, operation, subject, state, estimate_micros, sandbox)
      select state, '${userId}', 'hunter_io', 'domain_search', state, state, 0, true
      from unnest(array['planned', 'sent', 'answered', 'failed', 'uncertain']) as state;
    insert into app.audit_log (action) values ('key.added');
    insert into public.lists (user_id, name) values ('${userId}', 'Bakers')`);
});
afterAll(() => Promise.all(clients.map((client) => client.end())));

async function open(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  clients.push(client);
  return client;
}
const as = (role: ServerRole) => open(assuming(url, role));

test.each([
  'select code_hash from auth.one_time_tokens',
  'select token_hash from auth.refresh_tokens',
  'select sealed_private_jwk from auth.signing_keys',
  'select id from auth.users',
  'insert into auth.sessions (user_id) values (gen_random_uuid())',
  'select role from app.profiles',
  "update app.profiles set role = 'admin'",
  'select email from app.invitations',
  'select state_hash from app.crm_oauth_states',
  'select tag_id from app.required_tags',
  "update app.provider_keys set sealed_key = 'x'",
  'delete from app.provider_keys',
  "insert into app.audit_log (action) values ('forged')",
  "update app.audit_log set action = 'forged'",
  'select actor_email, ip from app.audit_log',
  "insert into public.lists (user_id, name) values (gen_random_uuid(), 'x')",
  'select * from supabase_migrations.schema_migrations',
])('a worker may not: %s', async (statement) => {
  const worker = await as('worker');
  await expect(worker.query(statement)).rejects.toMatchObject({ code: '42501' });
});

test.each(
  (['web', 'worker'] as const).flatMap((role) =>
    [
      'drop table public.leads',
      'truncate public.lists cascade',
      'truncate auth.sessions cascade',
      'alter table public.lists disable row level security',
      'alter table app.audit_log disable trigger append_only',
      'drop policy server on app.profiles',
      'create table public.mine (id integer)',
      'create table app.mine (id integer)',
      'create schema mine',
      'create role mine',
      'grant fairlead_web to fairlead_worker',
      "copy public.lists to program 'id'",
      "select pg_read_file('/etc/passwd')",
      'select rolpassword from pg_authid',
      'set session_replication_role = replica',
      'create function public.mine() returns integer language sql as $$ select 1 $$',
      'drop table pgboss.job cascade',
    ].map((statement) => [role, statement] as const),
  ),
)('a %s process may not: %s', async (role, statement) => {
  const server = await as(role);
  await expect(server.query(statement)).rejects.toMatchObject({ code: '42501' });
});

test.each(['web', 'worker'] as const)('row-level security holds for a %s process', async (role) => {
  const owner = await open(url);
  const server = await as(role);
  const seen = async () => (await server.query('select id from public.lists')).rowCount;
  expect(await seen()).toBe(1);
  await owner.query('alter policy server on public.lists to pg_monitor');
  try {
    // What is left are the policies of callers, whose claims are not there.
    expect(await seen()).toBe(0);
  } finally {
    await owner.query('alter policy server on public.lists to service_role, fairlead_worker');
  }
});

test('a worker deletes calls that were planned, and none of the ledger', async () => {
  const worker = await as('worker');
  const { rows } = await worker.query('delete from app.paid_calls returning state');
  expect(rows).toEqual([{ state: 'planned' }]);
});

test('a line of the audit log stays until its time is over, no matter who asks', async () => {
  for (const role of ['web', 'worker'] as const) {
    const server = await as(role);
    await expect(server.query('delete from app.audit_log')).rejects.toThrow('append-only');
  }
});

test('the role that logs in by itself has no way back to the owner, and its last password ends', async () => {
  const first = await loggingIn(url, 'worker');
  const worker = await open(first);
  expect((await worker.query('select session_user as who')).rows).toEqual([{ who: 'fairlead_worker' }]);
  for (const role of ['postgres', 'service_role', 'authenticated', 'fairlead_web'])
    await expect(worker.query(`set role ${role}`)).rejects.toMatchObject({ code: '42501' });
  expect(await hasRole(first, 'worker')).toEqual({ has: true, owns: false });
  expect(await hasRole(first, 'web')).toEqual({ has: false, owns: false });
  expect(await hasRole(url, 'web')).toEqual({ has: true, owns: true });
  await loggingIn(url, 'worker');
  await expect(hasRole(first, 'worker')).rejects.toThrow('password authentication failed');
});

test('options that the address has already are kept', async () => {
  const address = new URL(url);
  address.searchParams.set('options', '-c statement_timeout=4321');
  const web = await open(assuming(address.href, 'web'));
  const { rows } = await web.query("select current_user as who, current_setting('statement_timeout') as timeout");
  expect(rows).toEqual([{ who: 'fairlead_web', timeout: '4321ms' }]);
});
