import pg from 'pg';
import { applyMigration, pendingMigrations } from '#db/migrations/apply-migrations.ts';
import { MIGRATION_LOCK } from '#db/migrations/migration-lock.ts';
import { BackupError } from './backup-error.ts';
import { type BringExport, bringExports } from './bring-exports.ts';
import { carrySessions } from './carry-sessions.ts';
import { SAME_TEXT_EVERYWHERE } from './digest.ts';
import type { Header } from './header.ts';
import { loadFiles } from './load-files.ts';
import { loadRows } from './load-rows.ts';
import { assertRoom, makeRoom, type Room } from './make-room.ts';
import { type OpenBackup, openBackup } from './open-backup.ts';
import { type Plan, planMigrations } from './plan-migrations.ts';
import { type OfBackend, type Person, readBackend } from './read-backend.ts';

/** What hosted Supabase keeps itself, and takes by its API only. Both may be called again after an interruption. */
export type HostedRestore = {
  /** Makes the people, before our rows refer to them, when nothing speaks against the restore any more. */
  bringPeople(people: Person[]): Promise<void>;
  /** When all rows are there. */
  bringExport: BringExport;
};

export type RestoreOptions = {
  /** Throws away what the database holds. Without it, a database that has users is refused. */
  replace: boolean;
  /** Where stored files are. */
  folder: string;
  /**
   * For the database of hosted Supabase. Sessions wait there for their browsers in a table of ours; what else is of sign-in is left out.
   */
  hosted?: HostedRestore | undefined;
};

/** When the backup was taken (ISO 8601), and the tables that were filled from it. */
export type Restored = Pick<Header, 'takenAt' | 'tables'>;

/**
 * Makes the database what it was when the backup was taken, in one transaction.
 * - First the schema of that time, then its rows, compared with what the backup says of them, then the migrations since.
 * @throws BackupError, with nothing changed, when the file is damaged or of a newer Fairlead, or when a server is at work.
 * @throws BackupError, with nothing changed, when there are users and `replace` was not asked for.
 */
export async function restore(
  connectionString: string,
  file: string,
  { replace, folder, hosted }: RestoreOptions,
): Promise<Restored> {
  const backup = await openBackup(file);
  const client = new pg.Client({ connectionString, application_name: 'fairlead restore' });
  client.on('error', () => {}); // the query that is waiting is rejected as well
  const room = { replace, hosted: hosted !== undefined };
  let found: OfBackend | undefined;
  try {
    const plan = planMigrations(backup.header, room);
    await client.connect();
    await assertNobodyWorks(client);
    if (hosted) {
      await assertRoom(client, room);
      // Not inside the transaction, which would let no one write where Supabase has to.
      found = await readBackend(client, file);
      await hosted.bringPeople(found.people);
    }
    await client.query('begin');
    const tables = await fill(client, backup, plan, room);
    if (found) await carrySessions(client, found.sessions);
    // Here, one that is too many is swept.
    else await loadFiles(backup, folder);
    await client.query('commit');
    // The bucket is made with our rows, and Supabase's Storage sees it only now.
    if (hosted && found) await bringExports(backup, found.exports, hosted.bringExport);
    return { takenAt: backup.header.takenAt, tables };
  } finally {
    backup.close();
    await client.end();
  }
}

async function fill(client: pg.Client, backup: OpenBackup, plan: Plan, room: Room): Promise<Header['tables']> {
  await client.query(SAME_TEXT_EVERYWHERE);
  await makeRoom(client, room);
  for (const { schema, migrations } of plan.before)
    for (const migration of await pendingMigrations(client, schema, migrations))
      await applyMigration(client, schema, migration);
  const tables = await loadRows(client, backup, room);
  for (const { schema, migrations } of plan.since)
    for (const migration of migrations) await applyMigration(client, schema, migration);
  return tables;
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
    throw new BackupError('A server is using this database. Stop all servers, then restore.');
}
