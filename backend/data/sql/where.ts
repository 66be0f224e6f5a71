import type { Condition, Filter } from '#backend/data/query/query.ts';
import { fieldSql } from './field.ts';
import type { Embedded, Source } from './source.ts';
import type { Parameters } from './statement.ts';
import { testSql } from './test.ts';

/**
 * ` where …`, or nothing when nothing is asked.
 * @throws DataError 42703 for a column that the table lacks
 */
export function whereSql(source: Source, parameters: Parameters, joined: readonly string[] = []): string {
  const all = [
    ...joined,
    ...source.part.where.map((condition) => conditionSql(source, condition, parameters)),
    ...source.embedded.filter(({ embed }) => embed.inner).map((embedded) => existsSql(source, embedded, parameters)),
  ];
  return all.length === 0 ? '' : ` where ${all.join(' and ')}`;
}

/**
 * `from … where …` of an embedded table: the rows that belong to the row it is embedded in. `joins` are what its own
 * selection joins.
 */
export function embeddedFromSql(
  parent: Source,
  { relation: { on, through }, source }: Embedded,
  parameters: Parameters,
  joins = '',
): string {
  const { alias } = source;
  const third = `${alias}j`;
  const joined = on.map(({ own, other }) => `${through ? third : alias}.${other.sql} = ${parent.alias}.${own.sql}`);
  const found = through?.on.map(({ own, other }) => `${alias}.${other.sql} = ${third}.${own.sql}`) ?? [];
  const by = through ? ` cross join ${through.table.sql} as ${third}` : '';
  return `from ${source.table.sql} as ${alias}${by}${joins}${whereSql(source, parameters, [...joined, ...found])}`;
}

const existsSql = (parent: Source, embedded: Embedded, parameters: Parameters): string =>
  `exists (select 1 ${embeddedFromSql(parent, embedded, parameters)})`;

function conditionSql(source: Source, condition: Condition, parameters: Parameters): string {
  const sql =
    condition.kind === 'filter'
      ? filterSql(source, condition, parameters)
      : `(${condition.conditions.map((one) => conditionSql(source, one, parameters)).join(` ${condition.kind} `)})`;
  return condition.negated ? `not (${sql})` : sql;
}

function filterSql(source: Source, { field, test }: Filter, parameters: Parameters): string {
  // `leads=is.null`: whether there is any embedded row.
  const embedded =
    test.kind === 'is' && field.path.length === 0 && !source.table.columns.has(field.column)
      ? source.embedded.find(({ name }) => name === field.column)
      : undefined;
  if (embedded && test.kind === 'is' && (test.truth === 'null' || test.truth === 'not_null')) {
    const exists = existsSql(source, embedded, parameters);
    return test.truth === 'null' ? `not ${exists}` : exists;
  }
  return testSql(fieldSql(source, field, parameters), test, parameters);
}
