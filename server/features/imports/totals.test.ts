import { beforeAll, expect, test } from 'vitest';
import { importFile, uploadFile } from '#test/imports.ts';
import { readLeads } from '#test/lists.ts';
import { type Product, startProduct } from '#test/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});

test('a row of totals is no business, and its sum is no one’s number', async () => {
  const user = await product.user();
  const file = [
    'Company,Jobs,Phone',
    'Acme Dental,2,3125550142',
    'Oak Bakery,1,3125550143',
    'Total,4,312-555-0144',
    'Total Auto Care,7,3125550145',
    'Grand Total:,"$1,003",9376650430',
  ].join('\n');
  const { rows, errors, problems } = await uploadFile(product, user, file);
  expect({ rows, errors, problems }).toEqual({
    rows: 5,
    errors: 1,
    problems: [
      {
        row: 6,
        column: 'Company',
        value: 'Grand Total:',
        why: 'This is a row of totals, not a business. It is left out.',
      },
    ],
  });
  const { added, skipped, list } = await importFile(product, user, file);
  expect({ added, skipped }).toEqual({ added: 4, skipped: 1 });
  expect((await readLeads(product.db, list)).map(({ phone }) => phone)).toEqual(
    ['142', '143', '144', '145'].map((end) => `+1 312-555-0${end}`),
  );
});
