import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { OpenBackup } from './open-backup.ts';
import { columnsOf, nameOf } from './tables.ts';

/**
 * Fills the tables from the backup, in place of what the migrations put there. Triggers rest meanwhile, as does row-level security,
 * under which COPY can not write; owning the tables is enough for both. Foreign keys hold, because of the order of the tables.
 */
export async function loadRows(client: pg.Client, { header, lines }: OpenBackup): Promise<void> {
  const names = header.tables.map(nameOf);
  const forced = await underForcedSecurity(client, names);
  for (const name of names) await client.query(`alter table ${name} disable trigger user, no force row level security`);
  await client.query(`truncate ${names.join(', ')}`);
  for (const table of header.tables) {
    const copy = client.query(copyFrom(`copy ${nameOf(table)} (${columnsOf(table)}) from stdin`));
    await pipeline(Readable.from(lines(table.rows), { objectMode: false }), copy);
  }
  for (const sequence of header.sequences)
    await client.query('select setval($1::regclass, $2)', [nameOf(sequence), sequence.value]);
  for (const name of names) await client.query(`alter table ${name} enable trigger user`);
  for (const name of forced) await client.query(`alter table ${name} force row level security`);
}

async function underForcedSecurity(client: pg.Client, names: string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select name from unnest($1::text[]) as name join pg_class on oid = name::regclass where relforcerowsecurity',
    [names],
  );
  return rows.map((row) => row.name);
}
