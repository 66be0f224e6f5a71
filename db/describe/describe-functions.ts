import type pg from 'pg';
import { commentLines } from './comment-lines.ts';
import { plainSql } from './plain-sql.ts';

/** The functions of these names, each with who may call it. */
export async function describeFunctions(client: pg.Client, names: readonly string[]): Promise<string> {
  const sections: string[] = [];
  for (const name of names) {
    const { rows } = await client.query<{ definition: string; grantees: string; comment: string | null }>(FUNCTIONS, [
      name,
    ]);
    for (const { definition, grantees, comment } of rows)
      sections.push(
        `${commentLines(comment)}-- May be called by: ${grantees}.\n${withPlainHead(definition.trimEnd())};\n`,
      );
  }
  return sections.join('\n');
}

/** The body is as its author wrote it; what stands before it, PostgreSQL has put in capitals. */
function withPlainHead(definition: string): string {
  const start = definition.indexOf('AS $');
  const head = definition
    .slice(0, start)
    .replaceAll('CREATE OR REPLACE', 'create')
    .replaceAll(HEAD_WORDS, (word) => word.toLowerCase());
  return `${plainSql(head)}as ${definition.slice(start + 3)}`;
}

const HEAD_WORDS =
  /\b(FUNCTION|RETURNS|TABLE|SETOF|LANGUAGE|STABLE|IMMUTABLE|STRICT|SECURITY DEFINER|SET|TO|OUT|DEFAULT)\b/g;

const FUNCTIONS = `
  select pg_catalog.pg_get_functiondef(p.oid) as definition,
    pg_catalog.obj_description(p.oid, 'pg_proc') as comment,
    coalesce((
      select pg_catalog.string_agg(distinct coalesce(r.rolname::text, 'everyone'), ', ')
      from pg_catalog.aclexplode(coalesce(p.proacl, pg_catalog.acldefault('f', p.proowner))) as acl
      left join pg_catalog.pg_roles as r on r.oid = acl.grantee
      where acl.grantee <> p.proowner
    ), 'its owner, and triggers') as grantees
  from pg_catalog.pg_proc as p join pg_catalog.pg_namespace as n on n.oid = p.pronamespace
  where n.nspname || '.' || p.proname = $1
  order by pg_catalog.pg_get_function_identity_arguments(p.oid)`;
