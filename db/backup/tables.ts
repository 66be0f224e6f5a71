import pg from 'pg';

/** The schemas that hold data. Not pgboss: runs that wait are announced again by the watchdog. */
const SCHEMAS = ['public', 'app', 'auth', 'storage'] as const;

/** What its own files can bring again: open data is many times as large as all else. Its releases are kept, because leads name them. */
const LOADED_AGAIN = ['app.open_places', 'app.open_street_map_places', 'app.open_staged'] as const;

/** A table with the columns that are stored, in their order. */
export type Table = { schema: string; name: string; columns: string[] };
/** A sequence that has been used, and its last value. */
export type Sequence = { schema: string; name: string; value: string };

/** Whether something belongs to sign-in or to stored files, which hosted Supabase keeps in tables of its own. */
export const isOfBackend = ({ schema }: { schema: string }): boolean => schema === 'auth' || schema === 'storage';

/** The table's name as SQL. */
export const nameOf = ({ schema, name }: { schema: string; name: string }): string =>
  `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;

/** Columns as SQL, separated by commas. */
export const columnsOf = ({ columns }: Table): string =>
  columns.map((column) => pg.escapeIdentifier(column)).join(', ');

/**
 * Returns our tables, each after those that its foreign keys refer to.
 * Those that can be loaded again are left out.
 * In schema public, which is shared, ours are those under the policy `server`. Other tables there are left alone.
 */
export async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table & { refers_to: string[]; id: string }>(
    `select class.oid::text as id, class.relnamespace::regnamespace::text as schema, class.relname::text as name,
       array(select attname::text from pg_attribute
         where attrelid = class.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns,
       array(select confrelid::text from pg_constraint where conrelid = class.oid and contype = 'f') as refers_to
     from pg_class as class
     where class.relkind = 'r' and class.relnamespace::regnamespace::text = any($1)
       and class.relnamespace::regnamespace::text || '.' || class.relname <> all($2)
       and (class.relnamespace::regnamespace::text <> 'public'
         or exists (select from pg_policy where polrelid = class.oid and polname = 'server'))
     order by 2, 3`,
    [SCHEMAS, LOADED_AGAIN],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const ordered = new Map<string, Table>();
  const visit = ({ id, schema, name, columns, refers_to }: (typeof rows)[number]) => {
    byId.delete(id);
    for (const other of refers_to) {
      const table = byId.get(other);
      if (table) visit(table);
    }
    ordered.set(id, { schema, name, columns });
  };
  for (const row of rows) if (byId.has(row.id)) visit(row);
  return [...ordered.values()];
}

export async function listSequences(client: pg.Client): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(
    `select schemaname::text as schema, sequencename::text as name, last_value::text as value
     from pg_sequences where schemaname = any($1) and last_value is not null order by 1, 2`,
    [SCHEMAS],
  );
  return rows;
}
