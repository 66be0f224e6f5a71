import { createParameters } from '#backend/data/sql/statement.ts';
import type { RealtimeOptions } from '#backend/realtime/options.ts';
import { filterSql, type RowFilter } from './filter.ts';
import type { WatchedTable } from './watched-tables.ts';

/** A row as it is now, as JSON, and which of the filters it passes. */
export type Row = { record: Record<string, unknown>; passes: ReadonlySet<string> };

/** In one statement. */
const FILTERS_AT_ONCE = 200;

/** Rows by their ids, with the columns that people may read. A filter that PostgreSQL can not apply is told to `onBroken`. */
export async function readRows(
  { pool }: Pick<RealtimeOptions, 'pool'>,
  table: WatchedTable,
  ids: readonly string[],
  filters: readonly RowFilter[],
  onBroken: (filter: RowFilter, error: unknown) => void,
): Promise<Map<string, Row>> {
  const rows = new Map<string, { record: Record<string, unknown>; passes: Set<string> }>();
  const read = async (some: readonly RowFilter[]) => {
    const parameters = createParameters();
    const idsAt = parameters.add(ids);
    const columns = table.columns.map(({ sql }) => `t.${sql}`).join(', ');
    const conditions = some.map((filter) => filterSql(table, filter, parameters)).join(', ');
    const found = await pool.query<{ id: string; record: Record<string, unknown>; passes: boolean[] }>(
      `select t.id, array[${conditions}]::boolean[] as passes,
         (select row_to_json(told) from (select ${columns}) as told) as record
       from ${table.sql} as t where t.id = any (${idsAt}::uuid[])`,
      parameters.values,
    );
    for (const { id, record, passes } of found.rows) {
      const row = rows.get(id) ?? { record, passes: new Set<string>() };
      for (const [at, { text }] of some.entries()) if (passes[at]) row.passes.add(text);
      rows.set(id, row);
    }
  };
  /** One that fails must not keep the others from being told: which it is shows when each is tried alone. */
  const readAnyway = async (some: readonly RowFilter[]) => {
    try {
      await read(some);
    } catch (error) {
      const [only, another] = some;
      if (!only) throw error;
      if (!another) return onBroken(only, error);
      for (const filter of some) await readAnyway([filter]);
    }
  };
  if (filters.length === 0) await read([]);
  for (let at = 0; at < filters.length; at += FILTERS_AT_ONCE)
    await readAnyway(filters.slice(at, at + FILTERS_AT_ONCE));
  return rows;
}
