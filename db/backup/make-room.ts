import type pg from 'pg';
import { productMigrations } from '#db/migrations/our-migrations.ts';
import { BackupError } from './backup-error.ts';
import { listTables, nameOf } from './tables.ts';

export type Room = {
  /** Throws away what the database holds. Without it, a database that has users is refused. */
  replace: boolean;
  /** The database is hosted Supabase's: schema auth and the record of migrations are not ours alone. */
  hosted: boolean;
};

/** Ours alone: gone with all they hold. Schema public is shared, and keeps what is not ours. */
const OUR_SCHEMAS = ['app', 'pgboss'];
const OUR_SCHEMAS_UNLESS_HOSTED = ['storage', 'realtime', 'auth', 'backend_migrations', 'supabase_migrations'];

/**
 * Returns whether there is a Fairlead to make room for.
 * @throws BackupError when someone uses it and `replace` was not asked for, and when the database belongs to something else.
 */
export async function assertRoom(client: pg.Client, { replace, hosted }: Room): Promise<boolean> {
  const { rows: found } = await client.query<{ ours: boolean; taken: boolean }>(
    `select to_regclass('app.profiles') is not null and to_regclass($1) is not null as ours,
       to_regnamespace('app') is not null or (not $2 and to_regnamespace('auth') is not null) as taken`,
    [`${hosted ? 'supabase' : 'backend'}_migrations.schema_migrations`, hosted],
  );
  if (!found[0]?.ours) {
    if (found[0]?.taken)
      throw new BackupError(
        'The database belongs to another program. Restore into a separate database. It may be empty.',
      );
    return false;
  }
  const people = hosted ? 'app.profiles' : 'auth.users';
  const { rows } = await client.query<{ users: number }>(`select count(*)::integer as users from ${people}`);
  const users = rows[0]?.users ?? 0;
  if (users > 0 && !replace)
    throw new BackupError(
      `The database is in use: it has ${users === 1 ? 'a user' : `${users} users`}. To replace all of it, ` +
        'make a backup of it first, then add --replace.',
    );
  return true;
}

/**
 * Removes Fairlead's schema, of whatever version, in the transaction that is open.
 * @throws what `assertRoom` throws.
 */
export async function makeRoom(client: pg.Client, room: Room): Promise<void> {
  if (!(await assertRoom(client, room))) return;
  const shared = (await listTables(client)).filter(({ schema }) => schema === 'public');
  for (const table of shared) await client.query(`drop table ${nameOf(table)} cascade`);
  const schemas = [...OUR_SCHEMAS, ...(room.hosted ? [] : OUR_SCHEMAS_UNLESS_HOSTED)];
  await client.query(`drop schema if exists ${schemas.join(', ')} cascade`);
  if (room.hosted)
    await client.query('delete from supabase_migrations.schema_migrations where version = any($1)', [
      productMigrations().map(({ version }) => version),
    ]);
}
