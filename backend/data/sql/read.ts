import type { Shape } from '#backend/data/accept.ts';
import type { Page } from '#backend/data/range.ts';
import { orderSql } from './order.ts';
import { bodySql, projectionOf } from './projection.ts';
import type { Source } from './source.ts';
import { createParameters, type Parameters, type Statement } from './statement.ts';
import { whereSql } from './where.ts';

export type ReadOptions = { page: Page; shape: Shape; count: boolean; withBody: boolean };

/**
 * One row: `body` (JSON text, if asked), `rows` (on this page) and `total` (matching, if asked).
 * @throws DataError 42703 for a column that the table lacks
 */
export function readSql(source: Source, { page, shape, count, withBody }: ReadOptions): Statement {
  const parameters = createParameters();
  const from = `from ${source.table.sql} as ${source.alias}`;
  const where = whereSql(source, parameters);
  // Without a body the selection is only checked: PostgreSQL refuses parameters that no text mentions.
  const projection = projectionOf(source, withBody ? parameters : createParameters());
  const window = pageSql(source, page, parameters);
  const answers = [
    ...(withBody ? [`${bodySql(projection, 'page', shape, parameters)} as body`] : []),
    'count(*)::integer as rows',
    ...(count ? [`(select count(*) ${from}${where})::integer as total`] : []),
  ];
  const inner = withBody ? `${projection.columns} ${from}${projection.joins}` : `${source.alias}.* ${from}`;
  const text = `select ${answers.join(', ')} from (select ${inner}${where}${window}) as page`;
  return { text, values: parameters.values };
}

/** ` order by … limit … offset …` of the addressed table. */
export function pageSql(source: Source, page: Page, parameters: Parameters): string {
  const order = orderSql(source, parameters);
  return `${order} limit ${parameters.add(page.limit)}::bigint offset ${parameters.add(page.offset)}::bigint`;
}
