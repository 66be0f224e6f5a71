import type { Rows } from '#backend/data/body.ts';
import { columnOf } from '#backend/data/catalogue.ts';
import { badBody, unknownBodyColumn, unknownColumn } from '#backend/data/errors/data-error.ts';
import type { Column, Table } from '#backend/data/schema/table.ts';
import { createParameters, type Parameters, type Statement, TARGET } from './statement.ts';
import { type Returning, writtenSql } from './written.ts';

/** What happens to a row that is there already, known by `columns` or else by the primary key. */
type OnConflict = { resolution: 'merge' | 'ignore'; columns: readonly string[] | undefined };
export type InsertOptions = {
  columns: readonly string[] | undefined;
  missingIsDefault: boolean;
  onConflict: OnConflict | undefined;
  returning: Returning;
};

/**
 * Inserts one object or an array of them. The body travels as one JSON value; only names of columns are written.
 * One that merges also returns `fresh`, how many rows were not there before.
 * @throws DataError PGRST204 for a key that is no column, PGRST102 when rows have different keys and `columns` is not given
 */
export function insertSql(table: Table, body: Rows, options: InsertOptions): Statement {
  const names = options.columns ?? keysOf(body);
  const columns = [...new Set(names)].map((name) => columnOf(table, name, unknownBodyColumn));
  const parameters = createParameters();
  const into = `insert into ${table.sql} as ${TARGET}`;
  if (columns.length === 0 && body.rows.length === 0) {
    const body = options.returning?.shape === 'csv' ? 'chr(10)' : `'[]'::text`;
    return { text: `select ${options.returning ? `${body} as body, ` : ''}0 as rows`, values: [] };
  }
  if (columns.length === 0) {
    if (body.rows.length > 1) throw badBody('Rows without any column can only be inserted one at a time');
    return { text: writtenSql(`${into} default values`, table, options.returning, parameters), values: [] };
  }
  const list = columns.map(({ sql }) => sql).join(', ');
  const rows = options.missingIsDefault
    ? rowsWithDefaults(columns, body, parameters)
    : rowsAsGiven(columns, body, parameters);
  const conflict = conflictSql(table, columns, options.onConflict);
  // The rows of a view do not tell by which transaction they were changed.
  const merges = conflict !== '' && options.onConflict?.resolution === 'merge' && !table.isView;
  const write = `${into} (${list}) ${rows}${conflict}`;
  return { text: writtenSql(write, table, options.returning, parameters, merges), values: parameters.values };
}

/** ` on conflict …`; nothing where there is no key to know a row by. */
function conflictSql(table: Table, written: readonly Column[], onConflict: OnConflict | undefined): string {
  if (!onConflict) return '';
  const by = (onConflict.columns ?? table.primaryKey).map((name) => columnOf(table, name, unknownColumn).sql);
  if (by.length === 0) return '';
  const set = written.map(({ sql }) => `${sql} = excluded.${sql}`).join(', ');
  return ` on conflict (${by.join(', ')}) do ${onConflict.resolution === 'merge' ? `update set ${set}` : 'nothing'}`;
}

/** `body("name" text, …)`: how JSON becomes a record of the table's types. */
export const recordSql = (columns: readonly Column[]): string =>
  `body(${columns.map(({ sql, type }) => `${sql} ${type}`).join(', ')})`;

function rowsAsGiven(columns: readonly Column[], body: Rows, parameters: Parameters): string {
  const list = columns.map(({ sql }) => `body.${sql}`).join(', ');
  return `select ${list} from json_to_recordset(${parameters.add(body.array)}::json) as ${recordSql(columns)}`;
}

function rowsWithDefaults(columns: readonly Column[], body: Rows, parameters: Parameters): string {
  const list = columns.map(({ name, sql, defaultSql }) =>
    defaultSql === null
      ? `body.${sql}`
      : `case when item.value -> ${parameters.add(name)}::text is null then ${defaultSql} else body.${sql} end`,
  );
  const items = `json_array_elements(${parameters.add(body.array)}::json) as item(value)`;
  return `select ${list.join(', ')} from ${items}, lateral json_to_record(item.value) as ${recordSql(columns)}`;
}

function keysOf(body: Rows): string[] {
  const [first, ...others] = body.rows.map((row) => Object.keys(row));
  const keys = first ?? [];
  const known = new Set(keys);
  for (const other of others) {
    if (other.length !== keys.length || other.some((key) => !known.has(key))) {
      throw badBody('All object keys must match');
    }
  }
  return keys;
}
