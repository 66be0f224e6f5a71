import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, expect, test, vi } from 'vitest';
import { listImportsEndpoint, removeSourceEndpoint, startImportEndpoint } from '#contract/admin/open-data.ts';
import { listSourcesEndpoint } from '#contract/work/open-data.ts';
import { searchOpenEndpoint } from '#contract/work/search/search-open.ts';
import { writeOpenData } from '#sandbox/open-data/write-open-data.ts';
import { IMPORT_LOCK } from '#server/open-data/load/load-places.ts';
import { buildList, readLeads } from '#test/lists.ts';
import { type Product, type Refusal, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let admin: TestUser;
let user: TestUser;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  admin = await product.admin();
  user = await product.user();
});

const refusal = (call: Promise<unknown>) =>
  call.then(
    () => 'answered',
    (error: Refusal) => `${error.code}: ${error.message}`,
  );
const folder = async () => (await admin.call(listImportsEndpoint)).folder;

test('an administrator loads a file of the folder, sees it come, and removes it again; leads keep where they came from', async () => {
  await writeOpenData(join(await folder(), 'places.geojsonseq'));
  expect((await admin.call(listImportsEndpoint)).files).toMatchObject([{ name: 'places.geojsonseq' }]);
  await admin.call(startImportEndpoint, { files: ['places.geojsonseq'], release: '2026-11-01' });
  await vi.waitFor(
    async () => {
      const [last] = (await admin.call(listImportsEndpoint)).imports;
      expect(last).toMatchObject({
        name: 'Overture Places',
        state: 'completed',
        atWork: false,
        sandbox: true,
        changed: 0,
        gone: 0,
      });
    },
    { timeout: 30_000 },
  );
  const [source] = (await user.call(listSourcesEndpoint)).sources;
  expect(source).toMatchObject({ source: 'overture', sandbox: true, license: 'CDLA-Permissive-2.0' });
  const list_id = await buildList(product.db, user.id);
  const search = { source: 'open' as const, query: 'dentists', location: 'Springfield, IL', radius: 40_000, list_id };
  const { added } = await user.call(searchOpenEndpoint, search);
  expect(added).toBeGreaterThan(5);
  const { removed } = await admin.call(removeSourceEndpoint, undefined, { source: 'overture' });
  expect(removed).toBe(source?.count);
  expect((await user.call(listSourcesEndpoint)).sources).toEqual([]);
  expect(await refusal(admin.call(removeSourceEndpoint, undefined, { source: 'overture' }))).toBe(
    'NOT_FOUND: Nothing is loaded of Overture Places.',
  );
  const leads = await readLeads(product.db, list_id);
  expect(leads).toHaveLength(added);
  expect(leads[0]?.sources).toMatchObject({ business_name: `open:${source?.id}` });
  expect(
    await refusal(user.call(searchOpenEndpoint, { ...search, list_id: await buildList(product.db, user.id) })),
  ).toContain('CONFLICT');
});

test('no one but an administrator loads, and no file outside the folder is read', async () => {
  for (const files of [['places.geojsonseq'], ['../secrets.json']])
    expect(await refusal(user.call(startImportEndpoint, { files }))).toContain('FORBIDDEN');
  for (const name of ['../secrets.json', '/etc/passwd', '..', '.hidden', 'a/b', 'a\\b'])
    expect(await refusal(admin.call(startImportEndpoint, { files: [name] })), name).toContain('VALIDATION_FAILED');
  expect(await refusal(admin.call(startImportEndpoint, { files: ['none.csv'] }))).toContain(
    'none.csv is not in the folder',
  );
  expect(await refusal(user.call(removeSourceEndpoint, undefined, { source: 'overture' }))).toContain('FORBIDDEN');
});

test('a file that cannot be loaded is refused with what to do, without the path of the server', async () => {
  const path = await folder();
  writeFileSync(join(path, 'places.csv'), 'id,name,latitude,longitude\n1,A,39,-89\n');
  const refused = await refusal(admin.call(startImportEndpoint, { files: ['places.csv'] }));
  expect(refused).toContain('VALIDATION_FAILED: Say where places.csv comes from');
  expect(refused).not.toMatch(/--/);
  expect(refused).not.toContain(path);
});

test('a name in the folder that leads nowhere hides no other file', async () => {
  const path = await folder();
  writeFileSync(join(path, 'there.csv'), 'id,name,latitude,longitude\n1,A,39,-89\n');
  symlinkSync(join(path, 'nowhere.csv'), join(path, 'moved.csv'));
  const names = (await admin.call(listImportsEndpoint)).files.map(({ name }) => name);
  expect(names).toContain('there.csv');
  expect(names).not.toContain('moved.csv');
  expect(await refusal(admin.call(startImportEndpoint, { files: ['moved.csv'] }))).toContain('is not in the folder');
  rmSync(join(path, 'moved.csv'));
});

test('while places are loaded or removed, no others are, and the words fit both', async () => {
  writeFileSync(join(await folder(), 'city-2026-10-01.csv'), 'id,name,latitude,longitude\n1,A,39,-89\n');
  const load = () =>
    admin.call(startImportEndpoint, { files: ['city-2026-10-01.csv'], source: 'city', license: 'CC-BY-4.0' });
  const remove = () => admin.call(removeSourceEndpoint, undefined, { source: 'city' });
  await product.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${IMPORT_LOCK})`.execute(tx);
    const why = 'Open data is being loaded or removed. Try again when that has ended.';
    expect(await refusal(remove())).toBe(`CONFLICT: ${why}`);
    expect(await refusal(load())).toBe(`VALIDATION_FAILED: ${why}`);
  });
});
