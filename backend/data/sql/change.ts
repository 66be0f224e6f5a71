import type { Rows } from '#backend/data/body.ts';
import { columnOf } from '#backend/data/catalogue.ts';
import { badBody, DataError, unknownBodyColumn } from '#backend/data/errors/data-error.ts';
import type { Condition } from '#backend/data/query/query.ts';
import type { Table } from '#backend/data/schema/table.ts';
import { recordSql } from './insert.ts';
import { sourceOf } from './source.ts';
import { createParameters, type Parameters, type Statement, TARGET } from './statement.ts';
import { whereSql } from './where.ts';
import { type Returning, writtenSql } from './written.ts';

export type ChangeOptions = { where: Condition[]; returning: Returning };

/**
 * Updates the rows that match with the keys of one object.
 * @throws DataError 21000 without a filter, PGRST204 for a key that is no column, PGRST102 for more than one object
 */
export function updateSql(table: Table, body: Rows, options: ChangeOptions): Statement {
  requireFilter('UPDATE', options.where);
  const [row, another] = body.rows;
  if (!row || another) throw badBody('An update takes one JSON object');
  const columns = Object.keys(row).map((name) => columnOf(table, name, unknownBodyColumn));
  if (columns.length === 0) throw badBody('An update needs at least one column');
  const parameters = createParameters();
  const set = columns.map(({ sql }) => `${sql} = body.${sql}`).join(', ');
  const record = `json_to_recordset(${parameters.add(body.array)}::json) as ${recordSql(columns)}`;
  const where = matching(table, options.where, parameters);
  const write = `update ${table.sql} as ${TARGET} set ${set} from ${record}${where}`;
  return { text: writtenSql(write, table, options.returning, parameters), values: parameters.values };
}

/**
 * Deletes the rows that match.
 * @throws DataError 21000 without a filter
 */
export function deleteSql(table: Table, options: ChangeOptions): Statement {
  requireFilter('DELETE', options.where);
  const parameters = createParameters();
  const write = `delete from ${table.sql} as ${TARGET}${matching(table, options.where, parameters)}`;
  return { text: writtenSql(write, table, options.returning, parameters), values: parameters.values };
}

const matching = (table: Table, where: Condition[], parameters: Parameters): string =>
  whereSql(sourceOf(table, { select: [], where, order: [], offset: 0 }), parameters);

/** A forgotten filter must not empty a table: refused as the hosted service does. */
function requireFilter(verb: 'UPDATE' | 'DELETE', where: readonly Condition[]): void {
  if (where.length > 0) return;
  throw new DataError(400, '21000', `${verb} requires a WHERE clause`, {
    hint: 'Add a filter that names the rows, for example id=eq.…',
  });
}
