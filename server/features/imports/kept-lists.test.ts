import { beforeAll, expect, test } from 'vitest';
import { keepImportEndpoint, startImportEndpoint, undoImportEndpoint } from '#contract/imports/imports.ts';
import { importEnd, importFile, uploadFile } from '#test/imports.ts';
import { buildListOf, readList, tellPlaces } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});

/** A person whom Google told two numbers. */
async function told(): Promise<TestUser> {
  const user = await product.user();
  const googles = await buildListOf(product.db, user.id, [], { sandbox: false });
  await tellPlaces(product.db, googles, [
    { name: 'Told Dental', phone: '+1 217-555-0147', address: '1 Oak St' },
    { name: 'Told Diner', phone: '+1 217-555-0157', address: '2 Oak St' },
  ]);
  return user;
}

test.each([
  ['company,phone\nMine,217-555-0148\nBack,217-555-0147\n', false],
  ['company,notes\nMine,call 217 555 0147\n', false],
  ['company,phone\nMine,217-555-0148\n', true],
])(
  'a list to be kept for good is so no longer from the row on that brings a value of Google: %j',
  async (file, kept) => {
    const user = await told();
    const { importId: id } = await uploadFile(product, user, file);
    const { listId } = await user.call(
      startImportEndpoint,
      { duplicates: 'add', listName: 'Mine', retention: 'keep' },
      { id },
    );
    expect(await importEnd(user, id)).toMatchObject({ state: 'completed', retention: kept ? 'keep' : 'archive' });
    expect(await readList(product.db, listId)).toMatchObject({ keep: kept });
  },
);

test.each([
  ['217-555-0147', false],
  ['217-555-0149', true],
])('a row that fills a lead of a kept list with %s', async (phone, kept) => {
  const user = await told();
  const first = await importFile(product, user, 'company,email\nMine,desk@mine.example\n');
  await user.call(keepImportEndpoint, { retention: 'keep' }, { id: first.id });
  const other = await importFile(product, user, 'company,phone\nOther,217-555-0148\n');
  await user.call(keepImportEndpoint, { retention: 'keep' }, { id: other.id });
  await importFile(product, user, `company,email,phone\nMine,desk@mine.example,${phone}\n`, { duplicates: 'update' });
  expect(await readList(product.db, first.list)).toMatchObject({ keep: kept });
  expect(await readList(product.db, other.list)).toMatchObject({ keep: true });
});

test('a list is kept for good again once the last file is undone that brought a value of Google', async () => {
  const user = await told();
  const first = await importFile(product, user, 'company,email\nMine,desk@mine.example\nAlso,desk@also.example\n');
  await user.call(keepImportEndpoint, { retention: 'keep' }, { id: first.id });
  const isKept = async () => (await readList(product.db, first.list)).keep;
  const fill = (name: string, phone: string) =>
    importFile(product, user, `company,email,phone\n${name},desk@${name.toLowerCase()}.example,${phone}\n`, {
      duplicates: 'update',
    });
  const [one, other] = [await fill('Mine', '217-555-0147'), await fill('Also', '217-555-0157')];
  expect(await isKept()).toBe(false);
  await user.call(undoImportEndpoint, undefined, { id: one.id });
  expect(await isKept()).toBe(false);
  await user.call(undoImportEndpoint, undefined, { id: other.id });
  expect(await isKept()).toBe(true);
});

test('what its owner chose since stays', async () => {
  const user = await told();
  const first = await importFile(product, user, 'company,email\nMine,desk@mine.example\n');
  await user.call(keepImportEndpoint, { retention: 'keep' }, { id: first.id });
  const file = 'company,email,phone\nMine,desk@mine.example,217-555-0147\n';
  const { id } = await importFile(product, user, file, { duplicates: 'update' });
  await user.call(keepImportEndpoint, { retention: 'archive' }, { id: first.id });
  await user.call(undoImportEndpoint, undefined, { id });
  expect(await readList(product.db, first.list)).toMatchObject({ keep: false });
});
