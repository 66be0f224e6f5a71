import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase } from '#test/databases/database.ts';
import { describeSchema } from './describe-schema.ts';
import { plainSql } from './plain-sql.ts';

let client: pg.Client;
beforeAll(async () => {
  client = new pg.Client(await freshDatabase());
  await client.connect();
});
afterAll(() => client.end());

test('a table shows its columns, rules, rights and triggers', async () => {
  const ledger = (await describeSchema(client)).get('ledger.sql') ?? '';
  const start = ledger.indexOf('create table app.paid_calls (');
  const section = ledger.slice(start, ledger.indexOf('create table app.answers'));
  expect(section).toContain("  state text not null default 'planned',\n");
  expect(section).toContain("check (state in ('planned', 'sent', 'answered', 'failed', 'uncertain'))");
  expect(section).toContain('alter table app.paid_calls force row level security;\n');
  expect(section).toContain(
    'create policy keeps_the_ledger on app.paid_calls as restrictive for delete to fairlead_worker',
  );
  expect(section).toContain('grant select, insert, update, delete on app.paid_calls to fairlead_worker;\n');
  expect(section).toContain('create trigger sum_new_calls after insert on app.paid_calls');
});

test('a table or function that has no place in the topics is named', async () => {
  await client.query('begin');
  try {
    await client.query('create table app.newcomer (id uuid primary key)');
    await client.query("create function app.new_rule() returns text language sql as $$ select 'x' $$");
    await expect(describeSchema(client)).rejects.toThrow(
      'db/describe/topics.ts does not name: function app.new_rule, table app.newcomer.',
    );
  } finally {
    await client.query('rollback');
  }
});

test.each([
  ["CHECK (state = ANY (ARRAY['a'::text, 'b'::text]))", "check (state in ('a', 'b'))"],
  ['NULLIF(totals, 0::numeric)', 'nullif(totals, 0::numeric)'],
  ["'OR NOT'::text", "'OR NOT'"],
  ['octet_length(params::text) <= 4000 AND x IS NOT NULL', 'octet_length(params::text) <= 4000 and x is not null'],
  ['(user_id = ( SELECT auth.uid() AS uid))', '(user_id = (select auth.uid()))'],
  ["\"KEY\" = 'it''s IN'::text", "\"KEY\" = 'it''s IN'"],
])('%s is written as %s', (rendered, plain) => {
  expect(plainSql(rendered)).toBe(plain);
});
