import type pg from 'pg';
import { BackupError } from './backup-error.ts';
import { listTables, nameOf } from './tables.ts';

/** Ours alone: gone with all they hold. Schema public is shared, and keeps what is not ours. */
const OUR_SCHEMAS = ['app', 'auth', 'pgboss', 'backend_migrations', 'supabase_migrations'];

/**
 * Removes Fairlead's schema, of whatever version, in the transaction that is open. Throws a BackupError when somebody uses it and
 * `replace` was not asked for, and when the database belongs to something else.
 */
export async function makeRoom(client: pg.Client, { replace }: { replace: boolean }): Promise<void> {
  const { rows: found } = await client.query<{ ours: boolean; taken: boolean }>(
    `select to_regclass('app.profiles') is not null and to_regclass('backend_migrations.schema_migrations') is not null as ours,
       to_regnamespace('app') is not null or to_regnamespace('auth') is not null as taken`,
  );
  if (!found[0]?.ours) {
    if (found[0]?.taken)
      throw new BackupError(
        'The database belongs to another program. Restore into one of its own, which may be empty.',
      );
    return;
  }
  const { rows } = await client.query<{ users: number }>('select count(*)::integer as users from auth.users');
  const users = rows[0]?.users ?? 0;
  if (users > 0 && !replace)
    throw new BackupError(
      `The database is in use: it has ${users === 1 ? 'a user' : `${users} users`}. To put the backup in the place of all it holds, ` +
        'make a backup of it first, then add --replace.',
    );
  const shared = (await listTables(client)).filter(({ schema }) => schema === 'public');
  for (const table of shared) await client.query(`drop table ${nameOf(table)} cascade`);
  await client.query(`drop schema if exists ${OUR_SCHEMAS.join(', ')} cascade`);
}
