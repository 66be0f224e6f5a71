import { Readable } from 'node:stream';
import type pg from 'pg';
import { compareRows } from './compare-rows.ts';
import { copyRows } from './copy-rows.ts';
import type { Digest } from './digest.ts';
import type { OpenBackup } from './open-backup.ts';
import { isOfBackend, nameOf, type Table } from './tables.ts';

/**
 * Fills the tables from the backup, in place of what the migrations put there, compares them with it, and returns which they are.
 * - On hosted Supabase, the tables of sign-in and of stored files are left out.
 * - Triggers rest meanwhile, as does row-level security, under which COPY cannot write. Owning the tables is enough for both.
 * - Foreign keys hold, because of the order of the tables.
 * @throws BackupError
 */
export async function loadRows(
  client: pg.Client,
  backup: OpenBackup,
  { hosted }: { hosted: boolean },
): Promise<(Table & Digest)[]> {
  const { header } = backup;
  const isOurs = (one: { schema: string }) => !(hosted && isOfBackend(one));
  const tables = header.tables.filter(isOurs);
  const names = tables.map(nameOf);
  const forced = await underForcedSecurity(client, names);
  for (const name of names) await client.query(`alter table ${name} disable trigger user, no force row level security`);
  await client.query(`truncate ${names.join(', ')}`);
  for (const table of header.tables) {
    if (isOurs(table)) await copyRows(client, backup, table, table);
    else await Readable.from(backup.lines(table.rows)).forEach(() => {});
  }
  for (const sequence of header.sequences.filter(isOurs))
    await client.query('select setval($1::regclass, $2)', [nameOf(sequence), sequence.value]);
  for (const name of names) await client.query(`alter table ${name} enable trigger user`);
  for (const name of forced) await client.query(`alter table ${name} force row level security`);
  for (const table of tables) await compareRows(client, table, table);
  return tables;
}

async function underForcedSecurity(client: pg.Client, names: string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select name from unnest($1::text[]) as name join pg_class on oid = name::regclass where relforcerowsecurity',
    [names],
  );
  return rows.map((row) => row.name);
}
