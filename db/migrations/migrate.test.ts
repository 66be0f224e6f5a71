import pg from 'pg';
import { expect, test } from 'vitest';
import { freshDatabase } from '#test/databases/database.ts';
import { eventually } from '#test/eventually.ts';
import { applyMigrations, MigrationError } from './apply-migrations.ts';
import { migrate } from './migrate.ts';
import type { Migration } from './read-migrations.ts';

const migration = (version: string, sql: string): Migration => ({
  file: `supabase/migrations/${version}_step.sql`,
  version,
  name: 'step',
  sql,
});
const rowsOf = async (client: pg.Client, sql: string) => (await client.query(sql)).rows;
async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  return client;
}

test('brings an empty database up to date, once, also when several start together', async () => {
  const url = await freshDatabase('empty');
  await Promise.all([1, 2, 3].map(() => migrate(url, { hosted: false })));
  const client = await connected(url);
  const recorded = await rowsOf(
    client,
    'select version, name, statements from supabase_migrations.schema_migrations order by 1',
  );
  expect(recorded[0]).toMatchObject({ version: '20261123100100', name: 'roles' });
  expect(recorded[2].statements[0]).toContain('create table public.lists');
  await migrate(url, { hosted: false });
  expect(await rowsOf(client, 'select version from supabase_migrations.schema_migrations')).toHaveLength(
    recorded.length,
  );
  expect(await rowsOf(client, 'select version from backend_migrations.schema_migrations')).not.toHaveLength(0);
  await client.end();
});

test('leaves the schema of hosted Supabase to it', async () => {
  const url = await freshDatabase('empty');
  // Without the schema auth, which Supabase would bring, the product's first file cannot be applied.
  await expect(migrate(url, { hosted: true })).rejects.toThrow(MigrationError);
  const client = await connected(url);
  expect(
    await rowsOf(client, `select to_regnamespace('auth') as auth, to_regnamespace('backend_migrations') as ours`),
  ).toEqual([{ auth: null, ours: null }]);
  await client.end();
});

test('a failing file names itself and its line, is undone, and leaves those before it', async () => {
  const client = await connected(await freshDatabase('empty'));
  const steps = [migration('1', 'create table one ()'), migration('2', 'create table two ();\nselect *\nfrom nowhere')];
  await expect(applyMigrations(client, 'supabase_migrations', steps)).rejects.toThrow(
    'The migration supabase/migrations/2_step.sql (line 3) failed: relation "nowhere" does not exist',
  );
  expect(await rowsOf(client, 'select version from supabase_migrations.schema_migrations')).toEqual([{ version: '1' }]);
  expect(await rowsOf(client, `select to_regclass('one')::text as one, to_regclass('two') as two`)).toEqual([
    { one: 'one', two: null },
  ]);
  await applyMigrations(client, 'supabase_migrations', [...steps.slice(0, 1), migration('2', 'create table two ()')]);
  expect(await rowsOf(client, 'select version from supabase_migrations.schema_migrations')).toHaveLength(2);
  await client.end();
});

test('a table that is in use is waited for in turns, so that no one stands in line behind the migration', async () => {
  const url = await freshDatabase('empty');
  const [client, user] = [await connected(url), await connected(url)];
  await client.query('create table busy (id int)');
  await user.query('begin; insert into busy values (1)');
  const steps = [migration('1', 'alter table busy add column name text')];
  const applied = applyMigrations(client, 'supabase_migrations', steps, { lockPatienceMs: 40 });
  const reader = await connected(url);
  for (let read = 0; read < 3; read += 1) expect(await rowsOf(reader, 'select from busy')).toEqual([]);
  await user.query('commit');
  await applied;
  expect(await rowsOf(client, 'select id, name from busy')).toEqual([{ id: 1, name: null }]);
  await Promise.all([client, user, reader].map((one) => one.end()));
});

