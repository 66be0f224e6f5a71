import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshDatabase } from '#test/database.ts';
import { createCatalogue, type Table } from './catalogue.ts';
import { DataError } from './data-error.ts';
import { type Plan, planRequest } from './plan.ts';

let pool: pg.Pool;
let table: Table;
beforeAll(async () => {
  pool = new pg.Pool({ connectionString: await freshDatabase(), max: 1 });
  await pool.query(`alter table public.lists add column "odd ""name" text default 'it''s'`);
  table = await createCatalogue(pool).table('lists');
});
afterAll(() => pool.end());

// Text that means something to somebody: to the grammar, to SQL, or to both.
const fragment = fc.oneof(
  fc.constantFrom(
    ...['id', 'name', 'created_at', 'search_params', '"odd \\"name"', '*', 'nothing', 'lists', '"name"', 'user_id'],
    ...['.', ',', ':', '::', '->', '(', ')', '"', "'", '\\', ';', '--', '/*', '$1', '$$', ' ', '\0', '{}', '%', '='],
    ...['eq', 'in', 'is', 'not', 'like', 'ilike', 'null', 'asc', 'desc', 'nullslast', 'or', 'and', 'text', 'uuid'],
    ...["' or 1=1 --", '"; drop table lists; --', 'select', 'union select', 'pg_sleep(9)', '1', '-1', '9e99', 'a:b'],
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const text = fc.array(fragment, { maxLength: 6 }).map((parts) => parts.join(''));
const known = fc.constantFrom(
  'id',
  'name',
  'created_at',
  'lead_count',
  'search_params',
  'tier1_complete',
  '"odd \\"name"',
);
// Hostile text mostly stands where the grammar takes any text, so that enough requests are understood.
const rarely = <T>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: other });
const quoted = text.map((value) => `"${value.replaceAll(/[\\"]/gu, '\\$&')}"`);
const joined = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((all) => all.join(''));
const path = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: joined(fc.constantFrom('->', '->>', '->0->>', '->-1->'), quoted) },
);
const field = fc.oneof(known, joined(fc.constant('search_params'), path), joined(known, path));
const operator = fc.constantFrom(
  ...['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'match', 'imatch', 'isdistinct', 'cs', 'cd', 'ov', 'sl'],
  ...[
    'sr',
    'nxr',
    'nxl',
    'adj',
    'eq(any)',
    'gt(all)',
    'like(any)',
    'ilike(all)',
    'imatch(any)',
    'fts',
    'plfts(simple)',
  ],
  ...['phfts(english)', 'wfts', 'fts(nothing)', 'not.eq', 'not.like', 'not.fts'],
);
const comparison = joined(operator, fc.constant('.'), text);
const inList = fc.array(quoted, { maxLength: 4 }).map((values) => `in.(${values.join(',')})`);
const truth = fc.constantFrom('is.null', 'is.not_null', 'is.true', 'not.is.unknown');
const condition = fc.oneof(comparison, inList, truth);
const member = joined(field, fc.constant('.'), fc.oneof(joined(operator, fc.constant('.'), quoted), inList, truth));
const group = fc.array(rarely(member, text), { minLength: 1, maxLength: 3 }).map((members) => members.join(','));
const logic = fc.oneof(
  group.map((members) => `(${members})`),
  fc.tuple(group, group).map(([one, other]) => `(${one},not.and(${other}))`),
);
const related = fc.constantFrom('leads', 'lists', 'in', 'leads.lists', 'x');
const filter = rarely(
  fc.oneof(
    { weight: 4, arbitrary: fc.tuple(field, condition) },
    { weight: 2, arbitrary: fc.tuple(fc.constantFrom('or', 'and', 'not.or', 'leads.or'), logic) },
    { weight: 1, arbitrary: fc.tuple(joined(related, fc.constantFrom('.id', '.email', '')), condition) },
    { weight: 1, arbitrary: fc.tuple(joined(related, fc.constantFrom('.order')), fc.constantFrom('id', 'id.desc')) },
    { weight: 1, arbitrary: fc.tuple(joined(related, fc.constantFrom('.limit', '.offset')), fc.nat().map(String)) },
  ),
  fc.tuple(text, text),
);
const column = joined(field, fc.constantFrom('', '', '::text', '::json', '::int', '::regclass'));
const renamed = joined(quoted, fc.constant(':'), column);
const inside = fc.oneof(column, renamed, fc.constantFrom('*', 'count', 'email', '', 'lists(name)', 'lists(leads(id))'));
const embedded = joined(
  fc.oneof(fc.constantFrom('', 'in:', '...'), joined(quoted, fc.constant(':'))),
  fc.constantFrom(
    'leads',
    'leads!inner',
    'leads!leads_list_id_fkey',
    'leads!list_id!left',
    'leads_list_id_fkey',
    'lists',
  ),
  rarely(inside, text).map((select) => `(${select})`),
);
const selected = rarely(fc.oneof(column, fc.constant('*'), renamed, embedded), text);
const direction = fc.constantFrom('', '.asc', '.desc', '.desc.nullsfirst', '.nullslast');
const ordered = rarely(fc.oneof(joined(field, direction), joined(fc.constant('leads(id)'), direction)), text);
const key = rarely(fc.constantFrom('id', 'name', 'search_params', 'odd "name'), text);
const body = fc.dictionary(key, fc.oneof(text, fc.jsonValue()), { minKeys: 1, maxKeys: 3 });
const request = fc.record({
  method: fc.constantFrom('GET', 'HEAD', 'POST', 'PATCH', 'DELETE'),
  filters: fc.array(filter, { maxLength: 2 }),
  select: fc.option(fc.array(selected, { minLength: 1, maxLength: 3 })),
  order: fc.option(fc.array(ordered, { minLength: 1, maxLength: 2 }), { freq: 1 }),
  limit: fc.option(rarely(fc.nat().map(String), text), { freq: 1 }),
  prefer: fc
    .subarray(['return=representation', 'count=planned', 'missing=default', 'resolution=merge-duplicates'])
    .map((words) => words.join(',')),
  accept: fc.constantFrom(
    '',
    'application/vnd.pgrst.object+json',
    'text/csv',
    'application/vnd.pgrst.array;nulls=stripped',
  ),
  onConflict: fc.option(rarely(known, text), { freq: 1 }),
  body: fc.oneof(body, fc.array(body, { maxLength: 1 })),
});
type Asked = typeof request extends fc.Arbitrary<infer T> ? T : never;

async function plan(asked: Asked): Promise<Plan | DataError> {
  const url = new URL('http://127.0.0.1/rest/v1/lists');
  for (const [key, value] of asked.filters) url.searchParams.append(key, value);
  if (asked.select) url.searchParams.set('select', asked.select.join(','));
  if (asked.order) url.searchParams.set('order', asked.order.join(','));
  if (asked.limit !== null) url.searchParams.set('limit', asked.limit);
  if (asked.onConflict !== null && asked.method === 'POST') url.searchParams.set('on_conflict', asked.onConflict);
  const takesBody = asked.method === 'POST' || asked.method === 'PATCH';
  const headers: Record<string, string> = { 'Content-Type': 'application/json', Prefer: asked.prefer };
  if (asked.accept !== '') headers.Accept = asked.accept;
  const init = { method: asked.method, headers, ...(takesBody ? { body: JSON.stringify(asked.body) } : {}) };
  try {
    return await planRequest(new Request(url, init), table);
  } catch (error) {
    if (error instanceof DataError) return error;
    throw error;
  }
}

const WORDS = new Set(
  `select insert into update delete set from where and order by asc desc nulls first last limit offset as with returning
  coalesce json_agg json_build_object json_to_recordset json_to_record json_array_elements count lateral case when then
  all else end is not null true false unknown any like ilike default values written page body rows total item value t
  integer bigint text json jsonb regconfig numeric smallint double precision boolean or exists distinct item fresh xmax
  filter on conflict do nothing excluded json_strip_nulls substring length chr string_agg
  to_tsvector to_tsquery plainto_tsquery phraseto_tsquery websearch_to_tsquery`.split(/\s+/u),
);

/** Every word of a statement that is neither ours nor the catalogue's. */
function foreignWords(sql: string): string[] {
  let rest = sql.replaceAll(/\$\d+|\bc\d+\b|\be?t\d+\b/gu, ' ');
  const ours = ["'[]'", "''", "xmax::text = '0'", '"public"', '"lists"', '"leads"'];
  for (const { columns } of [table, ...table.relations.map((relation) => relation.table)])
    for (const column of columns.values())
      ours.push(column.sql, column.type, ...(column.defaultSql ? [column.defaultSql] : []));
  // Longest first, so that a name inside another one does not break it up.
  for (const word of ours.sort((a, b) => b.length - a.length)) rest = rest.replaceAll(word, ' ');
  const bare = rest.replaceAll(/->>?|<>|>=|<=|<<|>>|&<|&>|&&|-\|-|@>|<@|@@|~\*|\|\||::|\[\]|[(),.*=<>~+\-0-2]/gu, ' ');
  return bare.split(/\s+/u).filter((word) => word !== '' && !WORDS.has(word));
}

it('refuses, or writes only words of its own and names of the catalogue', async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(request, async (asked) => {
      const planned = await plan(asked);
      if (planned instanceof DataError) return;
      accepted += 1;
      for (const { text, values } of [planned.statement, planned.fanOut ?? planned.statement]) {
        expect(foreignWords(text)).toEqual([]);
        const highest = Math.max(0, ...[...text.matchAll(/\$(\d+)/gu)].map(([, n]) => Number(n)));
        expect(highest).toBe(values.length);
      }
    }),
    { numRuns: 5_000 },
  );
  expect(accepted).toBeGreaterThan(1_000);
});

