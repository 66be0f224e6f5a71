import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { describeSchema } from '#db/describe/describe-schema.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { applyMigrations } from './apply-migrations.ts';
import { migrate } from './migrate.ts';
import { backendMigrations, productMigrations } from './our-migrations.ts';
import { hashOf, readReleases } from './releases.ts';

const clients: pg.Client[] = [];
afterAll(() => Promise.all(clients.map((client) => client.end())));

async function open(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  clients.push(client);
  return client;
}

const releases = Object.entries(readReleases());

test('there is a release', () => {
  expect(releases.length).toBeGreaterThan(0);
});

test.each(releases)(
  'release %s: its migrations are as they were, and later ones come after them',
  (_version, files) => {
    for (const all of [backendMigrations(), productMigrations()]) {
      const released = all.filter(({ file }) => file in files);
      expect(released).toEqual(all.slice(0, released.length));
      for (const migration of released)
        expect([migration.file, hashOf(migration)]).toEqual([migration.file, files[migration.file]]);
    }
    const today = new Set([...backendMigrations(), ...productMigrations()].map(({ file }) => file));
    expect(Object.keys(files).filter((file) => !today.has(file))).toEqual([]);
  },
);

test.each(releases)(
  'a database of release %s, with rows in it, is brought to today’s schema',
  async (_version, files) => {
    const url = await freshDatabase('empty');
    const old = await open(url);
    await applyMigrations(
      old,
      'backend_migrations',
      backendMigrations().filter(({ file }) => file in files),
    );
    await applyMigrations(
      old,
      'supabase_migrations',
      productMigrations().filter(({ file }) => file in files),
    );
    await old.query(`
    with person as (insert into auth.users (email) values ('ann@people.example') returning id),
      profile as (insert into app.profiles (user_id, email) select id, 'ann@people.example' from person),
      list as (insert into public.lists (user_id, name, sandbox) select id, 'Bakers', true from person returning id, user_id),
      run as (
        insert into app.runs (user_id, list_id, list_name, kind, input, sandbox, bound_micros)
        select user_id, id, 'Bakers', 'search', '{}', true, 35000 from list returning id, user_id, list_id
      ),
      call as (
        insert into app.paid_calls (idempotency_key, run_id, user_id, provider, operation, subject, state, estimate_micros, cost_micros, sandbox)
        select 'one', id, user_id, 'google_places', 'search_page', 'bakers', 'answered', 35000, 35000, true from run returning id
      )
    insert into public.leads (list_id, position, business_name) select list_id, 0, 'Sunrise Bakery' from run, call`);
    await migrate(url, { hosted: false });
    const { rows } = await old.query(`
    select lead.business_name, run.bound_micros, day.cost_micros
    from public.leads as lead join app.runs as run using (list_id) join app.ledger_days as day on day.run_id = run.id`);
    expect(rows).toEqual([{ business_name: 'Sunrise Bakery', bound_micros: '35000', cost_micros: '35000' }]);
    expect(await describeSchema(old)).toEqual(await describeSchema(await open(await freshDatabase())));
  },
);
