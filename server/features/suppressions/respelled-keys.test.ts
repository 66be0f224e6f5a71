import { sql } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '#db/connection/client.ts';
import { applyMigrations } from '#db/migrations/apply-migrations.ts';
import { backendMigrations, productMigrations } from '#db/migrations/our-migrations.ts';
import { freshDatabase } from '#test/databases/database.ts';

/** The migration that gives numbers with a trunk prefix of their country one key. */
const RESPELLED = '20261127110000';

test('an upgrade holds back leads, finds past exports and forgets erased numbers by the new keys', async () => {
  const url = await freshDatabase('empty');
  const owner = new pg.Client(url);
  await owner.connect();
  const { db } = connect(url);
  onTestFinished(() => Promise.all([owner.end(), db.destroy()]).then(() => undefined));
  await applyMigrations(owner, 'backend_migrations', backendMigrations());
  const upgrade = (isMeant: (version: string) => boolean) =>
    applyMigrations(
      owner,
      'supabase_migrations',
      productMigrations().filter(({ version }) => isMeant(version)),
    );
  await upgrade((version) => version < RESPELLED);
  const phones = ['+7 8 495 123 45 67', '303-555-0142#', '+36 06 30 123 4567', '٣٠٣-٥٥٥-٠١٤٣', '+52 55 1234 5678'];
  await sql`
    with person as (insert into auth.users (id, email) values (gen_random_uuid(), 'ann@people.example') returning id),
      list as (insert into public.lists (user_id, name, search_params, status)
        select id, 'Dentists', '{}', 'completed' from person returning id, user_id),
      lead as (insert into public.leads (list_id, business_name, phone, position)
        select list.id, 'Business ' || at, phone, at from list, unnest(${phones}::text[]) with ordinality as given (phone, at)),
      export as (insert into app.exports (user_id, list_id, list_name, file_name, leads)
        select user_id, id, 'Dentists', 'Dentists.csv', 5 from list returning id)
    insert into app.export_contacts (export_id, part, hashes)
    select id, 0, app.short_hashes(array['phone:+784951234567']) from export
  `.execute(db);
  await sql`insert into app.suppressions (kind, key, source) values ('phone', 'phone:+74951234567', 'hand'),
    ('phone', 'phone:+5215512345678', 'crm'), ('phone', 'phone:+13035550143', 'hand')`.execute(db);
  await sql`insert into app.erased_contacts (kind, hash)
    select 'phone', unnest(app.contact_hashes(array['phone:+36301234567', 'phone:+13035550142']))`.execute(db);
  await upgrade((version) => version >= RESPELLED);
  const { rows } = await sql<{ phone: string | null; held: boolean }>`
    select phone, exists (select from app.suppressions where key = any(contact_keys)) as held
    from public.leads as lead order by position
  `.execute(db);
  expect(rows).toEqual([
    { phone: phones[0], held: true },
    { phone: null, held: false },
    { phone: null, held: false },
    { phone: phones[3], held: true },
    { phone: phones[4], held: true },
  ]);
  const exports = await sql`select from app.exports_holding(array['phone:+74951234567'])`.execute(db);
  expect(exports.rows).toHaveLength(1);
});
