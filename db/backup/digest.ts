import type pg from 'pg';
import { columnsOf, nameOf, type Table } from './tables.ts';

/** How many rows a table has, and a SHA-256 (hex) over the SHA-256 of each, which does not depend on their order. */
export type Digest = { rows: number; hash: string };

/** Makes text out of values the same way on every server and for every role. For the running transaction. */
export const SAME_TEXT_EVERYWHERE = `
  set local client_encoding = 'UTF8'; set local timezone = 'UTC'; set local datestyle = 'ISO'; set local intervalstyle = 'postgres';
  set local bytea_output = 'hex'; set local extra_float_digits = 1; set local statement_timeout = 0;`;

/** Reads the whole table. */
export async function digestOf(client: pg.Client, table: Table): Promise<Digest> {
  const { rows } = await client.query<{ rows: string; hash: string }>(
    `select count(*) as rows, encode(sha256(coalesce(string_agg(hash, '' order by hash), '')), 'hex') as hash
     from (select sha256(convert_to(row::text, 'UTF8')) as hash from (select ${columnsOf(table)} from ${nameOf(table)}) as row) as hashes`,
  );
  return { rows: Number(rows[0]?.rows), hash: rows[0]?.hash ?? '' };
}
