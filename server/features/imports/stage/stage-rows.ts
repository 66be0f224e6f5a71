import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { RawRow } from '#server/features/imports/read/row.ts';
import { type MappedColumn, readRow } from '#server/features/imports/values/read-row.ts';
import { tidy } from '#server/features/imports/values/tidy.ts';
import { NO_BUSINESS, totalsAt } from '#server/features/imports/values/totals.ts';
import { cut } from '#server/lib/cut.ts';

/** Rows that are written, or read again, at a time. */
export const ROWS_AT_ONCE = 1_000;
/** Problems of one row that are kept. */
const MOST_PROBLEMS = 20;

/** Names that many have who have none: they and a ZIP code make no two of them one. */
const NO_NAME =
  /^(?:unknown|private|individual|personal|self|self[ -]?employed|sole (?:owner|proprietor)|freelance(?:r)?|no (?:name|company)|not (?:available|provided)|tbd|test|(?:private )?residence|residential|home ?owner|retired|#[a-z]+[/!?\d]*)$/i;

/** What its keys are made of, and its problems: short names, because there are many of these. */
type Keyed = { r: number; p?: string; e?: string; w?: string; n?: string; z?: string; x?: unknown };

function keyed({ row, cells }: RawRow, columns: readonly MappedColumn[]): Keyed {
  const read = readRow(cells, columns);
  if (!read) {
    const at = totalsAt(cells);
    if (at === undefined) return { r: row };
    const column = columns[at]?.header ?? `Column ${at + 1}`;
    return { r: row, x: [{ column, value: cut(tidy(cells[at] ?? ''), 100), why: NO_BUSINESS }] };
  }
  const { values, zip, problems } = read;
  return {
    r: row,
    ...(values.phone ? { p: values.phone } : {}),
    ...(values.email ? { e: values.email } : {}),
    ...(values.website ? { w: values.website } : {}),
    n: values.business_name,
    ...(zip && !NO_NAME.test(values.business_name) ? { z: zip } : {}),
    ...(problems.length > 0 ? { x: problems.slice(0, MOST_PROBLEMS) } : {}),
  };
}

const KEYS: RawBuilder<string[]> = sql`
  app.import_keys(given ->> 'p', given ->> 'e', given ->> 'w', given ->> 'n', given ->> 'z')`;
const GIVEN = (rows: unknown) => sql`jsonb_array_elements(${JSON.stringify(rows)}::jsonb) as given`;

/** Stores rows of a file with their keys and problems. Returns how many of them have problems. */
export async function stageRows(
  db: Db | Tx,
  importId: string,
  rows: readonly RawRow[],
  columns: readonly MappedColumn[],
): Promise<number> {
  const given = rows.map((row) => ({ ...keyed(row, columns), c: row.cells }));
  await sql`
    insert into app.import_rows (import_id, row, cells, keys, problems)
    select ${importId}::uuid, (given ->> 'r')::integer, given -> 'c', ${KEYS}, given -> 'x' from ${GIVEN(given)}
  `.execute(db);
  return given.filter(({ x }) => x !== undefined).length;
}

/** Writes keys and problems again, of at most ROWS_AT_ONCE rows behind `after`. Returns the last of them and how many have problems. */
export async function keyAgain(
  db: Db | Tx,
  importId: string,
  columns: readonly MappedColumn[],
  after: number,
): Promise<{ last: number; rows: number; errors: number }> {
  const rows = await db
    .selectFrom('app.import_rows')
    .select(['row', 'cells'])
    .where('import_id', '=', importId)
    .where('row', '>', after)
    .orderBy('row')
    .limit(ROWS_AT_ONCE)
    .execute();
  const given = rows.map(({ row, cells }) => keyed({ row, cells: cells as string[] }, columns));
  await sql`
    update app.import_rows as staged set keys = ${KEYS}, problems = given -> 'x'
    from ${GIVEN(given)}
    where staged.import_id = ${importId} and staged.row = (given ->> 'r')::integer
  `.execute(db);
  return {
    last: rows.at(-1)?.row ?? after,
    rows: rows.length,
    errors: given.filter(({ x }) => x !== undefined).length,
  };
}
