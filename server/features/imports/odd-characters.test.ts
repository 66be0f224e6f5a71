import Papa from 'papaparse';
import { beforeAll, expect, test } from 'vitest';
import { importFile } from '#test/imports.ts';
import { readLeads } from '#test/lists.ts';
import { type Product, startProduct } from '#test/product.ts';
import { spreadsheet } from '#test/spreadsheet.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
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

test('escapes of a spreadsheet are the characters that they stand for', async () => {
  const user = await product.user();
  const file = spreadsheet([
    ['Company', 'Phone', 'Email', 'Notes_x000D_\n'],
    [
      'Acme_x000D_\nDental',
      '312-555-0101_x000D_\n',
      'desk@acme-dental.example_x000D_\n',
      'one_x005F_x000D_ two_x0009_3',
    ],
    [
      'Nul_x0000_ and half_xD83D_',
      { formula: 'A1', result: '312-555-0102_x000d_' },
      null,
      '_xD83D__xDE00_ _x12_ _x-000D_',
    ],
  ]);
  const { state, errors, list } = await importFile(product, user, file, { type: XLSX });
  expect([state, errors]).toEqual(['completed', 0]);
  expect(await readLeads(product.db, list)).toMatchObject([
    {
      business_name: 'Acme Dental',
      phone: '+1 312-555-0101',
      email: 'desk@acme-dental.example',
      extra: { Notes: 'one_x000D_ two 3' },
    },
    { business_name: 'Nul and half\ufffd', phone: '+1 312-555-0102', extra: { Notes: '😀 _x12_ _x-000D_' } },
  ]);
});
