import type pg from 'pg';
import { commentLines } from './comment-lines.ts';
import { plainSql } from './plain-sql.ts';

type Line = { line: string; comment: string | null };

/** One table or view, as a section of SQL: columns, constraints, indexes, row-level security, triggers, and grants. */
export async function describeTable(client: pg.Client, table: string): Promise<string> {
  const read = async (query: string) =>
    (await client.query<Line>(query, [table])).rows.map(({ line, comment }) => ({ line: plainSql(line), comment }));
  const [head] = await read(HEAD);
  if (!head) throw new Error(`There is no table ${table}.`);
  const body = [...(await read(COLUMNS)), ...(await read(CONSTRAINTS))].map(
    ({ line, comment }, at, all) =>
      `  ${line.replaceAll('\n', '\n    ')}${at < all.length - 1 ? ',' : ''}${comment ? ` -- ${comment}` : ''}\n`,
  );
  const after: string[] = [];
  for (const query of [INDEXES, SECURITY, POLICIES, GRANTS, TRIGGERS])
    after.push(...(await read(query)).map(({ line }) => `${line};\n`));
  const [view] = await read(VIEW);
  return `${commentLines(head.comment)}${head.line} (\n${body.join('')})${view ? ` as\n${view.line}` : ';'}\n${after.join('')}`;
}

const HEAD = `
  select 'create ' || case relpersistence when 'u' then 'unlogged ' else '' end || case relkind when 'v' then 'view ' else 'table ' end || $1 as line,
    pg_catalog.obj_description(oid, 'pg_class') as comment
  from pg_catalog.pg_class where oid = $1::pg_catalog.regclass`;

const VIEW = `
  select pg_catalog.pg_get_viewdef(oid, true) as line, null as comment
  from pg_catalog.pg_class where oid = $1::pg_catalog.regclass and relkind = 'v'`;

const COLUMNS = `
  select pg_catalog.format('%I %s%s%s', a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod),
    case when a.attnotnull then ' not null' else '' end,
    case
      when a.attidentity <> '' then ' generated always as identity'
      when a.attgenerated <> '' then ' generated always as (' || pg_catalog.pg_get_expr(d.adbin, d.adrelid, true) || ') stored'
      when d.adbin is not null then ' default ' || pg_catalog.pg_get_expr(d.adbin, d.adrelid, true)
      else ''
    end) as line,
    pg_catalog.col_description(a.attrelid, a.attnum) as comment
  from pg_catalog.pg_attribute as a
  left join pg_catalog.pg_attrdef as d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = $1::pg_catalog.regclass and a.attnum > 0 and not a.attisdropped
  order by a.attnum`;

/** Keys first, then references, then checks. */
const CONSTRAINTS = `
  select pg_catalog.format('constraint %I %s', conname, pg_catalog.pg_get_constraintdef(oid, true)) as line
  from pg_catalog.pg_constraint
  where conrelid = $1::pg_catalog.regclass and contype in ('p', 'u', 'f', 'c')
  order by pg_catalog.strpos('pufc', contype::text), conname collate "C"`;

const INDEXES = `
  select pg_catalog.pg_get_indexdef(i.indexrelid) as line
  from pg_catalog.pg_index as i join pg_catalog.pg_class as c on c.oid = i.indexrelid
  where i.indrelid = $1::pg_catalog.regclass
    and not exists (select from pg_catalog.pg_constraint where conindid = i.indexrelid and contype in ('p', 'u'))
  order by c.relname collate "C"`;

const SECURITY = `
  select pg_catalog.format('alter table %s %s', $1::text, word) as line
  from pg_catalog.pg_class, lateral (values
    (1, relrowsecurity, 'enable row level security'),
    (2, relforcerowsecurity, 'force row level security'),
    (3, reloptions is not null, 'set (' || pg_catalog.array_to_string(reloptions, ', ') || ')')
  ) as said (place, holds, word)
  where oid = $1::pg_catalog.regclass and holds
  order by place`;

const POLICIES = `
  select pg_catalog.format('create policy %I on %s%s%s to %s%s%s', p.polname, $1::text,
    case when p.polpermissive then '' else ' as restrictive' end,
    case p.polcmd when 'r' then ' for select' when 'a' then ' for insert' when 'w' then ' for update' when 'd' then ' for delete' else '' end,
    (select pg_catalog.string_agg(coalesce(rolname::text, 'public'), ', ' order by rolname collate "C")
      from pg_catalog.unnest(p.polroles) as one left join pg_catalog.pg_roles as r on r.oid = one),
    coalesce(E'\\n  using (' || pg_catalog.pg_get_expr(p.polqual, p.polrelid, true) || ')', ''),
    coalesce(E'\\n  with check (' || pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid, true) || ')', '')) as line
  from pg_catalog.pg_policy as p
  where p.polrelid = $1::pg_catalog.regclass
  order by p.polname collate "C"`;

/** The owner's own rights go without saying. */
const GRANTS = `
  select pg_catalog.format('grant %s on %s to %s', pg_catalog.string_agg(what, ', ' order by pg_catalog.strpos('select insert update delete', pg_catalog.split_part(what, ' ', 1)), what collate "C"), $1::text, grantee) as line
  from (
    select pg_catalog.lower(acl.privilege_type) as what, coalesce(r.rolname::text, 'public') as grantee
    from pg_catalog.pg_class as c, pg_catalog.aclexplode(c.relacl) as acl left join pg_catalog.pg_roles as r on r.oid = acl.grantee
    where c.oid = $1::pg_catalog.regclass and acl.grantee <> c.relowner
    union all
    select pg_catalog.format('%s (%s)', pg_catalog.lower(acl.privilege_type),
        pg_catalog.string_agg(pg_catalog.quote_ident(a.attname), ', ' order by a.attnum)),
      coalesce(r.rolname::text, 'public')
    from pg_catalog.pg_attribute as a, pg_catalog.aclexplode(a.attacl) as acl left join pg_catalog.pg_roles as r on r.oid = acl.grantee
    where a.attrelid = $1::pg_catalog.regclass and a.attacl is not null
    group by acl.privilege_type, r.rolname
  ) as granted
  group by grantee
  order by grantee collate "C"`;

const TRIGGERS = `
  select pg_catalog.pg_get_triggerdef(oid, true) as line
  from pg_catalog.pg_trigger
  where tgrelid = $1::pg_catalog.regclass and not tgisinternal
  order by tgname collate "C"`;
