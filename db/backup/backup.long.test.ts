import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { applyMigrations, pendingMigrations } from '#db/migrations/apply-migrations.ts';
import { migrate } from '#db/migrations/migrate.ts';
import { backendMigrations, productMigrations } from '#db/migrations/our-migrations.ts';
import { storedFile } from '#db/values/stored-file.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { temporaryFolder } from '#test/databases/postgres.ts';
import { backUp } from './back-up.ts';
import { digestOf } from './digest.ts';
import { restore } from './restore.ts';
import { listTables } from './tables.ts';

const folder = temporaryFolder();
const stored = join(folder, 'storage');
let file: string;
let source: string;
const clients: pg.Client[] = [];

beforeAll(async () => {
  source = await freshDatabase();
  await fill(source);
});
beforeEach(() => {
  file = join(folder, randomUUID());
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.end()));
  rmSync(folder, { recursive: true });
});

async function open(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  clients.push(client);
  return client;
}

async function digests(url: string): Promise<Record<string, object>> {
  const client = await open(url);
  const found: Record<string, object> = {};
  for (const table of await listTables(client)) found[`${table.schema}.${table.name}`] = await digestOf(client, table);
  return found;
}

const ANN = '11111111-1111-4111-8111-111111111111';

/** A row or more in tables of every kind: foreign keys, identity, bytea, json, arrays, a table that refers to itself. */
async function fill(url: string): Promise<void> {
  const client = await open(url);
  await client.query(`
    insert into auth.users (id, email, raw_user_meta_data) values ('${ANN}', 'ann@people.example', '{"name": "Änn \\\\ \\"A\\""}');
    insert into app.profiles (user_id, email, role) values ('${ANN}', 'ann@people.example', 'admin');
    insert into auth.sessions (id, user_id, ip) values ('${ANN}', '${ANN}', '203.0.113.7');
    insert into auth.refresh_tokens (id, session_id, token_hash, parent_id)
      select gen_random_uuid(), '${ANN}', sha256(i::text::bytea), null from generate_series(1, 3) as i;
    update auth.refresh_tokens set parent_id = (select max(id::text)::uuid from auth.refresh_tokens);
    insert into public.lists (id, user_id, name) values ('${ANN}', '${ANN}', E'Tabs\\tand\\nlines');
    insert into public.leads (list_id, position, business_name, address, latitude)
      select '${ANN}', i, 'Business ' || i, case when i % 2 = 0 then E'1 \\\\N Road\\r\\n' else '' end, i / 3.0
      from generate_series(1, 5000) as i;
    insert into app.audit_log (action, actor_id, details) values ('signed_in', '${ANN}', '{"a": [1, null]}'), ('key_saved', '${ANN}', '{}');
    insert into app.call_spacing (bucket, recent) values ('x', array[now(), '2026-01-01 00:00:00.123456+00']);
  `);
}

test('a restored database has the same rows, and goes on where the old one stopped', async () => {
  await backUp(source, file, stored);
  const target = await freshDatabase('empty');
  await restore(target, file, { folder: stored, replace: false });
  const restored = await digests(target);
  expect(restored).toEqual(await digests(source));
  expect(restored['public.leads']).toMatchObject({ rows: 5000 });
  expect(restored['auth.refresh_tokens']).toMatchObject({ rows: 3 });

  const client = await open(target);
  const { rows } = await client.query("insert into app.audit_log (action) values ('x') returning id");
  expect(rows).toEqual([{ id: '3' }]);
  await expect(client.query('delete from app.audit_log')).rejects.toThrow('append-only');
  const { rows: unforced } = await client.query(
    `select relname from pg_class where relkind = 'r' and relnamespace::regnamespace::text in ('public', 'app', 'auth', 'storage')
     and not (relrowsecurity and relforcerowsecurity)`,
  );
  expect(unforced).toEqual([]);
  await migrate(target, { hosted: false });
});

test('every table of ours is in it, and what someone else keeps beside them is left alone', async () => {
  const url = await freshDatabase();
  const client = await open(url);
  const { rows } = await client.query(
    "select schemaname || '.' || tablename as name from pg_tables where schemaname in ('public', 'app', 'auth', 'storage') order by 1",
  );
  // What its own files bring again.
  const loadedAgain = ['app.open_places', 'app.open_staged', 'app.open_street_map_places'];
  const names = rows.map((row) => row.name).filter((name) => !loadedAgain.includes(name));
  expect(Object.keys(await digests(url)).sort()).toEqual(names);
  await client.query('create table public.foreign_things (id integer); insert into foreign_things values (1)');
  await backUp(url, file, stored);
  await restore(url, file, { folder: stored, replace: true });
  expect((await client.query('select * from foreign_things')).rows).toEqual([{ id: 1 }]);
});

