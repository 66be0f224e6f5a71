import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { applyMigrations } from './migrations/apply-migrations.ts';
import { readMigrations } from './migrations/read-migrations.ts';

const MIGRATION_LOCK = 7_001;
const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Brings a database up to date: the embedded backend's own schema (hosted Supabase has its own, so it is skipped there), then the
 * product's. One migrator at a time. The product's files are recorded where the Supabase CLI looks, so that both can take turns.
 * Throws a MigrationError that names the file; that file's changes are then undone, those before it stay.
 */
export async function migrate(connectionString: string, { hosted }: { hosted: boolean }): Promise<void> {
  const client = new pg.Client({ connectionString, application_name: 'fairlead migrations' });
  client.on('error', () => {}); // the query that is waiting is rejected as well
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    if (!hosted) await applyMigrations(client, 'backend_migrations', readMigrations(folder('../backend/migrations')));
    await applyMigrations(client, 'supabase_migrations', readMigrations(folder('../supabase/migrations')));
  } finally {
    await client.end();
  }
}
