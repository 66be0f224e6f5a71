import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { beforeAll, expect, inject, test } from 'vitest';
import { migrate } from '#db/migrations/migrate.ts';
import { createDatabase } from '#test/databases/database.ts';
import { type Product, startProduct } from '#test/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct({ worker: false });
});

const keysOf = async (value: string): Promise<string[]> =>
  (await sql<{ keys: string[] }>`select app.value_keys(${value}) as keys`.execute(product.db)).rows[0]?.keys ?? [];

/** As hosted Supabase has it: there lower() knows all letters. */
const OTHER_LOCALE = "template0 encoding 'UTF8' locale_provider builtin builtin_locale 'C.UTF-8'";

const SAME = [
  ['CAFÉ Déjà Vu', 'café deja  vu'],
  ['鼎泰豐', ' 鼎泰豐。'],
  ['寿司 Sushi', '寿司・SUSHI'],
  ['ЁЛКА, кафе', 'ёлка КАФЕ'],
  ['ΚΑΦΕΣ Αθήνα', 'καφές ΑΘΗΝΑ'],
  ['Łódź Bar', 'łodz BAR'],
  ['Joe’s Pizza™ 🍕', "JOE'S PIZZA"],
  ['Ａｃｍｅ Ltd.', 'acme ltd'],
] as const;

test.each(SAME)('%s is %s', async (one, other) => {
  const keys = await keysOf(one);
  expect(keys).toHaveLength(1);
  expect(await keysOf(other)).toEqual(keys);
});

test.each([
  'https://acme.example',
  'http://www.acme.example',
  'HTTPS://Acme.example/',
  'https://acme.example?from=mail',
  'acme.example',
])('%s is the page of its host', async (page) => {
  expect(await keysOf(page)).toEqual(['site:acme.example']);
});

test('pages of one host are told apart', async () => {
  expect(await keysOf('https://acme.example/dental/')).toEqual(['site:acme.example/dental']);
  expect(await keysOf('acme.example/dental#team')).toEqual(['site:acme.example/dental']);
});

test('a name in two scripts is not half of it', async () => {
  expect(await keysOf('寿司 Sushi')).not.toEqual(await keysOf('Sushi'));
});

test.each(['76', 'USA', '20261', 'Café', '–', ''])('"%s" has no key: anyone may write it', async (value) => {
  expect(await keysOf(value)).toEqual([]);
});

const toldOf = async (address: string, name: string | null = null): Promise<string[]> =>
  (await sql<{ keys: string[] }>`select app.told_keys(${name}, null, ${address}, null) as keys`.execute(product.db))
    .rows[0]?.keys ?? [];

test.each(['Springfield, IL, USA', 'Springfield, IL 62701, USA', 'USA'])('%s is where many are', async (address) => {
  expect(await toldOf(address)).toEqual([]);
});

test.each([
  ['12 Main St, Springfield, IL, USA', true],
  ['12 Main St, 62701', true],
  ['12 MAIN ST., Springfield', true],
  ['12 Main St', true],
  ['12 Main St, IL, USA', true],
  ['12 Main St, Chicago, IL, USA', false],
  ['12 Main St, Chicago, IL 60601, USA', false],
  ['12 Main St, 60601', false],
  ['Springfield, IL', false],
] as const)('%s is known by 12 Main St, Springfield, IL 62701: %s', async (written, isKnown) => {
  const told = await toldOf('12 Main St, Springfield, IL 62701, USA');
  expect((await keysOf(written)).some((key) => told.includes(key))).toBe(isKnown);
});

const besideOf = async (name: string | null, address: string): Promise<string[]> =>
  (await sql<{ keys: string[] }>`select app.name_at_keys(${name}, ${address}) as keys`.execute(product.db)).rows[0]
    ?.keys ?? [];

test.each([
  ['Athol Street, Port Saint Mary, Isle of Man', 'ATHOL STREET, Port Saint Mary'],
  ['Marfa, TX 79843, USA', 'Marfa'],
  ['Springfield, IL, USA', 'Springfield, Illinois'],
  ['Via Roma 12, 20121 Milano MI, Italy', 'Via Roma 12'],
  ['東京都千代田区', '東京都千代田区'],
])('%s is known beside its name, also as %s', async (address, written) => {
  const keys = await besideOf('Café Inn', written);
  expect(keys).toHaveLength(1);
  expect(await toldOf(address, 'CAFE INN')).toEqual(expect.arrayContaining(keys));
  expect(await toldOf(address, 'Other Inn')).not.toEqual(expect.arrayContaining(keys));
});

test.each([
  ['Café Inn', '12 Main St, Springfield, IL 62701, USA'],
  [null, 'Marfa, TX 79843, USA'],
  ['Café Inn', ' , '],
])('beside %s, %s has no key', async (name, address) => expect(await besideOf(name, address)).toEqual([]));

test('keys are the same in a database whose locale knows more letters', async () => {
  const values = [
    ...SAME.flat(),
    '12 Main St, Springfield, IL 62701, USA',
    'https://CAFÉ.example/Menü',
    '+1 217-555-0101',
  ];
  const keys = sql<{ keys: string[] }>`
    select app.value_keys(given) || app.name_key(given) || app.name_at_keys(given, given) as keys from unnest(${values}::text[]) as given`;
  const other = await createDatabase(inject('ownerUrl'), `t_${randomBytes(6).toString('hex')}`, OTHER_LOCALE);
  await migrate(other, { hosted: false });
  const client = new pg.Client(other);
  await client.connect();
  const { sql: text, parameters } = keys.compile(product.db);
  const { rows } = await client.query(text, [...parameters]).finally(() => client.end());
  expect(rows).toEqual((await keys.execute(product.db)).rows);
});
