import { sql } from 'kysely';
import type { ImportProblem } from '#contract/imports/imports.ts';
import type { Tx } from '#db/connection/tx.ts';
import { cut } from '#server/lib/cut.ts';

/** Columns of a row that its lead has no room for. */
export type ColumnsLeftOut = { row: number; extra: Readonly<Record<string, string>> };

const WHY = 'The lead that this row fills has no room left for this column.';
/** In characters, and problems of one row. */
const LONGEST_SHOWN = 100;
const MOST_PROBLEMS = 20;

/** Adds what was left out to the problems of its rows. */
export async function tellLeftOut(tx: Tx, importId: string, rows: readonly ColumnsLeftOut[]): Promise<void> {
  if (rows.length === 0) return;
  const given = rows.map(({ row, extra }) => ({ row, problems: problemsOf(extra) }));
  await sql`
    with told as (
      update app.import_rows as staged set problems = coalesce(staged.problems, '[]') || (given -> 'problems')
      from jsonb_array_elements(${JSON.stringify(given)}::jsonb) as given
      where staged.import_id = ${importId} and staged.row = (given ->> 'row')::integer
      returning staged.problems = given -> 'problems' as had_none
    )
    update app.imports set errors = errors + (select count(*) from told where had_none) where id = ${importId}
  `.execute(tx);
}

const problemsOf = (extra: ColumnsLeftOut['extra']): Omit<ImportProblem, 'row'>[] =>
  Object.entries(extra)
    .slice(0, MOST_PROBLEMS)
    .map(([column, value]) => ({ column, value: cut(value, LONGEST_SHOWN), why: WHY }));
