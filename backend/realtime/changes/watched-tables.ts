import { escapeIdentifier } from 'pg';
import type { RealtimeOptions } from '#backend/realtime/options.ts';

/** A column that people may read. `type` is its short name, as clients know it; `cast` the one that SQL takes. */
type WatchedColumn = { name: string; type: string; cast: string; sql: string };
/** A table whose changes are told. `name` is `public.lists`; `sql` the same, quoted; `answers` the function that tells who sees its rows. */
export type WatchedTable = {
  schema: string;
  table: string;
  name: string;
  sql: string;
  answers: string;
  columns: readonly WatchedColumn[];
};

/** Reads which tables are watched, once, and again after `NOTIFY pgrst`. */
export type WatchedTables = () => Promise<readonly WatchedTable[]>;

const READ = `
  select n.nspname as schema, c.relname as table, a.attname as name, ty.typname as type,
    pg_catalog.format_type(a.atttypid, null) as cast
  from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_catalog.pg_type ty on ty.oid = a.atttypid
  where c.oid in (select tgrelid from pg_catalog.pg_trigger where tgfoid = 'realtime.tell_change'::regproc)
    and pg_catalog.has_column_privilege('authenticated', c.oid, a.attnum, 'select')
  order by c.oid, a.attnum`;

export function createWatchedTables({ pool, notifications }: Pick<RealtimeOptions, 'pool' | 'notifications'>): {
  read: WatchedTables;
  stop(): void;
} {
  let tables: Promise<readonly WatchedTable[]> | undefined;
  const read = () => {
    const reading = readTables(pool);
    tables = reading;
    reading.catch(() => {
      if (tables === reading) tables = undefined;
    });
    return reading;
  };
  const stop = notifications.on('pgrst', () => {
    tables = undefined;
  });
  return { read: () => tables ?? read(), stop };
}

async function readTables(pool: RealtimeOptions['pool']): Promise<WatchedTable[]> {
  const { rows } = await pool.query<Omit<WatchedColumn, 'sql'> & { schema: string; table: string }>(READ);
  const tables = new Map<string, WatchedTable & { columns: WatchedColumn[] }>();
  for (const { schema, table, ...column } of rows) {
    const name = `${schema}.${table}`;
    const sql = `${escapeIdentifier(schema)}.${escapeIdentifier(table)}`;
    const answers = `realtime.${escapeIdentifier(`visible in ${name}`)}`;
    const known = tables.get(name) ?? { schema, table, name, sql, answers, columns: [] };
    known.columns.push({ ...column, sql: escapeIdentifier(column.name) });
    tables.set(name, known);
  }
  return [...tables.values()];
}
