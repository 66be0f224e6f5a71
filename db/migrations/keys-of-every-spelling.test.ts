import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '#db/connection/client.ts';
import { findOwners } from '#server/features/suppressions/notices/find-owners.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { applyMigrations } from './apply-migrations.ts';
import { backendMigrations, productMigrations } from './our-migrations.ts';

const STEP = '20261126140300';
const USER = '00000000-0000-4000-8000-000000000001';
const LIST = '00000000-0000-4000-8000-000000000002';

test('what was stored under another key is held back under the new one', async () => {
  const url = await freshDatabase('empty');
  const client = new pg.Client(url);
  await client.connect();
  await applyMigrations(client, 'backend_migrations', backendMigrations());
  const before = productMigrations().filter(({ version }) => version < STEP);
  await applyMigrations(client, 'supabase_migrations', before);
  await client.query(`
    insert into auth.users (id, email) values ('${USER}', 'olive@people.example');
    insert into app.profiles (user_id, email) values ('${USER}', 'olive@people.example');
    insert into public.lists (id, user_id, name) values ('${LIST}', '${USER}', 'Old');
    insert into public.leads (list_id, position, business_name, phone) values
      ('${LIST}', 1, 'A', '+44 (0)20 7946 0958'), ('${LIST}', 2, 'B', 'call 217-555-0109'), ('${LIST}', 3, 'Acme GmbH', null),
      ('${LIST}', 4, 'D', 'Tel. 217-555-0108'), ('${LIST}', 5, 'E', '+1 217-555-0110');
    insert into app.suppressions (kind, key, source) values
      ('phone', 'phone:+442079460958', 'hand'), ('phone', 'phone:+4401624664414', 'call'), ('phone', 'phone:+12175550109', 'hand'),
      ('company', 'company:acme gmbh', 'hand');
    update app.suppressions set added_at = now() - interval '1 day';
    insert into app.erased_contacts (hash, kind) select unnest(app.contact_hashes('{phone:+12175550108}')), 'phone';
    insert into app.exports (user_id, list_id, list_name, file_name) values ('${USER}', '${LIST}', 'Old', 'old.csv');
    insert into app.export_contacts (export_id, part, hashes)
      select id, 1, app.short_hashes('{phone:+4402079460958}') from app.exports`);
  await applyMigrations(client, 'supabase_migrations', productMigrations());

  const { rows: leads } = await client.query(`
    select business_name, phone, array(select key from app.suppressions where key = any (contact_keys)) as held
    from public.leads order by position`);
  expect(leads).toEqual([
    { business_name: 'A', phone: '+44 (0)20 7946 0958', held: ['phone:+442079460958'] },
    { business_name: 'B', phone: 'call 217-555-0109', held: ['phone:+12175550109'] },
    { business_name: 'Acme GmbH', phone: null, held: ['company:acme'] },
    { business_name: 'D', phone: null, held: [] },
    { business_name: 'E', phone: '+1 217-555-0110', held: [] },
  ]);
  const { rows: entries } = await client.query('select key from app.suppressions order by key collate "C"');
  expect(entries.map(({ key }) => key)).toEqual([
    'company:acme',
    'phone:+12175550109',
    'phone:+441624664414',
    'phone:+442079460958',
  ]);
  const { rows: held } = await client.query(`select key from app.exports_holding('{phone:+442079460958}')`);
  expect(held).toEqual([{ key: 'phone:+442079460958' }]);
  // The file went out though the number was suppressed.
  const { rows: watch } = await client.query<{ since: string }>(
    'select watched_to::text as since from app.suppression_settings',
  );
  await client.end();
  const { db } = connect(url);
  onTestFinished(() => db.destroy());
  const owners = await findOwners(db, watch[0]?.since ?? '', new AbortController().signal);
  expect(owners).toMatchObject([
    { email: 'olive@people.example', contacts: [{ value: '+442079460958', fileName: 'old.csv' }] },
  ]);
});
