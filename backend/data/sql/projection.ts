import type { Shape } from '#backend/data/accept.ts';
import { columnOf, type Table } from '#backend/data/catalogue.ts';
import { unknownColumn, unsupported } from '#backend/data/data-error.ts';
import type { Selected } from '#backend/data/query/query.ts';
import { type Parameters, TARGET } from './statement.ts';

/** `columns` stands in the inner select or `returning`; `json` makes the answer of the rows called `rows`. */
export type Projection = { columns: string; json(rows: string, shape: Shape): string };

// json_build_object takes at most 100 arguments: a name and a value for each column.
const MAX_RENAMED = 50;

/**
 * The selected columns as SQL. Names that a request invents (aliases) are passed as values, never written.
 * @throws DataError 42703 for a column that the table lacks
 */
export function projectionOf(table: Table, select: readonly Selected[], parameters: Parameters): Projection {
  if (select.some(({ as }) => as !== undefined)) return renaming(table, select, parameters);
  const columns = select.map(({ column }) =>
    column === '*' ? `${TARGET}.*` : `${TARGET}.${columnOf(table, column, unknownColumn).sql}`,
  );
  return { columns: columns.join(', '), json: (rows, shape) => aggregate(rows, shape) };
}

function renaming(table: Table, select: readonly Selected[], parameters: Parameters): Projection {
  const named = select.flatMap(({ column, as }) =>
    column === '*'
      ? [...table.columns.values()].map(({ name, sql }) => ({ as: name, sql }))
      : [{ as: as ?? column, sql: columnOf(table, column, unknownColumn).sql }],
  );
  if (named.length > MAX_RENAMED) throw unsupported(`A selection of more than ${MAX_RENAMED} columns with new names`);
  const keys = named.map(({ as }) => `${parameters.add(as)}::text`);
  return {
    columns: named.map(({ sql }, at) => `${TARGET}.${sql} as c${at}`).join(', '),
    json: (rows, shape) =>
      aggregate(`json_build_object(${keys.map((key, at) => `${key}, ${rows}.c${at}`).join(', ')})`, shape),
  };
}

/** PostgreSQL builds the JSON; it is passed on as text. */
function aggregate(row: string, shape: Shape): string {
  return shape === 'object' ? `(json_agg(${row}) -> 0)::text` : `coalesce(json_agg(${row}), '[]')::text`;
}
