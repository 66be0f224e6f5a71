import { escapeIdentifier, type Pool } from 'pg';
import { type DataError, unknownTable } from './data-error.ts';

/** A column as the catalogue knows it; `sql` and `type` are safe to write into a statement. */
export type Column = { name: string; sql: string; type: string; defaultSql: string | null };
/** A foreign key, seen from one of its two tables. */
export type Relation = {
  constraint: string;
  /** The other table. */
  table: Table;
  /** Whether a row may have many rows of the other table. */
  many: boolean;
  /** The columns that must be equal: this table's and the other's. */
  on: readonly { own: Column; other: Column }[];
};
/** A table or view of schema public; `sql` is its quoted, qualified name. */
export type Table = {
  name: string;
  sql: string;
  columns: ReadonlyMap<string, Column>;
  primaryKey: readonly string[];
  relations: readonly Relation[];
};

/** The tables that may be addressed. */
export type Catalogue = {
  /** @throws DataError PGRST205 when schema public holds no such table, even after a fresh look. */
  table(name: string): Promise<Table>;
  /** Forgets what was read, so that the next request looks again. */
  forget(): void;
};

// A name that nobody knows makes the catalogue look again, but strangers must not be able to keep it busy.
const LOOK_AGAIN_AFTER_MS = 1_000;

const READ = `
  select c.relname as table, a.attname as column, pg_catalog.format_type(a.atttypid, null) as type,
    case when a.attgenerated = '' and a.attidentity = '' then pg_catalog.pg_get_expr(d.adbin, d.adrelid) end as default
  from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
  join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where c.relkind in ('r', 'p', 'v', 'm', 'f')
  order by c.relname, a.attnum`;

const READ_KEYS = `
  select con.conname as constraint, con.contype as type, c.relname as table, target.relname as target,
    array(select a.attname::text from unnest(con.conkey) with ordinality as key (attnum, at)
      join pg_catalog.pg_attribute a on a.attrelid = con.conrelid and a.attnum = key.attnum order by at) as columns,
    array(select a.attname::text from unnest(con.confkey) with ordinality as key (attnum, at)
      join pg_catalog.pg_attribute a on a.attrelid = con.confrelid and a.attnum = key.attnum order by at) as others
  from pg_catalog.pg_constraint con
  join pg_catalog.pg_class c on c.oid = con.conrelid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
  left join pg_catalog.pg_class target on target.oid = con.confrelid and target.relnamespace = n.oid
  where con.contype = 'p' or (con.contype = 'f' and target.oid is not null and con.conparentid = 0)
  order by con.conname`;

/** Reads tables, columns and keys from the database once and remembers them until `forget` or an unknown name. */
export function createCatalogue(pool: Pool, now: () => number = Date.now): Catalogue {
  let tables: Promise<ReadonlyMap<string, Table>> | undefined;
  let readAt = 0;

  const read = () => {
    readAt = now();
    const reading = readTables(pool);
    tables = reading;
    // A failed look must not be remembered; whoever awaits it gets the error.
    reading.catch(() => {
      if (tables === reading) tables = undefined;
    });
    return reading;
  };

  return {
    async table(name) {
      const known = (await (tables ?? read())).get(name);
      if (known) return known;
      if (now() - readAt < LOOK_AGAIN_AFTER_MS) throw unknownTable(name);
      const found = (await read()).get(name);
      if (!found) throw unknownTable(name);
      return found;
    },
    forget() {
      tables = undefined;
    },
  };
}

type KnownTable = Table & { columns: Map<string, Column>; primaryKey: string[]; relations: Relation[] };

async function readTables(pool: Pool): Promise<ReadonlyMap<string, Table>> {
  const { rows } = await pool.query<{ table: string; column: string; type: string; default: string | null }>(READ);
  const tables = new Map<string, KnownTable>();
  for (const row of rows) {
    let table = tables.get(row.table);
    if (!table) {
      const sql = `"public".${escapeIdentifier(row.table)}`;
      table = { name: row.table, sql, columns: new Map(), primaryKey: [], relations: [] };
      tables.set(row.table, table);
    }
    table.columns.set(row.column, {
      name: row.column,
      sql: escapeIdentifier(row.column),
      type: row.type,
      defaultSql: row.default,
    });
  }
  await readKeys(pool, tables);
  return tables;
}

type Key = { constraint: string; type: 'p' | 'f'; table: string; target: string; columns: string[]; others: string[] };

async function readKeys(pool: Pool, tables: ReadonlyMap<string, KnownTable>): Promise<void> {
  const { rows } = await pool.query<Key>(READ_KEYS);
  for (const { constraint, type, columns, others, ...names } of rows) {
    const [table, target] = [tables.get(names.table), tables.get(names.target)];
    if (table && type === 'p') table.primaryKey.push(...columns);
    if (!table || !target) continue;
    const on = columns.flatMap((name, at) => {
      const [own, other] = [table.columns.get(name), target.columns.get(others[at] ?? '')];
      return own && other ? [{ own, other }] : [];
    });
    table.relations.push({ constraint, table: target, many: false, on });
    const turned = on.map(({ own, other }) => ({ own: other, other: own }));
    target.relations.push({ constraint, table, many: true, on: turned });
  }
}

/** Picks a column or throws what `otherwise` makes of its name. */
export function columnOf(table: Table, name: string, otherwise: (table: string, column: string) => DataError): Column {
  const column = table.columns.get(name);
  if (!column) throw otherwise(table.name, name);
  return column;
}
