import { DataError } from '#backend/data/errors/data-error.ts';
import { splitOutside, unquoted } from '#backend/data/query/names.ts';
import { parseFilter } from '#backend/data/query/parse-filter.ts';
import { refusePattern } from '#backend/data/query/pattern.ts';
import type { Filter, Test } from '#backend/data/query/query.ts';
import { createParameters, type Parameters } from '#backend/data/sql/statement.ts';
import { testSql } from '#backend/data/sql/test.ts';
import type { RealtimeOptions } from '#backend/realtime/options.ts';
import { Refusal } from '#backend/realtime/refusal.ts';
import type { WatchedTable } from './watched-tables.ts';

/** What a changed row must be like, all of it. `text` is how it was asked for. */
export type RowFilter = { text: string; filters: readonly Filter[] };

const OPERATORS: ReadonlySet<string> = new Set([
  ...['eq', 'neq', 'lt', 'lte', 'gt', 'gte', 'like', 'ilike', 'match', 'imatch', 'isdistinct'],
]);

/**
 * Reads `id=eq.1,name=like.%a%` and has PostgreSQL look at it, so that no change is needed to find out that it is wrong.
 * @throws Refusal
 */
export async function readFilter(
  { pool }: Pick<RealtimeOptions, 'pool'>,
  table: WatchedTable,
  text: string,
): Promise<RowFilter> {
  const parameters = createParameters();
  try {
    const filter = { text, filters: splitOutside(text, ',').map(readCondition) };
    const condition = filterSql(table, filter, parameters);
    await pool.query(`select ${condition} from (select (null::${table.sql}).*) as t`, parameters.values);
    return filter;
  } catch (error) {
    if (error instanceof DataError) throw new Refusal('InvalidFilter', wordsOf(error));
    if (isPgError(error)) throw new Refusal('InvalidFilter', error.message);
    throw error;
  }
}

/**
 * A filter over the row `t`, as a condition that is true or false.
 * @throws Refusal for a column that cannot be asked for
 */
export function filterSql(table: WatchedTable, { filters }: RowFilter, parameters: Parameters): string {
  const conditions = filters.map(({ field, test, negated }) => {
    const column = table.columns.find(({ name }) => name === field.column);
    if (!column || field.path.length > 0)
      throw new Refusal('InvalidFilter', `column ${field.column} does not exist in ${table.name}`);
    const sql = testSql({ sql: `t.${column.sql}`, type: column.cast }, test, parameters);
    return negated ? `not (${sql})` : sql;
  });
  return `coalesce(${conditions.join(' and ')}, false)`;
}

function readCondition(condition: string): Filter {
  const [, column = '', rest = ''] = /^([^=]*)=(.*)$/su.exec(condition.trim()) ?? [];
  const filter = parseFilter(column, rest);
  return { ...filter, test: known(filter.test) };
}

/** Realtime knows fewer operators than the data API, and takes the quotes from their values. */
function known(test: Test): Test {
  if (test.kind === 'in' || test.kind === 'is') return test;
  if (test.kind === 'compare' && !test.each && OPERATORS.has(test.operator)) {
    const value = unquoted(test.value);
    // The quotes may have hidden something.
    const refusal = refusePattern(test.operator, value, false);
    if (refusal) throw new Refusal('InvalidFilter', refusal);
    return { ...test, value };
  }
  throw new Refusal('InvalidFilter', 'this operator is not offered for changes');
}

const wordsOf = ({ message, details }: DataError) => (typeof details === 'string' ? `${message}: ${details}` : message);

const isPgError = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && /^(22|42)/.test(error.code);
