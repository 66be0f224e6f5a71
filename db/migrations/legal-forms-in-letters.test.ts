import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { freshDatabase } from '#test/databases/database.ts';
import { applyMigrations } from './apply-migrations.ts';
import { backendMigrations, productMigrations } from './our-migrations.ts';

const STEP = '20261130020100';
const USER = '00000000-0000-4000-8000-000000000001';
const LIST = '00000000-0000-4000-8000-000000000002';

test('a company whose legal form was written in letters is held back under its name', async () => {
  const client = new pg.Client(await freshDatabase('empty'));
  await client.connect();
  onTestFinished(() => client.end());
  await applyMigrations(client, 'backend_migrations', backendMigrations());
  await applyMigrations(
    client,
    'supabase_migrations',
    productMigrations().filter(({ version }) => version < STEP),
  );
  await client.query(`
    insert into auth.users (id, email) values ('${USER}', 'olive@people.example');
    insert into app.profiles (user_id, email) values ('${USER}', 'olive@people.example');
    insert into public.lists (id, user_id, name) values ('${LIST}', '${USER}', 'Old');
    insert into public.leads (list_id, position, business_name) values
      ('${LIST}', 1, 'ACME L L C'), ('${LIST}', 2, 'Beech P. C.'), ('${LIST}', 3, 'Cedar Dental, L.L.P.'), ('${LIST}', 4, 'L L Bean');
    insert into app.suppressions (kind, key, source, added_at) values
      ('company', 'company:acme', 'hand', '2026-11-20'), ('company', 'company:acme l l c', 'file', '2026-11-10'),
      ('company', 'company:beech p c', 'hand', '2026-11-10'), ('company', 'company:cedar dental', 'hand', '2026-11-10');
    insert into app.exports (user_id, list_id, list_name, file_name) values ('${USER}', '${LIST}', 'Old', 'old.csv');
    insert into app.export_contacts (export_id, part, hashes)
      select id, 1, app.short_hashes('{company:beech p c}') from app.exports`);
  await applyMigrations(client, 'supabase_migrations', productMigrations());
  const { rows: leads } = await client.query(
    'select contact_keys, exists (select from app.suppressions where key = any (contact_keys)) as held from public.leads order by position',
  );
  expect(leads).toEqual([
    { contact_keys: ['company:acme'], held: true },
    { contact_keys: ['company:beech'], held: true },
    { contact_keys: ['company:cedar dental'], held: true },
    { contact_keys: ['company:l l bean'], held: false },
  ]);
  const { rows: entries } = await client.query(
    'select key, asked_at::date::text as asked from app.suppressions order by key',
  );
  expect(entries).toEqual([
    { key: 'company:acme', asked: '2026-11-10' },
    { key: 'company:beech', asked: null },
    { key: 'company:cedar dental', asked: null },
  ]);
  const { rows: exports } = await client.query(`select key from app.exports_holding('{company:beech}')`);
  expect(exports).toEqual([{ key: 'company:beech' }]);
});

test.each([
  ['Acme LLC', 'acme'],
  ['ACME L L C', 'acme'],
  ['Acme, L. L. C.', 'acme'],
  ['Acme Law P. L. L. C.', 'acme law'],
  ['B & W L L P', 'b w'],
  ['Acme P C', 'acme'],
  ['Oak Hill Partners, L. P.', 'oak hill partners'],
  // Initials, and names.
  ['A P C', 'a p c'],
  ['P C Richard & Son', 'p c richard son'],
  ['L L Bean', 'l l bean'],
  ['L L C', 'l l c'],
])('the company of %s is %s', async (name, key) => {
  const client = new pg.Client(await freshDatabase());
  await client.connect();
  onTestFinished(() => client.end());
  const { rows } = await client.query('select app.company_key($1) as key', [name]);
  expect(rows).toEqual([{ key }]);
});
