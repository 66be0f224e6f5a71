import type { Shape } from '#backend/data/accept.ts';
import type { Ordered, Selected } from '#backend/data/query/query.ts';
import { MAX_ROWS } from '#backend/data/range.ts';
import type { Table } from '#backend/data/schema/table.ts';
import { MAX_EMBEDDED_ROWS } from './fan-out.ts';
import { orderSql } from './order.ts';
import { bodySql, projectionOf } from './projection.ts';
import { type Source, sourceOf } from './source.ts';
import { type Parameters, TARGET } from './statement.ts';
import { whereSql } from './where.ts';

/** The rows to answer after a write, and in which order; undefined returns none. */
export type Returning = { select: Selected[]; shape: Shape; order: Ordered[] } | undefined;

/** As many rows may embed others: each could embed as many as an answer holds at most. */
const MAX_EMBEDDING = MAX_EMBEDDED_ROWS / MAX_ROWS;

/**
 * Wraps a write so that it returns one row of `body` and `rows`; without `returning` it is left as it is.
 * - `body`: null where more rows than MAX_EMBEDDING would embed others
 * - `fresh`, with `marksFresh`: how many rows were not there before
 * - `shown`, where `!inner` leaves rows out: how many `body` holds
 */
export function writtenSql(
  write: string,
  table: Table,
  returning: Returning,
  parameters: Parameters,
  marksFresh = false,
): string {
  if (!returning && !marksFresh) return write;
  const { select = [], order = [] } = returning ?? {};
  const source = sourceOf(table, { select, where: [], order, offset: 0 });
  if (marksFresh || source.embedded.length > 0 || order.length > 0) {
    return wholeRowsSql(write, source, returning, parameters, marksFresh);
  }
  const projection = projectionOf(source, parameters);
  const body = bodySql(projection, 'written', returning?.shape ?? 'array', parameters);
  return `with written as (${write} returning ${projection.columns}) select ${body} as body, count(*)::integer as rows from written`;
}

/** What embeds other tables, has an order, or says which rows are new, is selected from the rows after they are written. */
function wholeRowsSql(
  write: string,
  source: Source,
  returning: Returning,
  parameters: Parameters,
  marksFresh: boolean,
): string {
  // A row that was there before has been locked by the transaction that changed it.
  const fresh = marksFresh ? `, ${TARGET}.xmax::text = '0' as fresh` : '';
  const answers = [
    'count(*)::integer as rows',
    ...(marksFresh ? ['(count(*) filter (where fresh))::integer as fresh'] : []),
  ];
  if (returning) {
    const projection = projectionOf(source, parameters);
    const rows = `(select (written.item).* from written) as ${TARGET}`;
    const where = whereSql(source, parameters);
    const from = `${rows}${projection.joins}${where}${orderSql(source, parameters)}`;
    const body = `select ${bodySql(projection, 'page', returning.shape, parameters)} from (select ${projection.columns} from ${from}) as page`;
    const most = source.embedded.length > 0 ? MAX_EMBEDDING : null;
    if (where !== '') answers.push(`(select count(*) from ${rows}${where})::integer as shown`);
    answers.unshift(`case when count(*) > ${parameters.add(most)}::bigint then null else (${body}) end as body`);
  }
  return `with written as (${write} returning ${TARGET} as item${fresh}) select ${answers.join(', ')} from written`;
}
