import { globSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase } from '#test/databases/database.ts';
import { type Connection, connect } from './client.ts';
import { guardedTransaction } from './guarded-transaction.ts';
import { KEPT } from './kept-statements.ts';
import { together, togetherAtLast } from './together.ts';

let url: string;
/** One session, which keeps statements. */
let own: Connection;

beforeAll(async () => {
  url = await freshDatabase('empty');
  own = connect(url, { max: 1, keepsStatements: true });
  await sql`create table public.notes (id bigint primary key, text text)`.execute(own.db);
});
afterAll(() => own.db.destroy());

const keptBy = async ({ db }: Connection) => {
  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db);
  return rows.map(({ statement }) => statement);
};
const add = (id: number) => sql`${KEPT} insert into public.notes (id) values (${id}) on conflict do nothing`;
const count = (least: number) =>
  sql<{ many: number }>`${KEPT} select count(*) as many from public.notes where id >= ${least}`;

test('a marked statement is kept once, alone and with others, and others are not', async () => {
  for (const id of [1, 2, 3]) await add(id).execute(own.db);
  await sql`select id from public.notes`.execute(own.db);
  for (const least of [1, 2]) {
    const [, [counted]] = await guardedTransaction(own.db, (tx) => togetherAtLast(tx, [add(9), count(least)]));
    expect(counted).toEqual({ many: 5 - least });
  }
  expect((await count(3).execute(own.db)).rows).toEqual([{ many: 2 }]);
  const kept = await keptBy(own);
  expect(kept.filter((text) => text.includes('public.notes'))).toHaveLength(2);
  expect(kept.every((text) => text.includes('/* kept */'))).toBe(true);
});

test('a session that others share keeps none', async () => {
  const shared = connect(url, { max: 1 });
  await count(1).execute(shared.db);
  await guardedTransaction(shared.db, (tx) => together(tx, [count(1)]));
  expect(await keptBy(shared)).toEqual([]);
  await shared.db.destroy();
});

test('what was parsed before a failure stays kept, and what was not is parsed the next time', async () => {
  const first = sql<{ n: number }>`${KEPT} select ${1}::integer as n`;
  const fails = (by: number) => sql<{ n: number }>`${KEPT} select 10 / ${by}::integer as n`;
  const behind = sql<{ n: number }>`${KEPT} select ${3}::integer + 1 as n`;
  const ask = (by: number) => guardedTransaction(own.db, (tx) => together(tx, [first, fails(by), behind]));
  await expect(ask(0)).rejects.toThrow('division by zero');
  expect((await keptBy(own)).filter((text) => text.includes('::integer'))).toHaveLength(2);
  expect(await ask(5)).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 4 }]]);

  const early = sql`${KEPT} select id from public.later`;
  await expect(guardedTransaction(own.db, (tx) => together(tx, [early]))).rejects.toThrow('does not exist');
  await expect(early.execute(own.db)).rejects.toThrow('does not exist');
  await sql`create table public.later (id bigint)`.execute(own.db);
  expect(await guardedTransaction(own.db, (tx) => together(tx, [early]))).toEqual([[]]);
  expect((await early.execute(own.db)).rows).toEqual([]);
});

test('a column that comes meanwhile changes nothing for a statement that names its own', async () => {
  const read = sql`${KEPT} select id, text from public.notes where id = ${1}`;
  expect((await read.execute(own.db)).rows).toEqual([{ id: 1, text: null }]);
  await sql`alter table public.notes add column since date`.execute(own.db);
  expect((await read.execute(own.db)).rows).toEqual([{ id: 1, text: null }]);
});

test.each<[string, (of: Connection) => Promise<unknown>]>([
  ['alone', ({ db }) => count(1).execute(db)],
  ['with others', ({ db }) => guardedTransaction(db, (tx) => together(tx, [count(1)]))],
])('a session that loses its statements fails once, and keeps none from then on: %s', async (_how, ask) => {
  const losing = connect(url, { max: 1, keepsStatements: true });
  await ask(losing);
  await sql`deallocate all`.execute(losing.db);
  await expect(ask(losing)).rejects.toThrow('does not exist');
  await ask(losing);
  expect(await keptBy(losing)).toEqual([]);
  await losing.db.destroy();
});

/** The texts of a file's marked statements, each up to where it ends. */
const marked = (source: string) => [...source.matchAll(/\$\{KEPT\}((?:[^`\\]|\\.)*)/g)].map(([, text = '']) => text);
const ALL_COLUMNS = /(?:select|returning|,)\s+(?:\w+\.)?\*|\.selectAll\(|returningAll\(/i;

test('every kept statement names its columns', () => {
  const files = globSync('{db,jobs,server}/**/*.ts').filter((file) => !file.includes('.test.'));
  const statements = files.flatMap((file) => marked(readFileSync(file, 'utf8')).map((text) => ({ file, text })));
  expect(statements.length).toBeGreaterThan(20);
  expect(statements.filter(({ text }) => ALL_COLUMNS.test(text))).toEqual([]);
  expect('update a set b = 1 returning a.*').toMatch(ALL_COLUMNS);
  expect('select count(*) from a').not.toMatch(ALL_COLUMNS);
});
