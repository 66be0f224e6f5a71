import Papa from 'papaparse';
import { beforeAll, expect, test } from 'vitest';
import { importFile } from '#test/imports.ts';
import { readLeads } from '#test/lists.ts';
import { type Product, startProduct } from '#test/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});

const OTHERS = ['B', 'C', 'D', 'E', 'F'].map((name, at) => [name, `217-555-011${at}`]);

/** Fits `characters` and is cut within its emoji. */
const long = (characters: number) => `${'n'.repeat(characters - 1)}😀 more ${'😀'.repeat(500)}`;

test.each([
  ['sample', 'Notes', 80, { Notes: 'extra' }],
  ['problem', 'Mobile', 100, { Mobile: 'phone' }],
  ['owner', 'Owner', 200, { Owner: 'owner_name' }],
  ['name', 'Name', 300, { Company: 'extra', Name: 'business_name' }],
  ['address', 'Address', 500, { Address: 'address' }],
  ['original', 'Street', 800, { Street: 'street' }],
  ['column', 'Notes', 2_000, { Notes: 'extra' }],
  ['header', long(100), 20, {}],
] as const)('an emoji where a text is cut refuses no file (%s)', async (_what, header, characters, mapping) => {
  const user = await product.user();
  const rows = [['A Dental', '217-555-0101', long(characters)], ...OTHERS];
  const file = Papa.unparse([['Company', 'Phone', header], ...rows]);
  const { state, added, list } = await importFile(product, user, file, { mapping });
  expect([state, added]).toEqual(['completed', 6]);
  const texts = JSON.stringify(await readLeads(product.db, list));
  expect(texts).toContain('nnn');
  expect(texts).not.toMatch(/\\ud[89a-f]|\ufffd/i);
});