test.each([
  ['gives way before PostgreSQL looks for it', {}],
  ['is tried again when PostgreSQL has ended it', { lockPatienceMs: 5_000 }],
])('a migration and a request that wait for each other: the migration %s', async (_, options) => {
  const url = await freshDatabase('empty');
  const [client, user] = [await connected(url), await connected(url)];
  await client.query('create table people (id int); create table sessions (id int)');
  await client.query("set deadlock_timeout = '700ms'");
  await user.query("set deadlock_timeout = '1min'");
  await user.query('begin; select from sessions');
  const steps = [migration('1', 'alter table people add column name text; alter table sessions add column name text')];
  const applied = applyMigrations(client, 'supabase_migrations', steps, options);
  const waiting =
    'select from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())';
  await eventually(async () => expect(await rowsOf(user, waiting)).toHaveLength(1));
  await user.query('insert into people values (1); commit');
  await applied;
  expect(await rowsOf(client, 'select id, name from people')).toEqual([{ id: 1, name: null }]);
  await Promise.all([client, user].map((one) => one.end()));
});

test('a lock that a migration takes at its end is waited for in turns, too', async () => {
  const url = await freshDatabase('empty');
  const [client, user] = [await connected(url), await connected(url)];
  await client.query(`
    create sequence tries;
    create table busy (try bigint);
    create function lock_busy() returns trigger language plpgsql as $$ begin lock table busy; return null; end $$;
    create constraint trigger at_the_end after insert on busy deferrable initially deferred for each row execute function lock_busy()`);
  await user.query('begin; select from busy');
  const steps = [migration('1', `insert into busy values (nextval('tries'))`)];
  const applied = applyMigrations(client, 'supabase_migrations', steps, { lockPatienceMs: 40 });
  await eventually(async () => expect(await rowsOf(user, 'select from tries where last_value > 1')).toHaveLength(1));
  await user.query('commit');
  await applied;
  expect(await rowsOf(user, 'select from busy')).toHaveLength(1);
  await Promise.all([client, user].map((one) => one.end()));
});

/** The record that every database from before the first release has. */
const FIRST_OF_OLD = { ...migration('20261121000000', 'create table public.lists (id uuid)'), name: 'lists_and_leads' };

test.each([true, false])(
  'a database from before the first release is refused in words, and stays as it is (hosted: %s)',
  async (hosted) => {
    const url = await freshDatabase('empty');
    const client = await connected(url);
    // Our backend had used some of the numbers that it uses today.
    if (!hosted) await applyMigrations(client, 'backend_migrations', [migration('0001', 'create schema auth')]);
    await applyMigrations(client, 'supabase_migrations', [FIRST_OF_OLD]);
    await expect(migrate(url, { hosted })).rejects.toThrow('older than the first release of Fairlead');
    expect(await rowsOf(client, 'select version from supabase_migrations.schema_migrations')).toEqual([
      { version: FIRST_OF_OLD.version },
    ]);
    expect(await rowsOf(client, "select to_regnamespace('app') as app, to_regclass('auth.users') as users")).toEqual([
      { app: null, users: null },
    ]);
    await client.end();
  },
);

test('a Supabase project that has migrations of its own takes Fairlead’s beside them', async () => {
  const url = await freshDatabase('empty');
  const client = await connected(url);
  await applyMigrations(client, 'supabase_migrations', [migration('20200101000000', 'create table public.theirs ()')]);
  await migrate(url, { hosted: false });
  expect(await rowsOf(client, "select to_regclass('public.lists')::text as ours")).toEqual([{ ours: 'lists' }]);
  await client.end();
});

test('continues after files that the Supabase CLI has applied', async () => {
  const client = await connected(await freshDatabase('empty'));
  await client.query('create schema supabase_migrations');
  await client.query(
    'create table supabase_migrations.schema_migrations (version text primary key, statements text[], name text, created_by text)',
  );
  await client.query(
    "insert into supabase_migrations.schema_migrations values ('1', array['select 1', 'select 2'], 'step')",
  );
  await applyMigrations(client, 'supabase_migrations', [
    migration('1', 'not even sql'),
    migration('2', 'create table two ()'),
  ]);
  expect(await rowsOf(client, 'select version from supabase_migrations.schema_migrations order by 1')).toEqual([
    { version: '1' },
    { version: '2' },
  ]);
  await client.end();
});
