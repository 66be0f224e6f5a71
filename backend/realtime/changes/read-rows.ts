import type { Pool } from 'pg';
import { createParameters } from '#backend/data/sql/statement.ts';
import { filterSql, type RowFilter } from './filter.ts';
import { queryWithin } from './query-within.ts';
import type { WatchedTable } from './watched-tables.ts';

/** A person's filter, and the rows that it is applied to: ones that they see, because how it fails tells of them. */
export type Filtering = { filter: RowFilter; ids: readonly string[] };

/** A row as it is now, as JSON, and what lets it pass. */
export type Row<F extends Filtering> = { record: Record<string, unknown>; passes: Set<F> };

type Found = { id: string; record: Record<string, unknown>; passes: boolean[] };

/** For all filters of a statement, in ms: they are all of one person, whose next changes wait meanwhile. */
const PATIENCE_MS = 500;

/**
 * Rows by their ids, with the columns that people may read.
 * @throws what PostgreSQL says when it cannot apply a filter, or not in time.
 */
export async function readRows<F extends Filtering>(
  pool: Pool,
  table: WatchedTable,
  ids: readonly string[],
  filterings: readonly F[],
): Promise<Map<string, Row<F>>> {
  const parameters = createParameters();
  const places = new Map<readonly string[], string>();
  const among = (some: readonly string[]) => {
    const place = places.get(some) ?? parameters.add(some);
    places.set(some, place);
    return `t.id = any (${place}::uuid[])`;
  };
  const columns = table.columns.map(({ sql }) => `t.${sql}`).join(', ');
  // With `and` PostgreSQL could ask a condition of the other rows first.
  const conditions = filterings.map(
    (one) => `case when ${among(one.ids)} then ${filterSql(table, one.filter, parameters)} else false end`,
  );
  const text = `
    select t.id, array[${conditions.join(', ')}]::boolean[] as passes,
      (select row_to_json(told) from (select ${columns}) as told) as record
    from ${table.sql} as t where ${among(ids)}`;
  const found =
    filterings.length > 0
      ? await queryWithin<Found>(pool, PATIENCE_MS, text, parameters.values)
      : await pool.query<Found>(text, parameters.values);
  return new Map(
    found.rows.map(({ id, record, passes }) => [
      id,
      { record, passes: new Set(filterings.filter((_, at) => passes[at])) },
    ]),
  );
}
