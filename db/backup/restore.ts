import pg from 'pg';
import { applyMigration, pendingMigrations } from '#db/migrations/apply-migrations.ts';
import { MIGRATION_LOCK } from '#db/migrations/migration-lock.ts';
import { BackupError } from './backup-error.ts';
import { digestOf, SAME_TEXT_EVERYWHERE } from './digest.ts';
import type { Header } from './header.ts';
import { loadRows } from './load-rows.ts';
import { makeRoom } from './make-room.ts';
import { type OpenBackup, openBackup } from './open-backup.ts';
import { type Plan, planMigrations } from './plan-migrations.ts';

export type RestoreOptions = {
  /** Throws away what the database holds. Without it, a database that has users is refused. */
  replace: boolean;
};

/**
 * Makes the database what it was when the backup was taken, in one transaction: the schema of that time, its rows, which are compared
 * with what the backup says of them, then the migrations since. Throws a BackupError, and changes nothing, when the file is damaged or
 * of a newer Fairlead, when a server is at work, or when there are users and `replace` was not asked for.
 */
export async function restore(connectionString: string, file: string, options: RestoreOptions): Promise<Header> {
  const backup = await openBackup(file);
  const client = new pg.Client({ connectionString, application_name: 'fairlead restore' });
  client.on('error', () => {}); // the query that is waiting is rejected as well
  try {
    const plan = planMigrations(backup.header);
    await client.connect();
    await assertNobodyWorks(client);
    await client.query('begin');
    await fill(client, backup, plan, options);
    await client.query('commit');
    return backup.header;
  } finally {
    backup.close();
    await client.end();
  }
}

async function fill(client: pg.Client, backup: OpenBackup, plan: Plan, { replace }: RestoreOptions): Promise<void> {
  await client.query(SAME_TEXT_EVERYWHERE);
  await makeRoom(client, { replace });
  for (const { schema, migrations } of plan.before)
    for (const migration of await pendingMigrations(client, schema, migrations))
      await applyMigration(client, schema, migration);
  await loadRows(client, backup);
  await compare(client, backup.header);
  for (const { schema, migrations } of plan.since)
    for (const migration of migrations) await applyMigration(client, schema, migration);
}

/** A server that starts now waits for this lock before it looks at the database; one that runs already is connected. */
async function assertNobodyWorks(client: pg.Client): Promise<void> {
  const { rows: locked } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [
    MIGRATION_LOCK,
  ]);
  const { rows } = await client.query<{ sessions: number }>(
    `select count(*)::integer as sessions from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and application_name ~ '^(fairlead|pgboss)'`,
  );
  if (!locked[0]?.mine || rows[0]?.sessions !== 0)
    throw new BackupError('A server is at work on this database. Stop all of them, then restore.');
}

async function compare(client: pg.Client, header: Header): Promise<void> {
  for (const table of header.tables) {
    const { rows, hash } = await digestOf(client, table);
    if (rows !== table.rows || hash !== table.hash)
      throw new BackupError(
        `The rows of ${table.schema}.${table.name} are not those that were saved: the backup is damaged. Nothing was changed.`,
      );
  }
}
