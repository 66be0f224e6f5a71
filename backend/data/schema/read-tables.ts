import { escapeIdentifier, type Pool } from 'pg';
import { type Origin, originsOf } from './origins.ts';
import { type ForeignKey, relate, type Showing, type WritableTable } from './relations.ts';
import type { Column, Table } from './table.ts';

const READ = `
  select c.oid::text as id, c.relname as table, c.relkind in ('v', 'm') as view, a.attname as column, a.attnum as number,
    pg_catalog.format_type(a.atttypid, null) as type,
    case when a.attgenerated <> '' or a.attidentity = 'a' then null
      when a.attidentity = 'd' then pg_catalog.format('nextval(%L)', pg_catalog.pg_get_serial_sequence(
        pg_catalog.format('%I.%I', n.nspname, c.relname), a.attname))
      when d.adbin is null then pg_catalog.pg_get_expr(t.typdefaultbin, 0)
      else pg_catalog.pg_get_expr(d.adbin, d.adrelid) end as default
  from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
  join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_catalog.pg_type t on t.oid = a.atttypid
  left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where c.relkind in ('r', 'p', 'v', 'm', 'f')
  order by c.relname, a.attnum`;

// Keys of every schema: a view of public may show tables of another.
const READ_KEYS = `
  select con.conname as constraint, con.contype as type, con.conrelid::text as from, con.confrelid::text as to,
    con.conkey::integer[] as columns, con.confkey::integer[] as others,
    exists (select from pg_catalog.pg_constraint one where one.conrelid = con.conrelid and one.contype in ('p', 'u')
      and one.conkey <@ con.conkey and one.conkey @> con.conkey) as unique
  from pg_catalog.pg_constraint con
  where con.contype = 'p' or (con.contype = 'f' and con.conparentid = 0)
  order by con.conname`;

const READ_VIEWS = `
  select r.ev_class::text as id, r.ev_action::text as action
  from pg_catalog.pg_rewrite r
  join pg_catalog.pg_class c on c.oid = r.ev_class and c.relkind in ('v', 'm')
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace and n.nspname not in ('pg_catalog', 'information_schema')
  where r.rulename = '_RETURN'`;

type Row = {
  id: string;
  table: string;
  view: boolean;
  column: string;
  number: number;
  type: string;
  default: string | null;
};
type Key = ForeignKey & { type: 'p' | 'f' };
type Origins = ReadonlyMap<string, ReadonlyMap<number, Origin>>;

/** The tables and views of schema public with their columns, keys and relations, by name. */
export async function readTables(pool: Pool): Promise<ReadonlyMap<string, Table>> {
  const [{ rows }, { rows: keys }, { rows: views }] = await Promise.all([
    pool.query<Row>(READ),
    pool.query<Key>(READ_KEYS),
    pool.query<{ id: string; action: string }>(READ_VIEWS),
  ]);
  const origins: Origins = new Map(views.map(({ id, action }) => [id, originsOf(action)]));
  const tables = new Map<string, WritableTable>();
  const showings = new Map<string, Map<WritableTable, Map<number, Column[]>>>();
  for (const row of rows) {
    const table = tables.get(row.table) ?? tableOf(row);
    const column = { name: row.column, sql: escapeIdentifier(row.column), type: row.type, defaultSql: row.default };
    tables.set(row.table, table);
    table.columns.set(row.column, column);
    const { relation, column: number } = baseOf(origins, { relation: row.id, column: row.number });
    const shown = showings.get(relation) ?? new Map<WritableTable, Map<number, Column[]>>();
    const columns = shown.get(table) ?? new Map<number, Column[]>();
    columns.set(number, [...(columns.get(number) ?? []), column]);
    showings.set(relation, shown.set(table, columns));
  }
  const showingsOf = (relation: string): Showing[] =>
    [...(showings.get(relation) ?? [])].map(([table, columns]) => ({ table, columns }));
  for (const key of keys.filter(({ type }) => type === 'p')) addPrimaryKey(key, showingsOf(key.from));
  relate(
    keys.filter(({ type }) => type === 'f'),
    showingsOf,
  );
  return tables;
}

const tableOf = ({ table: name, view: isView }: Row): WritableTable => ({
  name,
  isView,
  sql: `"public".${escapeIdentifier(name)}`,
  columns: new Map(),
  primaryKey: [],
  relations: [],
});

/** A view that shows a whole primary key has it too. */
function addPrimaryKey({ columns }: Key, showings: readonly Showing[]): void {
  for (const { table, columns: shown } of showings) {
    const names = columns.flatMap((number) => shown.get(number)?.[0]?.name ?? []);
    if (names.length === columns.length) table.primaryKey.push(...names);
  }
}

/** Follows a column through views to the table that stores it. */
function baseOf(origins: Origins, origin: Origin): Origin {
  const before = origins.get(origin.relation)?.get(origin.column);
  return before ? baseOf(origins, before) : origin;
}