test('it is one moment, whatever is written meanwhile, and readable by its owner only', async () => {
  const url = await freshDatabase();
  await fill(url);
  const client = await open(url);
  let going = true;
  const writing = (async () => {
    while (going)
      await client
        .query(
          `with list as (insert into public.lists (user_id, name) values ('${ANN}', 'more') returning id)
         insert into public.leads (list_id, position, business_name) select id, 1, 'b' from list`,
        )
        .catch(() => undefined);
  })();
  const { tables } = await backUp(url, file, stored);
  going = false;
  await writing;
  const rowsIn = (name: string) => tables.find((table) => table.name === name)?.rows ?? 0;
  expect(rowsIn('leads') - 5000).toBe(rowsIn('lists') - 1);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(existsSync(`${file}.partial`)).toBe(false);
  await restore(await freshDatabase('empty'), file, { folder: stored, replace: false });
});

test('stored files come along, and a damaged one is told', async () => {
  const url = await freshDatabase();
  const client = await open(url);
  const large = randomBytes(1_300_000);
  const contents = new Map([
    [randomUUID(), large],
    [randomUUID(), Buffer.alloc(0)],
    [randomUUID(), Buffer.from('a,b\n')],
  ]);
  const [first = ''] = contents.keys();
  const from = join(folder, randomUUID());
  for (const [version, bytes] of [...contents, [randomUUID(), Buffer.from('of no row')] as const]) {
    mkdirSync(join(from, version.slice(0, 2)), { recursive: true });
    writeFileSync(storedFile(from, version), bytes);
  }
  await client.query(
    `insert into storage.objects (bucket_id, name, version, metadata) select 'exports', i::text, version, '{}'
     from unnest($1::text[]) with ordinality as file (version, i)`,
    [[...contents.keys(), first, randomUUID()]],
  );
  await backUp(url, file, from);

  const into = join(folder, randomUUID());
  await restore(await freshDatabase('empty'), file, { folder: into, replace: false });
  for (const [version, bytes] of contents) expect(readFileSync(storedFile(into, version)).equals(bytes)).toBe(true);
  expect(readdirSync(into, { recursive: true }).filter((name) => String(name).length > 2)).toHaveLength(3);

  const lines = gunzipSync(readFileSync(file)).toString('latin1').split('\n');
  const at = lines.indexOf(large.subarray(0, 512 * 1024).toString('base64'));
  lines[at] = `AAAA${lines[at]?.slice(4)}`;
  writeFileSync(file, gzipSync(lines.join('\n')));
  const restoring = restore(await freshDatabase('empty'), file, { folder: into, replace: false });
  await expect(restoring).rejects.toThrow('A stored file does not match what was saved');
});

test('a backup that fails leaves nothing, and the one before it', async () => {
  writeFileSync(file, 'yesterday');
  await expect(backUp(await freshDatabase('empty'), file, stored)).rejects.toThrow('does not hold Fairlead yet');
  expect(readFileSync(file, 'utf8')).toBe('yesterday');
  expect(existsSync(`${file}.partial`)).toBe(false);
});

test('a database with users is refused, and replaced when that is asked for', async () => {
  await backUp(source, file, stored);
  const target = await freshDatabase();
  const client = await open(target);
  await client.query("insert into auth.users (email) values ('bob@people.example')");
  const before = await digests(target);
  await expect(restore(target, file, { folder: stored, replace: false })).rejects.toThrow(
    'it has a user. To replace all of it',
  );
  expect(await digests(target)).toEqual(before);
  await restore(target, file, { folder: stored, replace: true });
  expect(await digests(target)).toEqual(await digests(source));
});

test('a database that a server works on is refused', async () => {
  await backUp(source, file, stored);
  const target = await freshDatabase();
  const server = new pg.Client({ connectionString: target, application_name: 'fairlead' });
  await server.connect();
  await expect(restore(target, file, { folder: stored, replace: true })).rejects.toThrow(
    'Stop all servers, then restore.',
  );
  await server.end();
});

