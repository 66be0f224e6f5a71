import { columnOf } from '#backend/data/catalogue.ts';
import { unknownColumn } from '#backend/data/errors/data-error.ts';
import type { Field } from '#backend/data/query/query.ts';
import type { Source } from './source.ts';
import type { Parameters } from './statement.ts';

/**
 * A field as SQL, and the type that a value must have to be compared with it.
 * @throws DataError 42703
 */
export function fieldSql({ table, alias }: Source, { column, path }: Field, parameters: Parameters) {
  const { sql, type } = columnOf(table, column, unknownColumn);
  if (path.length === 0) return { sql: `${alias}.${sql}`, type };
  const steps = path.map(
    ({ arrow, key, isIndex }) => ` ${arrow} ${parameters.add(key)}::${isIndex ? 'integer' : 'text'}`,
  );
  return { sql: `(${alias}.${sql}${steps.join('')})`, type: path.at(-1)?.arrow === '->>' ? 'text' : 'jsonb' };
}
