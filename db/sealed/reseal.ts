import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import { placeIn, rowKeyOf, type SealedColumn } from './sealed-columns.ts';
import { type Vault, VaultError } from './vault.ts';

const BATCH = 50;
const PAUSE_MS = 100;
const PATIENCE_MS = 60_000;

/** What became of a column's secrets. `unopened` stay as they are: altered, or sealed with a key that is not there. */
export type Resealed = { resealed: number; unopened: number };

/**
 * Seals a column's secrets with the vault's first key, a few rows a transaction.
 * - It may be interrupted anywhere, repeated, and run beside servers that use and write the column.
 * - Rows that others hold are tried again for a minute.
 * @throws Error when that is not enough.
 */
export async function reseal(db: Db, vault: Vault, column: SealedColumn): Promise<Resealed> {
  const unopened = new Set<string>();
  let resealed = 0;
  for (const until = Date.now() + PATIENCE_MS; ; ) {
    const waiting = (await sealedOtherwise(db, vault, column)).filter((rowKey) => !unopened.has(rowKey));
    if (waiting.length === 0) return { resealed, unopened: unopened.size };
    const before = resealed + unopened.size;
    for (let start = 0; start < waiting.length; start += BATCH)
      resealed += await resealBatch(db, vault, column, waiting.slice(start, start + BATCH), unopened);
    if (resealed + unopened.size > before) continue;
    if (Date.now() > until) throw new Error(`${waiting.length} rows of ${column.table} are locked. Try again later.`);
    await sleep(PAUSE_MS);
  }
}

async function sealedOtherwise(db: Db, vault: Vault, column: SealedColumn): Promise<string[]> {
  const { rows } = await sql<{ row_key: string }>`
    select ${sql.raw(rowKeyOf(column))} as row_key from ${tableOf(column)}
    where split_part(${sql.ref(column.column)}, '.', 2) <> ${vault.keyIds[0] ?? ''}`.execute(db);
  return rows.map((row) => row.row_key);
}

/** Returns how many it sealed; rows that someone holds are passed over. */
async function resealBatch(
  db: Db,
  vault: Vault,
  column: SealedColumn,
  rowKeys: string[],
  unopened: Set<string>,
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const sealed = sql.ref(column.column);
    const rowKey = sql.raw(rowKeyOf(column));
    const { rows } = await sql<{ row_key: string; sealed: string }>`
      select ${rowKey} as row_key, ${sealed} as sealed from ${tableOf(column)}
      where ${rowKey} = any(${rowKeys}) and ${sealed} is not null for update skip locked`.execute(tx);
    let count = 0;
    for (const row of rows) {
      const plain = opened(vault, row.sealed, placeIn(column, row.row_key));
      if (plain === undefined) {
        unopened.add(row.row_key);
        continue;
      }
      const { fingerprint } = column;
      const also = fingerprint
        ? sql`, ${sql.ref(fingerprint.column)} = ${vault.fingerprint(fingerprint.textOf(plain, row.row_key))}`
        : sql``;
      await sql`
        update ${tableOf(column)} set ${sealed} = ${vault.seal(plain, placeIn(column, row.row_key))}${also}
        where ${rowKey} = ${row.row_key}`.execute(tx);
      count += 1;
    }
    return count;
  });
}

function opened(vault: Vault, sealed: string, place: string): string | undefined {
  try {
    return vault.open(sealed, place);
  } catch (error) {
    if (error instanceof VaultError) return undefined;
    throw error;
  }
}

const tableOf = ({ schema, table }: SealedColumn) => sql.table(`${schema}.${table}`);
