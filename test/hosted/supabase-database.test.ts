import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '#db/migrations/migrate.ts';
import { installQueue } from '#jobs/install-queue.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { likeSupabase } from './supabase-database.ts';

const [ANN, BEA, LIST] = [randomUUID(), randomUUID(), randomUUID()];

let admin: pg.Client;
let own: pg.Client;
let ownerUrl: string;
let before: unknown;
beforeAll(async () => {
  const url = await freshDatabase('empty');
  ownerUrl = await likeSupabase(url);
  [admin, own] = [new pg.Client(url), new pg.Client(await freshDatabase())];
  await Promise.all([admin.connect(), own.connect()]);
  before = await whatIsTheirs();
  await migrate(ownerUrl, { hosted: true });
  await installQueue(ownerUrl);
});
afterAll(() => Promise.all([admin?.end(), own?.end()]));

const rowsOf = async (client: pg.Client, query: string) => (await client.query(query)).rows;

/** All of Supabase's schemas but policies and rows: owners, rights, columns, functions, triggers. */
const whatIsTheirs = () =>
  rowsOf(
    admin,
    `select schema.nspname, schema.nspacl, class.relname, class.relowner, class.relacl, class.relrowsecurity, class.relforcerowsecurity,
       (select json_agg(json_build_array(attname, atttypid, attnotnull, attacl) order by attnum) from pg_attribute
         where attrelid = class.oid and attnum > 0) as columns,
       (select json_agg(tgname) from pg_trigger where tgrelid = class.oid and not tgisinternal) as triggers,
       (select json_agg(json_build_array(proname, prosrc, proacl) order by proname) from pg_proc
         where pronamespace = schema.oid) as functions
     from pg_namespace as schema left join pg_class as class on class.relnamespace = schema.oid
     where nspname in ('auth', 'storage', 'realtime') order by 1, 3`,
  );

test('the migrations go through as someone who is no superuser, and change nothing of Supabase’s but policies', async () => {
  expect(await whatIsTheirs()).toEqual(before);
  // A second start has nothing to do.
  await migrate(ownerUrl, { hosted: true });
});

test('both tables are told of by its publication', async () => {
  const told = "select tablename from pg_publication_tables where pubname = 'supabase_realtime' order by 1";
  expect(await rowsOf(admin, told)).toEqual([{ tablename: 'leads' }, { tablename: 'lists' }]);
});

test('browsers may do what they may beside our own backend, although Supabase gives them all that is new', async () => {
  const rights = `
    select role, kind, name from unnest(array['anon', 'authenticated']) as role, lateral (
      select privilege || ' on table' as kind, class.oid::regclass::text as name
        from pg_class as class, unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) as privilege
        where relnamespace in ('public'::regnamespace, 'app'::regnamespace) and relkind in ('r', 'v', 'p')
          and has_table_privilege(role, class.oid, privilege)
      union all
      select privilege || ' on column', attrelid::regclass || '.' || attname
        from pg_attribute as attribute join pg_class as class on class.oid = attrelid, unnest(array['select', 'insert', 'update']) as privilege
        where relnamespace in ('public'::regnamespace, 'app'::regnamespace) and relkind in ('r', 'v', 'p') and attnum > 0
          and not attisdropped and has_column_privilege(role, attrelid, attnum, privilege)
      union all
      select 'execute', oid::regprocedure::text from pg_proc
        where pronamespace in ('public'::regnamespace, 'app'::regnamespace) and has_function_privilege(role, oid, 'execute')
    ) as may order by 1, 2, 3`;
  const may = await rowsOf(admin, rights);
  expect(may).toEqual(await rowsOf(own, rights));
  expect(may).toContainEqual({ role: 'authenticated', kind: 'select on table', name: 'lists' });
  expect(may.filter(({ role, kind }) => role === 'anon' && kind !== 'execute')).toEqual([]);
});

/** Runs a query as Supabase's APIs do for a browser. */
async function as(userId: string, query: string): Promise<unknown[]> {
  await admin.query('begin');
  try {
    const claims = JSON.stringify({ sub: userId, role: 'authenticated', aal: 'aal1' });
    await admin.query("select set_config('request.jwt.claims', $1, true)", [claims]);
    await admin.query(`select set_config('realtime.topic', 'lists:${ANN}', true)`);
    await admin.query('set local role authenticated');
    return await rowsOf(admin, query);
  } finally {
    await admin.query('rollback');
  }
}

test('our policies hold on tables that are not ours: kept exports and private channels are their owner’s alone', async () => {
  await admin.query(`
    insert into auth.users (id, email) values ('${ANN}', 'ann@people.example'), ('${BEA}', 'bea@people.example');
    insert into app.profiles (user_id, email) values ('${ANN}', 'ann@people.example'), ('${BEA}', 'bea@people.example');
    insert into public.lists (id, user_id, name, status) values ('${LIST}', '${ANN}', 'Bakers', 'completed');
    insert into storage.objects (bucket_id, name) values ('exports', '${ANN}/${LIST}/bakers.csv');
    insert into realtime.messages (topic, extension) values ('lists:${ANN}', 'broadcast')`);
  for (const query of ['select name from storage.objects', 'select topic from realtime.messages']) {
    expect(await as(ANN, query)).toHaveLength(1);
    expect(await as(BEA, query)).toEqual([]);
  }
  const keep = `insert into storage.objects (bucket_id, name) values ('exports', '${ANN}/${LIST}/more.csv') returning name`;
  expect(await as(ANN, keep)).toHaveLength(1);
  await expect(as(BEA, keep)).rejects.toThrow('row-level security');
  const speak = `insert into realtime.messages (topic, extension) values ('lists:${ANN}', 'broadcast')`;
  await expect(as(ANN, speak)).rejects.toThrow('row-level security');

  // A factor that was verified at Supabase is asked for by the policies.
  await admin.query(`insert into auth.mfa_factors values ('${randomUUID()}', '${ANN}', 'verified')`);
  expect(await as(ANN, 'select name from public.lists')).toEqual([]);
});
