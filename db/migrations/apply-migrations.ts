import type pg from 'pg';
import type { Migration } from './read-migrations.ts';

/** A migration that PostgreSQL refused. The message names the file, the line if known, and PostgreSQL's reason. */
export class MigrationError extends Error {
  override name = 'MigrationError';
  readonly file: string;

  constructor(migration: Migration, cause: unknown) {
    super(`The migration ${migration.file}${lineOf(migration.sql, cause)} failed: ${reasonOf(cause)}`, { cause });
    this.file = migration.file;
  }
}

/** Where applied files are recorded: the backend's, and the product's. */
export type MigrationSchema = 'backend_migrations' | 'supabase_migrations';

/** Applies what `schema.schema_migrations` does not record yet, each file in a transaction of its own. */
export async function applyMigrations(
  client: pg.Client,
  schema: MigrationSchema,
  migrations: Migration[],
): Promise<void> {
  for (const migration of await pendingMigrations(client, schema, migrations)) {
    await client.query('begin');
    try {
      await applyMigration(client, schema, migration);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback').catch(() => {});
      throw error;
    }
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

/** Applies and records one file in the transaction that is open. Throws a MigrationError. */
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
