import type { Shape } from '#backend/data/accept.ts';
import { columnOf, type Table } from '#backend/data/catalogue.ts';
import { unknownColumn } from '#backend/data/data-error.ts';
import type { Ordered, Query } from '#backend/data/query/query.ts';
import type { Page } from '#backend/data/range.ts';
import { projectionOf } from './projection.ts';
import { createParameters, type Statement, TARGET } from './statement.ts';
import { whereSql } from './where.ts';

export type ReadOptions = { page: Page; shape: Shape; count: boolean; withBody: boolean };

/**
 * One row: `body` (JSON text, if asked), `rows` (on this page) and `total` (matching, if asked).
 * @throws DataError 42703 for a column that the table lacks
 */
export function readSql(table: Table, query: Query, options: ReadOptions): Statement {
  const parameters = createParameters();
  const where = whereSql(table, query.where, parameters);
  const from = `from ${table.sql} as ${TARGET}${where}`;
  // Without a body the selection is only checked: PostgreSQL refuses parameters that no text mentions.
  const projection = projectionOf(table, query.select, options.withBody ? parameters : createParameters());
  const order = orderSql(table, query.order);
  const page = `limit ${parameters.add(options.page.limit)}::bigint offset ${parameters.add(options.page.offset)}::bigint`;
  const answers = [
    ...(options.withBody ? [`${projection.json('page', options.shape)} as body`] : []),
    'count(*)::integer as rows',
    ...(options.count ? [`(select count(*) ${from})::integer as total`] : []),
  ];
  const inner = options.withBody ? projection.columns : `${TARGET}.*`;
  const text = `select ${answers.join(', ')} from (select ${inner} ${from}${order} ${page}) as page`;
  return { text, values: parameters.values };
}

function orderSql(table: Table, order: readonly Ordered[]): string {
  if (order.length === 0) return '';
  const terms = order.map(({ column, descending, nulls }) => {
    const direction = descending ? ' desc' : ' asc';
    return `${TARGET}.${columnOf(table, column, unknownColumn).sql}${direction}${nulls ? ` nulls ${nulls}` : ''}`;
  });
  return ` order by ${terms.join(', ')}`;
}
