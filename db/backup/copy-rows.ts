import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Digest } from './digest.ts';
import type { OpenBackup } from './open-backup.ts';
import { columnsOf, nameOf, type Table } from './tables.ts';

/** Reads the rows of `saved`, whose turn it is in the backup, into a table that has its columns. */
export async function copyRows(
  client: pg.Client,
  backup: OpenBackup,
  saved: Table & Digest,
  into: Table,
): Promise<void> {
  const copy = client.query(copyFrom(`copy ${nameOf(into)} (${columnsOf(into)}) from stdin`));
  await pipeline(Readable.from(backup.lines(saved.rows), { objectMode: false }), copy);
}
