import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ProviderId } from '#contract/providers.ts';
import { retentionBadge } from '#contract/work/retention.ts';
import { connect, type Db } from '#db/connection/client.ts';
import { startPostgres } from '#db/embedded/start-postgres.ts';
import { createVault } from '#db/sealed/vault.ts';
import { keyPlace } from '#server/api-keys/api-key.ts';
import { freshDatabase } from './databases/database.ts';
import { temporaryFolder } from './databases/postgres.ts';
import { buildListOf } from './lists.ts';
import { SEED_EMAIL } from './seed/person.ts';
import { main } from './seed.ts';

const ENCRYPTION_KEYS = randomBytes(32).toString('base64');
let url: string;
let db: Db;
const said = { log: vi.spyOn(console, 'log'), error: vi.spyOn(console, 'error') };

beforeEach(async () => {
  url = await freshDatabase('empty');
  db = connect(url).db;
  vi.stubEnv('DATABASE_URL', url);
  vi.stubEnv('ENCRYPTION_KEYS', ENCRYPTION_KEYS);
  for (const spy of Object.values(said)) spy.mockReset().mockImplementation(() => {});
});
afterEach(async () => {
  vi.unstubAllEnvs();
  process.exitCode = undefined;
  await db.destroy();
});

const lists = () => db.selectFrom('lists').selectAll().orderBy('id').execute();
const counts = async () =>
  Promise.all(
    (['lists', 'leads', 'app.runs', 'app.paid_calls', 'auth.users', 'app.profiles'] as const).map(async (table) => {
      const { count } = await db
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return [table, Number(count)] as const;
    }),
  ).then(Object.fromEntries);
const person = () =>
  db.selectFrom('app.profiles').selectAll().where('email', '=', SEED_EMAIL).executeTakeFirstOrThrow();

test('demo: 40 lists in every state, of an admin whose sandbox keys open, on a database that was empty', async () => {
  await main([]);
  const all = await lists();
  expect(all).toHaveLength(40);
  for (const status of ['processing', 'completed', 'failed']) expect(all.map((list) => list.status)).toContain(status);
  expect(new Set(all.map((list) => list.completeness))).toEqual(new Set([45, 65, 85, 100]));
  const badges = all.map((list) =>
    retentionBadge(
      {
        archived: list.lifecycle_status === 'archived',
        archivedAt: list.archived_at?.toISOString(),
        retentionFrom: list.retention_from.toISOString(),
      },
      Date.now(),
    ),
  );
  expect(badges).toEqual(
    expect.arrayContaining(['Archives in 5 days', 'Archives in 1 day', 'Deletes in 30 days', 'Deletes in 1 day']),
  );
  const { user_id: userId, role } = await person();
  expect(role).toBe('admin');
  const vault = createVault([ENCRYPTION_KEYS]);
  const keys = await db.selectFrom('app.provider_keys').select(['provider', 'sealed_key']).execute();
  expect(keys).toHaveLength(3);
  for (const { provider, sealed_key } of keys)
    expect(vault.open(sealed_key, keyPlace(userId, provider as ProviderId))).toBe('sandbox');
  expect(said.log.mock.calls.join('\n')).toMatch(/demo: 40 lists.*\n.*Sign in at http.*seed@fairlead\.example/);
});

test('what a list says about itself is true of its leads', async () => {
  await main(['demo']);
  for (const list of await lists()) {
    const leads = await db.selectFrom('leads').selectAll().where('list_id', '=', list.id).execute();
    expect(list.lead_count).toBe(leads.length);
    expect(list.has_emails).toBe(leads.some((lead) => lead.email !== null));
    expect(list.has_contacts).toBe(leads.some((lead) => lead.owner_name !== null));
    if (list.compliance_checked) expect(leads.some((lead) => lead.compliance_status !== 'not_checked')).toBe(true);
  }
});

test('seeding again changes nothing, and leaves what others have made', async () => {
  await main(['demo']);
  const own = await buildListOf(db, (await person()).user_id, [{ business_name: 'Kept' }], { name: 'Mine' });
  const before = await counts();
  await db.updateTable('lists').set({ name: 'Renamed' }).where('id', '<>', own).execute();
  await main(['demo']);
  expect(await counts()).toEqual(before);
  const names = (await lists()).map((list) => list.name);
  expect(names).toContain('Mine');
  expect(names).not.toContain('Renamed');
});

test('big: one list of 10,000 leads', async () => {
  await main(['big']);
  expect(await counts()).toMatchObject({ lists: 1, leads: 10_000 });
});

test('an unknown scenario and production are refused before anything is written', async () => {
  await main(['demo', 'huge']);
  expect(said.error).toHaveBeenCalledWith('There is no scenario huge. Choose from: demo, big.');
  vi.stubEnv('NODE_ENV', 'production');
  vi.stubEnv('SMTP_URL', 'smtp://mail.example');
  await main(['demo']);
  expect(said.error).toHaveBeenLastCalledWith(expect.stringContaining('production'));
  expect(process.exitCode).toBe(1);
  const { rows } = await sql`select to_regclass('public.lists') is null as untouched`.execute(db);
  expect(rows).toEqual([{ untouched: true }]);
});

test('the embedded database is seeded while it is stopped and while it runs', async () => {
  const dataDir = temporaryFolder();
  vi.stubEnv('DATABASE_URL', '');
  vi.stubEnv('ENCRYPTION_KEYS', '');
  vi.stubEnv('DATA_DIR', dataDir);
  await main(['demo']);
  const postgres = await startPostgres({ dataDir });
  const embedded = connect(await postgres.database('fairlead'));
  const names = () => embedded.db.selectFrom('lists').select('name').execute();
  expect(await names()).toHaveLength(40);
  await embedded.db.deleteFrom('lists').execute();
  await main(['demo']);
  expect(await names()).toHaveLength(40);
  await embedded.db.destroy();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}, 60_000);
