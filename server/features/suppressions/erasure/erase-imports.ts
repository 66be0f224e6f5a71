import { sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';
import { type ErasedSubject, patternOf } from './erased-subject.ts';

/**
 * Forgets the subject in files that wait or are being imported, and in what is shown of those that were imported.
 * - A row that is the subject becomes an empty one: rows keep their numbers, and the import passes over it.
 * - A part under way commits first, and the next one reads rows without the subject.
 */
export async function eraseImports(tx: Tx, subject: ErasedSubject): Promise<void> {
  const pattern = patternOf(subject);
  await sql`select app.await_writers('imports')`.execute(tx);
  const blanked = await eraseRows(tx, pattern);
  // The first values of a column are of the same few rows: with one of them, all of them go.
  await sql`
    update app.imports as import set columns = (
      select coalesce(jsonb_agg(one.value || '{"sample": []}' order by one.place), '[]')
      from jsonb_array_elements(app.erase_in_json(import.columns, ${pattern})) with ordinality as one (value, place))
    where id = any(${blanked}::uuid[]) or columns::text ~* ${pattern} or id in (
      select import_id from public.leads where import_id is not null and contact_keys @> array[${subject.key}]::text[])
  `.execute(tx);
  await sql`
    update app.imports set name = app.erase_in_text(name, ${pattern}), list_name = app.erase_in_text(list_name, ${pattern}),
      mapping = app.erase_in_json(mapping, ${pattern}), keyed_by = app.erase_in_json(keyed_by, ${pattern}),
      other_sheets = app.erase_in_json(other_sheets, ${pattern})
    where concat_ws(E'\n', name, list_name, mapping, keyed_by, other_sheets) ~* ${pattern}
  `.execute(tx);
}

/**
 * Returns the imports that had a row of the subject. Locks each before its rows, as a deletion does.
 * An upload holds the key of its import when it waits for the erasure, so the lock leaves keys alone.
 */
async function eraseRows(tx: Tx, pattern: string): Promise<string[]> {
  const { rows } = await sql<{ import_id: string }>`
    with found as materialized (
      select import_id, row, array_to_string(keys, E'\n') ~* ${pattern} as whole from app.import_rows
      where concat_ws(E'\n', array_to_string(keys, E'\n'), cells, problems) ~* ${pattern}
    ), locked as materialized (
      select id from app.imports where id in (select import_id from found) order by id for no key update
    ), changed as (
      update app.import_rows as staged set
        cells = case when found.whole then '[]' else app.erase_in_json(staged.cells, ${pattern}) end,
        problems = case when found.whole then null else app.erase_in_json(staged.problems, ${pattern}) end,
        keys = case when found.whole then '{}' else staged.keys end,
        same_row = case when not found.whole then staged.same_row end,
        same_lead = case when not found.whole then staged.same_lead end
      from found
      where staged.import_id = found.import_id and staged.row = found.row and (select count(*) from locked) > 0
      returning staged.import_id, found.whole
    )
    select distinct import_id from changed where whole
  `.execute(tx);
  return rows.map((row) => row.import_id);
}
