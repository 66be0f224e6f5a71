import type pg from 'pg';
import { plainSql } from './plain-sql.ts';

/** A composite type, as a section of SQL. */
export async function describeType(client: pg.Client, type: string): Promise<string> {
  const { rows } = await client.query<{ line: string }>(
    `select pg_catalog.format('  %I %s', a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod)) as line
     from pg_catalog.pg_attribute as a join pg_catalog.pg_type as t on t.typrelid = a.attrelid
     where t.oid = $1::pg_catalog.regtype and a.attnum > 0 and not a.attisdropped
     order by a.attnum`,
    [type],
  );
  return `create type ${type} as (\n${rows.map(({ line }) => plainSql(line)).join(',\n')}\n);\n`;
}
