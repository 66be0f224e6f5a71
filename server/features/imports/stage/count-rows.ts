import { sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';
import type { ImportRecord } from './import-row.ts';
import { joinLarge } from './join-large.ts';
import { firstRows, keyedLeads, keyedRows } from './same-business.ts';

type RowCounts = { in_file: number; in_lists: number; duplicates_found: number; suppressed: number };

/** How many rows are there before, in the file or in a list, and how many must not be contacted. */
export async function countRows(tx: Tx, { id, user_id }: Pick<ImportRecord, 'id' | 'user_id'>): Promise<RowCounts> {
  const { rows: held } = await sql<Pick<RowCounts, 'suppressed'>>`
    select count(distinct staged.row)::integer as suppressed from app.import_rows as staged, unnest(staged.keys) as key
      join app.suppressions as entry using (key) where staged.import_id = ${id}
  `.execute(tx);
  const counting = sql<Omit<RowCounts, 'suppressed'>>`
    with keyed as materialized (${keyedRows(id)}),
      first as materialized (${firstRows}),
      theirs as materialized (select distinct key from (${keyedLeads(user_id)}) as lead),
      in_file as (select distinct keyed.row from keyed join first using (key) where keyed.row > first.first),
      in_lists as (select distinct keyed.row from keyed join theirs using (key))
    select (select count(*) from in_file)::integer as in_file, (select count(*) from in_lists)::integer as in_lists,
      (select count(*) from (select row from in_file union select row from in_lists) as known)::integer as duplicates_found
  `;
  const { rows } = await joinLarge(tx, () => counting.execute(tx));
  const [counts] = rows;
  const [{ suppressed } = { suppressed: undefined }] = held;
  if (!counts || suppressed === undefined) throw new Error('A count returned no row.');
  return { ...counts, suppressed };
}