test('a database of something else is refused', async () => {
  await backUp(source, file, stored);
  const target = await freshDatabase('empty');
  await (await open(target)).query('create schema app');
  await expect(restore(target, file, { folder: stored, replace: true })).rejects.toThrow('belongs to another program');
});

test('damaged, cut and foreign files change nothing', async () => {
  await backUp(source, file, stored);
  const target = await freshDatabase('empty');
  const whole = readFileSync(file);
  const text = gunzipSync(whole).toString('utf8');
  const damaged: [string | Buffer, string][] = [
    ['not a backup', 'damaged, or not a backup'],
    [gzipSync('{"some": "json"}\n'), 'not a backup of Fairlead'],
    [whole.subarray(0, whole.length / 2), 'damaged'],
    [gzipSync(text.slice(0, text.length / 2)), 'ends too early'],
    [gzipSync(text.replace('Business 77\t', 'Business 78\t')), 'The rows of public.leads do not match what was saved'],
    [gzipSync(text.replace('"fairleadBackup":1', '"fairleadBackup":2')), 'made by a newer Fairlead'],
    [gzipSync(text.replace('"product":[', '"product":["29991231000000",')), 'made by a newer Fairlead'],
    [gzipSync(text.replace(/"product":\[[^\]]*\]/, '"product":["20261121000000"]')), 'older than the first release'],
  ];
  for (const [content, message] of damaged) {
    writeFileSync(file, content);
    await expect(restore(target, file, { folder: stored, replace: false })).rejects.toThrow(message);
  }
  await expect(restore(target, join(folder, 'missing'), { folder: stored, replace: false })).rejects.toThrow(
    'no such file',
  );
  const { rows } = await (await open(target)).query("select to_regnamespace('app') as app");
  expect(rows).toEqual([{ app: null }]);
});

test('no one is brought to hosted Supabase out of a damaged backup', async () => {
  await backUp(source, file, stored);
  const text = gunzipSync(readFileSync(file)).toString('utf8');
  writeFileSync(file, gzipSync(text.replace('Business 77\t', 'Business 78\t')));
  const brought: unknown[] = [];
  const bringPeople = async (people: object[]) => void brought.push(people);
  const hosted = { bringPeople, bringExport: async () => {} };
  const restoring = restore(await freshDatabase('empty'), file, { folder: stored, replace: false, hosted });
  await expect(restoring).rejects.toThrow('The rows of public.leads do not match what was saved');
  expect(brought).toEqual([]);
});

test('a backup of an older schema is brought forward', async () => {
  const old = await freshDatabase('empty');
  const client = await open(old);
  await applyMigrations(client, 'backend_migrations', backendMigrations());
  await applyMigrations(client, 'supabase_migrations', productMigrations().slice(0, 3));
  await client.query(`
    insert into auth.users (id, email) values ('${ANN}', 'ann@people.example');
    insert into public.lists (id, user_id, name) values ('${ANN}', '${ANN}', 'Old');
    insert into public.leads (list_id, position, business_name) values ('${ANN}', 1, 'Business')`);
  await backUp(old, file, stored);
  const target = await freshDatabase();
  await restore(target, file, { folder: stored, replace: false });
  const restored = await open(target);
  expect((await restored.query('select name from lists')).rows).toEqual([{ name: 'Old' }]);
  expect(await pendingMigrations(restored, 'supabase_migrations', productMigrations())).toEqual([]);
  expect(await digests(target)).toHaveProperty(['app.paid_calls']);
});

test('an ordinary owner, who is no superuser, can do both', async () => {
  const url = await freshDatabase('empty');
  const admin = await open(url);
  const role = `owner_${randomUUID().slice(0, 8)}`;
  const { rows } = await admin.query('select current_database() as name');
  await admin.query(`create role ${role} login password 'x' createrole`);
  await admin.query(`alter database ${rows[0].name} owner to ${role}`);
  await admin.query(`grant anon, authenticated, service_role to ${role} with admin option`);
  const theirs = new URL(url);
  theirs.username = role;
  theirs.password = 'x';
  await backUp(source, file, stored);
  await restore(theirs.href, file, { folder: stored, replace: false });
  expect(await digests(url)).toEqual(await digests(source));
  await backUp(theirs.href, file, stored);
  await restore(theirs.href, file, { folder: stored, replace: true });
  expect(await digests(url)).toEqual(await digests(source));
});
