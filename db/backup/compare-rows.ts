import type pg from 'pg';
import { BackupError } from './backup-error.ts';
import { type Digest, digestOf } from './digest.ts';
import type { Table } from './tables.ts';

/** @throws BackupError when what was read into a table is not what the backup says of `saved`. */
export async function compareRows(client: pg.Client, saved: Table & Digest, read: Table): Promise<void> {
  const { rows, hash } = await digestOf(client, read);
  if (rows !== saved.rows || hash !== saved.hash)
    throw new BackupError(
      `The rows of ${saved.schema}.${saved.name} do not match what was saved: the backup is damaged. Nothing was changed.`,
    );
}
