import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, test } from 'vitest';
import { installQueue } from '#jobs/install-queue.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { migrate } from './migrate.ts';
import { productMigrations } from './our-migrations.ts';

const code = (sql: string) => sql.replace(/--.*$/gm, '');

test('the Supabase CLI takes the names of the files', () => {
  for (const { file } of productMigrations()) expect(file).toMatch(/\/\d{14}_[a-z0-9_]+\.sql$/);
});

test.each([
  [
    'changes nothing of schema auth',
    /\b(create|alter|drop|truncate)\s+[\w\s]*\bauth\.|\b(insert\s+into|update|delete\s+from)\s+auth\./i,
  ],
  ['makes no trigger on tables of others', /\bon\s+(auth|storage|realtime)\.\w+\s+for\s+each/i],
  [
    'needs no superuser',
    /\b(superuser|bypassrls|replication|alter\s+system|create\s+extension|alter\s+role|alter\s+database)\b/i,
  ],
  [
    'needs nothing newer than PostgreSQL 15',
    /\b(any_value|array_sample|array_shuffle|random_normal|json_table|json_serialize|uuidv[47]|array_reverse|array_sort|without\s+overlaps)\b|\bmerge\s+into\b/i,
  ],
] as const)('no file of the product %s', (_what, forbidden) => {
  for (const { file, sql } of productMigrations()) expect(code(sql), file).not.toMatch(forbidden);
});

test('an owner like Supabase’s, who owns neither the server nor auth.users, can apply them, and the queue’s', async () => {
  const adminUrl = await freshDatabase('empty');
  const suffix = randomBytes(4).toString('hex');
  const [owner, auth, password] = [`hosted_owner_${suffix}`, `hosted_auth_${suffix}`, randomBytes(12).toString('hex')];
  const admin = new pg.Client(adminUrl);
  await admin.connect();
  await admin.query(`
    create role ${auth} nologin;
    create role ${owner} login createrole bypassrls password '${password}';
    grant anon, authenticated, service_role, fairlead_web, fairlead_worker to ${owner} with admin option;
    grant create on database ${new URL(adminUrl).pathname.slice(1)} to ${owner};
    alter schema public owner to ${owner};
    create schema auth authorization ${auth};
    set role ${auth};
    grant usage on schema auth to ${owner}, anon, authenticated, service_role;
    create table auth.users (id uuid primary key, email text);
    grant select, references on auth.users to ${owner};
    create function auth.uid() returns uuid language sql stable as 'select null::uuid';
    reset role;
    -- There it is not the owner of these either, but Supabase lets it write policies.
    create schema storage authorization ${owner};
    set role ${owner};
    create table storage.buckets (
      id text primary key, name text, public boolean, file_size_limit bigint, allowed_mime_types text[]
    );
    create table storage.objects (bucket_id text, name text);
    reset role;
  `);
  const url = new URL(adminUrl);
  url.username = owner;
  url.password = password;
  await migrate(url.href, { hosted: true });
  await installQueue(url.href);
  const { rows } = await admin.query('select count(*)::integer as files from supabase_migrations.schema_migrations');
  expect(rows).toEqual([{ files: productMigrations().length }]);
  await admin.end();
});
