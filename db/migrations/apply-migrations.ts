import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Migration } from './read-migrations.ts';

/** A migration that PostgreSQL refused. The message names the file, the line if known, and PostgreSQL's reason. */
export class MigrationError extends Error {
  override name = 'MigrationError';
  readonly file: string;
  /** PostgreSQL's. */
  readonly code: string | undefined;

  constructor(migration: Migration, cause: unknown) {
    super(`The migration ${migration.file}${lineOf(migration.sql, cause)} failed: ${reasonOf(cause)}`, { cause });
    this.file = migration.file;
    this.code = (cause as { code?: string }).code;
  }
}

/** Where applied files are recorded: the backend's, and the product's. */
export type MigrationSchema = 'backend_migrations' | 'supabase_migrations';

/**
 * Anyone who waits longer for a table makes everyone after them wait. Well below PostgreSQL's `deadlock_timeout` of a second:
 * where a request and a migration wait for each other, it is the migration that gives way.
 */
const LOCK_PATIENCE_MS = 500;
const TRIES = 60;
/** PostgreSQL's `lock_not_available` and `deadlock_detected`. */
const IN_THE_WAY: readonly (string | undefined)[] = ['55P03', '40P01'];

/**
 * Applies what `schema.schema_migrations` does not record yet, each file in a transaction of its own. Servers of the
 * version before may be at work. A file that does not get its locks within `lockPatienceMs` lets them pass and is tried
 * again, 60 times at most.
 */
export async function applyMigrations(
  client: pg.Client,
  schema: MigrationSchema,
  migrations: Migration[],
  { lockPatienceMs = LOCK_PATIENCE_MS } = {},
): Promise<void> {
  for (const migration of await pendingMigrations(client, schema, migrations))
    for (let tries = 1; !(await gotApplied(client, schema, migration, lockPatienceMs, tries < TRIES)); tries += 1)
      await sleep(lockPatienceMs / 4);
}

/** False when the locks were not to be had, and that is to be borne. */
async function gotApplied(
  client: pg.Client,
  schema: MigrationSchema,
  migration: Migration,
  lockPatienceMs: number,
  patient: boolean,
): Promise<boolean> {
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = ${lockPatienceMs}`);
    await applyMigration(client, schema, migration);
    // Triggers that are deferred to the end take locks, too.
    await client.query('commit').catch((error: unknown) => {
      throw new MigrationError(migration, error);
    });
    return true;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    if (patient && error instanceof MigrationError && IN_THE_WAY.includes(error.code)) return false;
    throw error;
  }
}

/** Those that are not recorded yet. Makes the record where there is none. */
export async function pendingMigrations(
  client: pg.Client,
  schema: MigrationSchema,
  migrations: Migration[],
): Promise<Migration[]> {
  const table = `${schema}.schema_migrations`;
  await client.query(`create schema if not exists ${schema}`);
  // The Supabase CLI's table; it records a file's statements, and one text with all of them reads back the same.
  await client.query(
    `create table if not exists ${table} (version text not null primary key, statements text[], name text)`,
  );
  const { rows } = await client.query<{ version: string }>(`select version from ${table}`);
  const applied = new Set(rows.map((row) => row.version));
  return migrations.filter((migration) => !applied.has(migration.version));
}

/**
 * Applies and records one file in the transaction that is open.
 * @throws MigrationError
 */
export async function applyMigration(client: pg.Client, schema: MigrationSchema, migration: Migration): Promise<void> {
  try {
    await client.query(migration.sql);
    await client.query(`insert into ${schema}.schema_migrations (version, statements, name) values ($1, $2, $3)`, [
      migration.version,
      [migration.sql],
      migration.name,
    ]);
  } catch (error) {
    throw new MigrationError(migration, error);
  }
}

function lineOf(sql: string, cause: unknown): string {
  const position = Number((cause as { position?: string }).position);
  return position ? ` (line ${sql.slice(0, position).split('\n').length})` : '';
}

const reasonOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause));
