import type pg from 'pg';
import { describeFunctions } from './describe-functions.ts';
import { describeTable } from './describe-table.ts';
import { plainSql } from './plain-sql.ts';
import { TOPICS } from './topics.ts';

/** The schemas that are ours to describe: what Fairlead made, and what its own backend made. */
const SCHEMAS = ['public', 'app', 'auth', 'realtime', 'storage'];

/**
 * Today's tables and functions as readable SQL, one file per topic.
 *
 * - Returns file names (`runs.sql`) and their texts.
 * @throws Error for a table or function that no topic names, or a name that nothing has.
 */
export async function describeSchema(client: pg.Client): Promise<Map<string, string>> {
  // Names are then written with their schema.
  await client.query("set search_path to ''");
  await refuseUnknown(client);
  const files = new Map<string, string>();
  for (const { file, about, tables, types = [], functions } of TOPICS) {
    const sections = [`-- ${about}\n-- Written by \`npm run db:types\` from the migrations. Do not edit.\n`];
    for (const type of types) sections.push(await describeType(client, type));
    for (const table of tables) sections.push(await describeTable(client, table));
    if (functions.length > 0) sections.push(await describeFunctions(client, functions));
    files.set(file, sections.join('\n'));
  }
  return files;
}

/** A composite type, as a section of SQL. */
async function describeType(client: pg.Client, type: string): Promise<string> {
  const { rows } = await client.query<{ line: string }>(
    `select pg_catalog.format('  %I %s', a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod)) as line
     from pg_catalog.pg_attribute as a join pg_catalog.pg_type as t on t.typrelid = a.attrelid
     where t.oid = $1::pg_catalog.regtype and a.attnum > 0 and not a.attisdropped
     order by a.attnum`,
    [type],
  );
  return `create type ${type} as (\n${rows.map(({ line }) => plainSql(line)).join(',\n')}\n);\n`;
}

async function refuseUnknown(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ kind: 'table' | 'function'; name: string }>(
    `select 'table' as kind, n.nspname || '.' || c.relname as name
     from pg_catalog.pg_class as c join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
     where n.nspname = any ($1) and c.relkind in ('r', 'p', 'v')
     union
     select 'function', n.nspname || '.' || p.proname
     from pg_catalog.pg_proc as p join pg_catalog.pg_namespace as n on n.oid = p.pronamespace
     where n.nspname = any ($1)`,
    [SCHEMAS],
  );
  const named = new Set(
    TOPICS.flatMap(({ tables, functions }) => [
      ...tables.map((name) => `table ${name}`),
      ...functions.map((name) => `function ${name}`),
    ]),
  );
  const found = new Set(rows.map(({ kind, name }) => `${kind} ${name}`));
  const missing = [...found].filter((name) => !named.has(name));
  const gone = [...named].filter((name) => !found.has(name));
  if (missing.length > 0) throw new Error(`db/describe/topics.ts does not name: ${missing.sort().join(', ')}.`);
  if (gone.length > 0) throw new Error(`db/describe/topics.ts names what is not there: ${gone.sort().join(', ')}.`);
}
