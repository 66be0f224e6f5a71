import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import type { BodyOf } from '#contract/endpoint.ts';
import {
  cancelImportEndpoint,
  keepImportEndpoint,
  startImportEndpoint,
  undoImportEndpoint,
} from '#contract/imports/imports.ts';
import { importEnd, uploadFile } from '#test/imports.ts';
import { type Product, startProduct } from '#test/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct({ worker: false });
});

const FILE = 'Company,Phone,Number\nOak,217-555-0147,1\nElm,217-555-0148,2\n';
const BODY = { duplicates: 'skip', listName: 'Mine', mapping: { Number: 'skip' }, retention: 'keep' } as const;
const OTHERS: readonly Partial<BodyOf<typeof startImportEndpoint>>[] = [
  { duplicates: 'add' },
  { listName: 'Other' },
  { mapping: { Number: 'extra' } },
  { retention: 'archive' },
];

async function begin() {
  const user = await product.user();
  const { importId: id } = await uploadFile(product, user, FILE);
  const start = (more: Partial<BodyOf<typeof startImportEndpoint>> = {}) =>
    user.call(startImportEndpoint, { ...BODY, ...more }, { id });
  const lists = () => product.db.selectFrom('lists').select('id').where('user_id', '=', user.id).execute();
  return { user, id, start, lists };
}

test('two presses at once are one import, and so is one more while it waits', async () => {
  const { start, lists } = await begin();
  const [one, two] = await Promise.all([start(), start()]);
  expect(two).toEqual(one);
  expect(await start()).toEqual(one);
  expect(await lists()).toHaveLength(1);
  for (const other of OTHERS)
    await expect(start(other)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('imported before with different choices'),
    });
});

test('one that is canceled, or whose list is gone, does not begin again', async () => {
  const { user, id, start } = await begin();
  await start();
  await user.call(cancelImportEndpoint, undefined, { id });
  await expect(start()).rejects.toMatchObject({ code: 'CONFLICT' });
  const gone = await begin();
  const { listId } = await gone.start();
  await sql`delete from public.lists where id = ${listId}`.execute(product.db);
  await expect(gone.start()).rejects.toMatchObject({ code: 'CONFLICT' });
});

test('someone who lost the answer and asks again once it is done is told the same list', async () => {
  const { user, id, start, lists } = await begin();
  const first = await start();
  await product.process();
  await importEnd(user, id);
  await user.call(keepImportEndpoint, { retention: 'archive' }, { id });
  expect(await start()).toEqual(first);
  expect(await lists()).toHaveLength(1);
  for (const other of OTHERS) await expect(start(other)).rejects.toMatchObject({ code: 'CONFLICT' });
  await user.call(undoImportEndpoint, undefined, { id });
  await expect(start()).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('Choose it again'),
  });
});
