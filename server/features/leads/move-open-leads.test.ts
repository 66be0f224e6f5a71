import { beforeAll, expect, test } from 'vitest';
import { copyLeadsEndpoint } from '#contract/work/move-leads.ts';
import { buildListOf, readLeads } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let user: TestUser;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  user = await product.user();
});

/** A place of open data. Firms of one building share its number. */
const place = (name: string, source_id: string, more: object = {}) => ({
  business_name: name,
  phone: '+1 217-555-0101',
  open_id: `overture:${source_id}`,
  ...more,
});

test('firms of open data that share a number are not taken for each other when they are moved', async () => {
  const to = await buildListOf(product.db, user.id, [place('Smith Law', 'a')]);
  const from = await buildListOf(product.db, user.id, [
    place('Smith Law', 'a'),
    place('Jones Dental', 'b', { email: 'desk@jones.example', sources: { email: 'website' } }),
    place('Smith Law, LLC', 'c'),
  ]);
  const moved = await user.call(copyLeadsEndpoint, { to: { list_id: to }, remove: true, count: 3 }, { listId: from });
  expect(moved).toMatchObject({ copied: 1, differing: 0 });
  expect((await readLeads(product.db, to)).map(({ business_name, email }) => [business_name, email])).toEqual([
    ['Smith Law', null],
    ['Jones Dental', 'desk@jones.example'],
  ]);
  expect(await readLeads(product.db, from)).toEqual([]);
});

test('branches of a chain have one domain and one name, and are copied all the same', async () => {
  const branch = (at: number) => ({
    ...place('Quay Sandwiches', `branch ${at}`),
    phone: `+1 217-555-02${10 + at}`,
    website: `https://quay.example/${at}`,
  });
  const to = await buildListOf(product.db, user.id, [branch(0)]);
  const from = await buildListOf(product.db, user.id, [0, 1, 2, 3].map(branch));
  expect(await user.call(copyLeadsEndpoint, { to: { list_id: to } }, { listId: from })).toMatchObject({ copied: 3 });
});

test('a lead of a file is still known by its number alone', async () => {
  const to = await buildListOf(product.db, user.id, [place('Smith Law', 'a')]);
  const { open_id: _, ...row } = place('The Law Firm of Smith', 'none');
  const from = await buildListOf(product.db, user.id, [row]);
  expect(await user.call(copyLeadsEndpoint, { to: { list_id: to } }, { listId: from })).toMatchObject({ copied: 0 });
});
