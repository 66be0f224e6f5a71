import { columnOf, type Table } from '#backend/data/catalogue.ts';
import { unknownColumn } from '#backend/data/data-error.ts';
import type { Condition, Operator, Truth } from '#backend/data/query/query.ts';
import { type Parameters, TARGET } from './statement.ts';

const COMPARE: Readonly<Record<Exclude<Operator, 'like' | 'ilike'>, string>> = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
};

const IS: Readonly<Record<Truth, string>> = {
  null: 'is null',
  not_null: 'is not null',
  true: 'is true',
  false: 'is false',
  unknown: 'is unknown',
};

/** ` where …`, or nothing without conditions. @throws DataError 42703 for a column that the table lacks */
export function whereSql(table: Table, conditions: readonly Condition[], parameters: Parameters): string {
  if (conditions.length === 0) return '';
  return ` where ${conditions.map((condition) => conditionSql(table, condition, parameters)).join(' and ')}`;
}

function conditionSql(table: Table, condition: Condition, parameters: Parameters): string {
  const column = columnOf(table, condition.column, unknownColumn);
  const left = `${TARGET}.${column.sql}`;
  if (condition.kind === 'is') return `${left} ${IS[condition.truth]}`;
  if (condition.kind === 'in') return `${left} = any(${parameters.add(condition.values)}::${column.type}[])`;
  const { operator, value } = condition;
  if (operator === 'like' || operator === 'ilike') {
    return `${left} ${operator} ${parameters.add(value.replaceAll('*', '%'))}::text`;
  }
  return `${left} ${COMPARE[operator]} ${parameters.add(value)}::${column.type}`;
}
