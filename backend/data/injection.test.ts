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
const comparison = fc
  .tuple(fc.constantFrom('eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike'), text)
  .map(([operator, value]) => `${operator}.${value}`);
const inList = fc.array(quoted, { maxLength: 4 }).map((values) => `in.(${values.join(',')})`);
const condition = fc.oneof(comparison, inList, fc.constantFrom('is.null', 'is.not_null', 'is.true', 'is.unknown'));
const filter = rarely(fc.tuple(known, condition), fc.tuple(text, text));
const renamed = fc.tuple(quoted, known).map(([alias, name]) => `${alias}:${name}`);
const selected = rarely(fc.oneof(known, fc.constant('*'), renamed), text);
const direction = fc.constantFrom('', '.asc', '.desc', '.desc.nullsfirst', '.nullslast');
const ordered = rarely(
  fc.tuple(known, direction).map((parts) => parts.join('')),
  text,
);
const key = rarely(fc.constantFrom('id', 'name', 'search_params', 'odd "name'), text);
const body = fc.dictionary(key, fc.oneof(text, fc.jsonValue()), { minKeys: 1, maxKeys: 3 });
const request = fc.record({
  method: fc.constantFrom('GET', 'HEAD', 'POST', 'PATCH', 'DELETE'),
  filters: fc.array(filter, { maxLength: 2 }),
  select: fc.option(fc.array(selected, { minLength: 1, maxLength: 3 })),
  order: fc.option(fc.array(ordered, { minLength: 1, maxLength: 2 }), { freq: 1 }),
  limit: fc.option(rarely(fc.nat().map(String), text), { freq: 1 }),
  prefer: fc.constantFrom('', 'return=representation', 'count=exact', 'return=representation,missing=default'),
  single: fc.boolean(),
  body: fc.oneof(body, fc.array(body, { maxLength: 1 })),
});
type Asked = typeof request extends fc.Arbitrary<infer T> ? T : never;

async function plan(asked: Asked): Promise<Plan | DataError> {
  const url = new URL('http://127.0.0.1/rest/v1/lists');
  for (const [key, value] of asked.filters) url.searchParams.append(key, value);
  if (asked.select) url.searchParams.set('select', asked.select.join(','));
  if (asked.order) url.searchParams.set('order', asked.order.join(','));
  if (asked.limit !== null) url.searchParams.set('limit', asked.limit);
  const takesBody = asked.method === 'POST' || asked.method === 'PATCH';
  const headers: Record<string, string> = { 'Content-Type': 'application/json', Prefer: asked.prefer };
  if (asked.single) headers.Accept = 'application/vnd.pgrst.object+json';
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
  else end is not null true false unknown any like ilike default values written page body rows total item value t
  integer bigint text json`.split(/\s+/u),
);

/** Every word of a statement that is neither ours nor the catalogue's. */
function foreignWords(sql: string): string[] {
  let rest = sql.replaceAll(/\$\d+|\bc\d+\b/gu, ' ');
  const ours = ["'[]'", '"public"', table.sql];
  for (const column of table.columns.values())
    ours.push(column.sql, column.type, ...(column.defaultSql ? [column.defaultSql] : []));
  // Longest first, so that a name inside another one does not break it up.
  for (const word of ours.sort((a, b) => b.length - a.length)) rest = rest.replaceAll(word, ' ');
  const bare = rest.replaceAll(/->|<>|>=|<=|::|\[\]|[(),.*=<>0]/gu, ' ');
  return bare.split(/\s+/u).filter((word) => word !== '' && !WORDS.has(word));
}

it('refuses, or writes only words of its own and names of the catalogue', async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(request, async (asked) => {
      const planned = await plan(asked);
      if (planned instanceof DataError) return;
      accepted += 1;
      expect(foreignWords(planned.statement.text)).toEqual([]);
      const highest = Math.max(0, ...[...planned.statement.text.matchAll(/\$(\d+)/gu)].map(([, n]) => Number(n)));
      expect(highest).toBe(planned.statement.values.length);
    }),
    { numRuns: 10_000 },
  );
  expect(accepted).toBeGreaterThan(1_000);
});

it('writes nothing that PostgreSQL can not read', async () => {
  const understood = new Set<string>();
  await fc.assert(
    fc.asyncProperty(request, async (asked) => {
      const planned = await plan(asked);
      if (planned instanceof DataError) return;
      await pool.query('begin');
      const code = await pool.query(planned.statement).then(
        () => 'done',
        (error: unknown) => (error instanceof pg.DatabaseError ? (error.code ?? '') : String(error)),
      );
      await pool.query('rollback');
      understood.add(code);
      // Syntax, ambiguous or unknown names, undefined parameters, wrong counts: all would be ours.
      expect(code).toMatch(/^(?:done|22\w{3}|23\w{3}|42804|42883|428C9|54001)$/u);
    }),
    { numRuns: 1_500 },
  );
  expect(understood).toContain('done');
});
