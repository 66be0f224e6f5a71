import pg from 'pg';
import { applyMigrations } from './apply-migrations.ts';
import { refuseBeforeFirstRelease } from './before-first-release.ts';
import { MIGRATION_LOCK } from './migration-lock.ts';
import { backendMigrations, productMigrations } from './our-migrations.ts';

/**
 * Brings a database up to date: the embedded backend's own schema, except on hosted Supabase, which has its own, then the product's.
 * - One migrator at a time.
 * - The product's files are recorded where the Supabase CLI looks, so that both can take turns.
 * @throws MigrationError that names the file. That file's changes are undone, those before it stay.
 * @throws Error, with nothing changed, for a database from before the first release.
 */
export async function migrate(connectionString: string, { hosted }: { hosted: boolean }): Promise<void> {
  const client = new pg.Client({ connectionString, application_name: 'fairlead migrations' });
  client.on('error', () => {}); // the query that is waiting is rejected as well
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await refuseBeforeFirstRelease(client);
    if (!hosted) await applyMigrations(client, 'backend_migrations', backendMigrations());
    await applyMigrations(client, 'supabase_migrations', productMigrations());
  } finally {
    await client.end();
  }
}
