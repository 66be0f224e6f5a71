import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import type { SealedColumn } from './sealed-columns.ts';

/** How many secrets of a column were sealed by the key of that id. */
export type SealedCount = { column: string; keyId: string; secrets: number };

/** Reads the columns, and opens nothing. */
export async function countSealed(db: Db, columns: readonly SealedColumn[]): Promise<SealedCount[]> {
  const counts = columns.map(async ({ schema, table, column }) => {
    const sealed = sql.ref(column);
    const { rows } = await sql<SealedCount>`
      select ${`${table}.${column}`} as column, split_part(${sealed}, '.', 2) as "keyId", count(*) as secrets
      from ${sql.table(`${schema}.${table}`)} where ${sealed} is not null group by 2`.execute(db);
    return rows;
  });
  return (await Promise.all(counts)).flat();
}
