import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { MIGRATION_LOCK } from '#db/migrations/migration-lock.ts';
import { BackupError } from './backup-error.ts';
import { digestOf, SAME_TEXT_EVERYWHERE } from './digest.ts';
import { type Header, newHeader } from './header.ts';
import { linesOf, listFiles } from './save-files.ts';
import { columnsOf, listSequences, listTables, nameOf } from './tables.ts';

/**
 * Writes everything but the queue, as it was at one moment, and the stored files of `folder` to `file`. The server may go on.
 * Only the file's owner may read it. It appears when it is complete and on disk.
 * @throws BackupError when the database holds no Fairlead.
 */
export async function backUp(connectionString: string, file: string, folder: string): Promise<Header> {
  const client = new pg.Client({ connectionString, application_name: 'fairlead backup' });
  client.on('error', () => {}); // the query that is waiting is rejected as well
  await client.connect();
  const partial = `${file}.partial`;
  try {
    await rm(partial, { force: true });
    // Before the transaction, whose first statement fixes the moment that it sees.
    await client.query('select pg_advisory_lock_shared($1)', [MIGRATION_LOCK]);
    await client.query('begin isolation level repeatable read read only');
    await client.query(SAME_TEXT_EVERYWHERE);
    await assertSeesEveryRow(client);
    const header = await describe(client, folder);
    const out = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(() => textOf(client, header, folder), createGzip(), out);
    await rename(partial, file);
    return header;
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  } finally {
    await client.end();
  }
}

async function describe(client: pg.Client, folder: string): Promise<Header> {
  const { rows } = await client.query<{ found: boolean }>("select to_regclass('app.profiles') is not null as found");
  if (!rows[0]?.found) throw new BackupError('The database does not hold Fairlead yet: start the server once.');
  const tables: Header['tables'] = [];
  for (const table of await listTables(client)) tables.push({ ...table, ...(await digestOf(client, table)) });
  return newHeader({
    takenAt: new Date().toISOString(),
    migrations: {
      backend: await appliedVersions(client, 'backend_migrations'),
      product: await appliedVersions(client, 'supabase_migrations'),
    },
    tables,
    sequences: await listSequences(client),
    files: await listFiles(client, folder),
  });
}

async function appliedVersions(client: pg.Client, schema: string): Promise<string[]> {
  const table = `${schema}.schema_migrations`;
  const { rows: found } = await client.query<{ is: boolean }>('select to_regclass($1) is not null as is', [table]);
  if (!found[0]?.is) return [];
  const { rows } = await client.query<{ version: string }>(`select version from ${table} order by version`);
  return rows.map((row) => row.version);
}

/** Row-level security hides rows without a word, and holds for the owner of our tables too. */
async function assertSeesEveryRow(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ all: boolean }>(
    `select rolsuper or rolbypassrls or pg_has_role('service_role', 'usage') as all from pg_roles where rolname = current_user`,
  );
  if (!rows[0]?.all)
    throw new BackupError('This database user does not see every row. Use the one that the server uses.');
}

async function* textOf(client: pg.Client, header: Header, folder: string): AsyncGenerator<Buffer | string> {
  yield `${JSON.stringify(header)}\n`;
  for (const table of header.tables) {
    const rows: Readable = client.query(copyTo(`copy ${nameOf(table)} (${columnsOf(table)}) to stdout`));
    yield* rows;
  }
  for (const file of header.files ?? []) yield* linesOf(folder, file);
}
