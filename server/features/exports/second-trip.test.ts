import { sql } from 'kysely';
import Papa from 'papaparse';
import { beforeAll, expect, test } from 'vitest';
import { exportRows, exportText } from '#test/exports.ts';
import { importFile } from '#test/imports.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});

const headersOf = (text: string): string[] => Papa.parse<string[]>(text.replace(/^\uFEFF/, '')).data[0] ?? [];
const imported = (user: TestUser, file: string) => importFile(product, user, file, { duplicates: 'add' });

/** As a check leaves a list whose numbers are all clean. */
async function check(listId: string): Promise<void> {
  await sql`update public.lists set compliance_checked = true, tier4_complete = true where id = ${listId}`.execute(
    product.db,
  );
  await sql`
    update public.leads set phone_type = 'mobile', compliance_status = 'safe', compliance_checked_at = now()
    where list_id = ${listId}`.execute(product.db);
}

test.each([
  ['both', 'Phone Type,Compliance Status'],
  ['one', 'Phone Type'],
  ['calls', 'Phone Type,call_status,rule'],
])('what was found out is no column of one’s own, however often it comes back (%s)', async (_which, columns) => {
  const user = await product.user();
  const values = columns.split(',').map(() => 'theirs');
  let { list } = await imported(user, `Business Name,Phone,Notes,${columns}\nMine,217-555-0180,regular,${values}\n`);
  for (let trip = 0; trip < 3; trip += 1) {
    await check(list);
    const file = await exportText(product, user, list, { call_times: true });
    const headers = headersOf(file);
    expect(new Set(headers).size).toBe(headers.length);
    expect(headers).toContain('Phone Type (2)');
    ({ list } = await imported(user, file));
    expect((await exportRows(product, user, list, { rights: 'export_safe' })).map(Object.keys)).toEqual([
      ['Business Name', 'Phone', 'Address', 'Website', 'Notes', 'Sources and Licenses'],
    ]);
  }
});

test.each([
  ['in lower case', (header: string) => header.toLowerCase()],
  ['as a database calls it', (header: string) => header.toUpperCase().replaceAll(' ', '_')],
])('a header of ours that another program wrote %s is ours', async (_how, rewrite) => {
  const user = await product.user();
  const { list } = await imported(user, 'Business Name,Phone\nMine,217-555-0181\n');
  await check(list);
  const [head = '', ...rows] = (await exportText(product, user, list)).split('\n');
  const back = await imported(user, [rewrite(head), ...rows].join('\n'));
  expect((await exportRows(product, user, back.list, { rights: 'export_safe' })).map(Object.keys)).toEqual([
    ['Business Name', 'Phone', 'Address', 'Website', 'Sources and Licenses'],
  ]);
});
