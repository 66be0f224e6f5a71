import type { Shape } from '#backend/data/accept.ts';
import type { Table } from '#backend/data/catalogue.ts';
import { unsupported } from '#backend/data/data-error.ts';
import type { Selected } from '#backend/data/query/query.ts';
import { MAX_ROWS } from '#backend/data/range.ts';
import { MAX_EMBEDDED_ROWS } from './fan-out.ts';
import { bodySql, projectionOf } from './projection.ts';
import { type Source, sourceOf } from './source.ts';
import { type Parameters, TARGET } from './statement.ts';

/** The rows to answer after a write; undefined answers none. */
export type Returning = { select: Selected[]; shape: Shape } | undefined;

/** As many rows may embed others: each could embed as many as an answer holds at most. */
const MAX_EMBEDDING = MAX_EMBEDDED_ROWS / MAX_ROWS;

/**
 * Wraps a write so that it answers one row of `body` and `rows`; without `returning` it is left as it is.
 * With `marksFresh` the row also has `fresh`, how many rows were not there before.
 * `body` is null where more rows than MAX_EMBEDDING would embed others.
 */
export function writtenSql(
  write: string,
  table: Table,
  returning: Returning,
  parameters: Parameters,
  marksFresh = false,
): string {
  if (!returning && !marksFresh) return write;
  const source = sourceOf(table, { select: returning?.select ?? [], where: [], order: [], offset: 0 });
  if (marksFresh || source.embedded.length > 0) {
    return wholeRowsSql(write, source, returning, parameters, marksFresh);
  }
  const projection = projectionOf(source, parameters);
  const body = bodySql(projection, 'written', returning?.shape ?? 'array', parameters);
  return `with written as (${write} returning ${projection.columns}) select ${body} as body, count(*)::integer as rows from written`;
}

/** What embeds other tables, or says which rows are new, is selected from the rows after they are written. */
function wholeRowsSql(
  write: string,
  source: Source,
  returning: Returning,
  parameters: Parameters,
  marksFresh: boolean,
): string {
  if (source.embedded.some(({ embed }) => embed.inner)) throw unsupported('!inner in the answer of a write');
  // A row that was there before has been locked by the transaction that changed it.
  const fresh = marksFresh ? `, ${TARGET}.xmax::text = '0' as fresh` : '';
  const answers = [
    'count(*)::integer as rows',
    ...(marksFresh ? ['(count(*) filter (where fresh))::integer as fresh'] : []),
  ];
  if (returning) {
    const projection = projectionOf(source, parameters);
    const rows = `(select (written.item).* from written) as ${TARGET}`;
    const body = `select ${bodySql(projection, 'page', returning.shape, parameters)} from (select ${projection.columns} from ${rows}${projection.joins}) as page`;
    const most = source.embedded.length > 0 ? MAX_EMBEDDING : null;
    answers.unshift(`case when count(*) > ${parameters.add(most)}::bigint then null else (${body}) end as body`);
  }
  return `with written as (${write} returning ${TARGET} as item${fresh}) select ${answers.join(', ')} from written`;
}
