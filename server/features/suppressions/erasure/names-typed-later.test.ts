import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { eraseContactEndpoint } from '#contract/calling/suppression-sources.ts';
import { startImportEndpoint } from '#contract/imports/imports.ts';
import { executeNextImport } from '#server/features/imports/work/execute-import.ts';
import { columnsWith } from '#test/databases/find-text.ts';
import { exportRows } from '#test/exports.ts';
import { uploadFile } from '#test/imports.ts';
import { buildListOf } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let user: TestUser;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  const admin = await product.admin();
  user = await product.user();
  await admin.call(eraseContactEndpoint, { kind: 'phone', value: '+1 303 555 0171' });
  await admin.call(eraseContactEndpoint, { kind: 'email', value: 'gone.person@people.example' });
});

const left = () => columnsWith(product.db, (text) => /303\D{0,3}555\D{0,3}0171|gone\.person/i.test(text));

/** As a browser changes lists: by the data API, under row-level security. */
const inBrowser = <T>(statement: ReturnType<typeof sql<T>>) =>
  product.db.transaction().execute(async (tx) => {
    const claims = JSON.stringify({ sub: user.id, role: 'authenticated' });
    await sql`select set_config('request.jwt.claims', ${claims}, true), set_config('role', 'authenticated', true)`.execute(
      tx,
    );
    return (await statement.execute(tx)).rows;
  });

test('a list that is named, made or renamed after an erasure names no erased contact', async () => {
  const params = JSON.stringify({ businessType: 'Ask (303) 555-0171', location: 'Austin, TX', radius: '25' });
  expect(
    await inBrowser(sql`
      insert into public.lists (user_id, name, search_params)
      values (${user.id}, 'Ask (303) 555-0171 in Austin, TX', ${params}) returning name, search_params`),
  ).toEqual([{ name: '[erased]', search_params: { businessType: '[erased]', location: 'Austin, TX', radius: '25' } }]);
  const listId = await buildListOf(product.db, user.id, [{ business_name: 'Other', phone: '303 555 0172' }]);
  const rename = (name: string) =>
    inBrowser<{ name: string }>(sql`update public.lists set name = ${name} where id = ${listId} returning name`);
  expect(await rename('Friends of Gone.Person@people.example')).toEqual([{ name: '[erased]' }]);
  expect(await rename('Friends of 303 555 0172, best 1')).toEqual([{ name: 'Friends of 303 555 0172, best 1' }]);
  expect(await left()).toEqual([]);
});

test('a file with the contact in its name, and the list that it becomes, name no one', async () => {
  const file = await uploadFile(product, user, 'Company,Phone\nOther,303 555 0173\n', { name: '303-555-0171.csv' });
  expect(file.name).toBe('[erased]');
  const chosen = { duplicates: 'add', listName: 'From gone.person@people.example' } as const;
  await user.call(startImportEndpoint, chosen, { id: file.importId });
  await executeNextImport(product.workerDeps, randomUUID(), new AbortController().signal);
  expect(await left()).toEqual([]);
});

test('names that were copied before the erasure, and are written behind it, name no one', async () => {
  const listId = await buildListOf(product.db, user.id, [{ business_name: 'Other', phone: '303 555 0174' }]);
  await exportRows(product, user, listId);
  const name = 'Clients of 303.555.0171';
  await sql`insert into app.exports (user_id, list_id, list_name, file_name)
    values (${user.id}, ${listId}, ${name}, ${`${name} - 2026-11-28.csv`})`.execute(product.db);
  await sql`insert into app.runs (user_id, list_id, list_name, kind, input, state, sandbox)
    values (${user.id}, ${listId}, ${name}, 'search', '{}', 'failed', true)`.execute(product.db);
  await sql`insert into app.usage_lists (user_id, sandbox, day, list_key, list_name)
    values (${user.id}, true, '2026-11-28', ${listId}, ${name})`.execute(product.db);
  expect(await left()).toEqual([]);
});
