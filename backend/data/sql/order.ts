import { notEmbedded, notToOne } from '#backend/data/errors/data-error.ts';
import type { Ordered } from '#backend/data/query/query.ts';
import { fieldSql } from './field.ts';
import type { Source } from './source.ts';
import type { Parameters } from './statement.ts';
import { embeddedFromSql } from './where.ts';

/**
 * ` order by …`, or nothing.
 * @throws DataError 42703, PGRST108 or PGRST118 for a related table that cannot decide
 */
export function orderSql(source: Source, parameters: Parameters): string {
  if (source.part.order.length === 0) return '';
  const terms = source.part.order.map((ordered) => {
    const direction = ordered.descending ? ' desc' : ' asc';
    return `${bySql(source, ordered, parameters)}${direction}${ordered.nulls ? ` nulls ${ordered.nulls}` : ''}`;
  });
  return ` order by ${terms.join(', ')}`;
}

function bySql(source: Source, { field, relation }: Ordered, parameters: Parameters): string {
  if (relation === undefined) return fieldSql(source, field, parameters).sql;
  const embedded = source.embedded.find(({ name }) => name === relation);
  if (!embedded) throw notEmbedded(relation);
  if (embedded.relation.many) throw notToOne(source.table.name, relation);
  const { sql } = fieldSql(embedded.source, field, parameters);
  return `(select ${sql} ${embeddedFromSql(source, embedded, parameters)} limit 1)`;
}
