import Papa from 'papaparse';
import { beforeAll, expect, test } from 'vitest';
import { addressOf } from '#contract/address.ts';
import { importErrorsEndpoint, undoImportEndpoint } from '#contract/imports/imports.ts';
import { exportRows } from '#test/exports.ts';
import { importFile } from '#test/imports.ts';
import { buildList, buildListOf, readLeads, tellPlaces } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});

const NAME = 'Harbor Inn Hotel';
const LEAD = { business_name: NAME, phone: '+1 312-555-0192' };

/** Someone whom Google told of that hotel. */
async function told(): Promise<TestUser> {
  const user = await product.user();
  const list = await buildList(product.db, user.id, { sandbox: false });
  await tellPlaces(product.db, list, [{ name: NAME, phone: LEAD.phone, address: '12 Main St, Springfield, IL 62701' }]);
  await product.db.deleteFrom('lists').where('id', '=', list).execute();
  return user;
}

/** A file whose other columns all say what Google told. */
function fileOf(columns: number, header: string): string {
  const headers = Array.from({ length: columns }, (_, at) => `${header}${at}`);
  return Papa.unparse([
    ['Company', 'Phone', ...headers],
    [NAME, '312-555-0192', ...headers.map(() => NAME)],
    ['Mine', '217-555-0101', ...headers.map(() => 'x')],
  ]);
}

const WIDEST = '漢'.repeat(16);

test.each([
  [30, 'Associated Company Custom Property Value '],
  [190, 'A'],
  [190, WIDEST],
])('every one of %d columns that repeat what others told names who did (%s)', async (columns, header) => {
  const user = await told();
  const { state, added, list } = await importFile(product, user, fileOf(columns, header), { duplicates: 'add' });
  expect([state, added]).toEqual(['completed', 2]);
  const [lead] = await readLeads(product.db, list);
  const kept = Object.keys(lead?.extra as object);
  expect(lead?.sources).toMatchObject(Object.fromEntries(kept.map((name) => [`extra.${name}`, 'file:google'])));
  const rows = await exportRows(product, user, list, { rights: 'export_safe' });
  expect(JSON.stringify(rows)).not.toContain(NAME);
});

test('columns that fill a lead come with their sources, and those without room are told by their row', async () => {
  const user = await told();
  const list = await buildListOf(product.db, user.id, [LEAD], { sandbox: false });
  const fill = (header: string) =>
    importFile(product, user, fileOf(150, header), { duplicates: 'update', mapping: {} });
  expect(await fill('Associated Value ')).toMatchObject({ state: 'completed', updated: 1, errors: 0 });
  const [lead] = await readLeads(product.db, list);
  expect(Object.keys(lead?.sources as object).length).toBeGreaterThanOrEqual(150);
  const more = await fill('Associated Other Value ');
  expect(more).toMatchObject({ state: 'completed', errors: 1 });
  expect((await readLeads(product.db, list))[0]).toEqual(lead);
  const response = await product.request(addressOf(importErrorsEndpoint.path, { id: more.id }), {
    headers: { authorization: await user.authorization() },
  });
  expect(await response.text()).toContain('2,Associated Other Value 0,Harbor Inn Hotel,The lead that this row fills');
  await user.call(undoImportEndpoint, undefined, { id: more.id });
});