// What a value, a type or a key can be wrong for: a text search's words are refused as syntax, of the query in the value.
const HARMLESS =
  /^(?:done|(?:22\w{3}|23\w{3}|2201B|42P10|42704|42803|42804|42846|42883|428C9|54001|21000) .*|42601 syntax error in tsquery.*)$/su;

it('writes nothing that PostgreSQL can not read', async () => {
  // Of one's own: the pool gives a connection away after any error.
  const client = await pool.connect();
  const understood = new Set<string>();
  await fc.assert(
    fc.asyncProperty(request, async (asked) => {
      const planned = await plan(asked);
      if (planned instanceof DataError) return;
      await client.query('begin');
      const codes: string[] = [];
      for (const statement of [...(planned.fanOut ? [planned.fanOut] : []), planned.statement]) {
        await client.query('savepoint before');
        codes.push(
          await client.query(statement).then(
            () => 'done',
            (error: unknown) => (error instanceof pg.DatabaseError ? `${error.code} ${error.message}` : String(error)),
          ),
        );
        await client.query('rollback to before');
      }
      await client.query('rollback');
      for (const code of codes) {
        understood.add(code);
        // Syntax, ambiguous or unknown names, undefined parameters, wrong counts: all would be ours.
        expect(code, planned.statement.text).toMatch(HARMLESS);
      }
    }),
    { numRuns: 1_500 },
  );
  client.release();
  expect(understood).toContain('done');
});
