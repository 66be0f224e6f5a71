import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addressOf } from '#contract/address.ts';
import { eraseContactEndpoint } from '#contract/calling/suppression-sources.ts';
import {
  checkImportEndpoint,
  getImportEndpoint,
  type ImportFile,
  startImportEndpoint,
  undoImportEndpoint,
} from '#contract/imports/imports.ts';
import { exportLeadsEndpoint } from '#contract/work/exports/exports.ts';
import { assuming } from '#db/roles/server-role.ts';
import { sweepExports } from '#server/features/exports/start-export-sweep.ts';
import { ROWS_AT_ONCE } from '#server/features/imports/stage/stage-rows.ts';
import { executeNextImport } from '#server/features/imports/work/execute-import.ts';
import { claimImport } from '#server/features/imports/work/import-lease.ts';
import { importPart } from '#server/features/imports/work/import-part.ts';
import { merge } from '#server/open-data/load/merge.ts';
import { countLockWaits } from '#test/databases/count-lock-waits.ts';
import { columnsWith } from '#test/databases/find-text.ts';
import { eventually } from '#test/eventually.ts';
import { uploadFile } from '#test/imports.ts';
import { buildListOf, readLeads } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let admin: TestUser;
let client: pg.Client;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  admin = await product.admin();
  client = new pg.Client({ connectionString: assuming(product.url, 'web') });
  await client.connect();
});
afterAll(() => client.end());

const erase = (kind: 'phone' | 'email', value: string) => admin.call(eraseContactEndpoint, { kind, value });
/** Where one of these numbers, or mailboxes, still is. */
const placesOf = (...endings: string[]) =>
  columnsWith(product.db, (text) =>
    endings.some((ending) =>
      new RegExp(/^\d+$/.test(ending) ? `303\\D{0,3}555\\D{0,3}${ending}` : ending, 'i').test(text),
    ),
  );
const work = () => executeNextImport(product.workerDeps, randomUUID(), new AbortController().signal);
const start = (user: TestUser, { importId }: ImportFile, duplicates: 'skip' | 'update' | 'add' = 'add') =>
  user.call(startImportEndpoint, { duplicates, listName: 'From a file' }, { id: importId });
const names = async (listId: string) => (await readLeads(product.db, listId)).map((lead) => lead.business_name);

const FILE = [
  'Company,Phone,Mail,Mobile,Notes',
  'Gone,(303) 555-0201,olive.one@late.example,,',
  'By mobile,303.555.0202,,+1 303 555 0201,',
  'In notes,303.555.0203,,,ask 303-555-0201 first',
  'Gone as well,,Olive.Two@late.example,,',
  'Stays,303.555.0204,,,',
].join('\n');

/** Sends a file whose end comes once `sent` resolves. */
async function uploadInTwo(user: TestUser, begin: string, sent: Promise<void>, end: string): Promise<Response> {
  async function* body() {
    yield new TextEncoder().encode(begin);
    await sent;
    yield new TextEncoder().encode(end);
  }
  return product.request('/api/imports?name=two.csv', {
    method: 'POST',
    headers: { authorization: await user.authorization(), 'content-type': 'text/csv' },
    body: ReadableStream.from(body()),
    duplex: 'half',
  } as RequestInit);
}

test('a file that waits, or was started, loses the contact: rows keep their numbers, and none of it becomes a lead', async () => {
  const user = await product.user();
  const waiting = await uploadFile(product, user, FILE);
  const started = await uploadFile(product, user, FILE);
  const { listId } = await start(user, started);
  await erase('phone', '303 555 0201');
  await erase('email', 'olive.two@late.example');
  expect(await placesOf('0201', 'olive.two@', 'olive.one@')).toEqual([]);
  const shown = await user.call(checkImportEndpoint, { mapping: { Notes: 'owner_title' } }, { id: waiting.importId });
  expect(shown.columns.map(({ sample }) => sample)).toEqual([[], [], [], [], []]);
  expect(shown.preview.map(({ row, values }) => [row, values.business_name])).toEqual([
    [2, undefined],
    [3, 'By mobile'],
    [4, 'In notes'],
    [5, undefined],
    [6, 'Stays'],
  ]);
  await work();
  expect(await names(listId)).toEqual(['By mobile', 'In notes', 'Stays']);
  expect(await user.call(getImportEndpoint, undefined, { id: started.importId })).toMatchObject({
    state: 'completed',
    rows: 5,
    done: 5,
    added: 3,
    skipped: 2,
  });
  expect((await readLeads(product.db, listId)).map(({ import_row }) => import_row)).toEqual([3, 4, 6]);
  expect(await placesOf('0201', 'olive.two@', 'olive.one@')).toEqual([]);
});

test('a part that is being imported while the contact is erased leaves nothing, in either order', async () => {
  const user = await product.user();
  for (const [round, [first, second]] of [
    ['import', 'erasure'],
    ['erasure', 'import'],
  ].entries()) {
    const ending = `021${round}`;
    const file = await uploadFile(
      product,
      user,
      `Company,Phone,Notes\nGone,303 555 ${ending},\nNotes,,ask 303 555 ${ending}\n`,
    );
    const { listId } = await start(user, file);
    const owner = randomUUID();
    await claimImport(product.workerDeps.db, owner);
    const part = () => importPart(product.workerDeps.db, file.importId, owner);
    const acts = { import: part, erasure: () => erase('phone', `303555${ending}`) };
    let both: Promise<unknown>[] = [];
    await product.db.transaction().execute(async (tx) => {
      // The part waits for its list, and the erasure for the rows.
      if (first === 'import') await sql`select from public.lists where id = ${listId} for update`.execute(tx);
      else await sql`select from app.import_rows where import_id = ${file.importId} for update`.execute(tx);
      both = [acts[first as 'import']()];
      await eventually(async () => expect(await countLockWaits(product.db)).toBe(1));
      both.push(acts[second as 'import']());
      await eventually(async () => expect(await countLockWaits(product.db)).toBe(2));
    });
    await Promise.all(both);
    expect(await part()).toBe('ended');
    expect(await names(listId)).toEqual(['Notes']);
    expect(await placesOf(ending)).toEqual([]);
  }
});

test('a file that is on its way, or comes afterwards, brings nothing back: not as a row, a cell, a header or a first value', async () => {
  const user = await product.user();
  const lines = Array.from({ length: 3_000 }, (_, at) => `Invented ${at},720 555 ${1_000 + at},\n`);
  const sent = Promise.withResolvers<void>();
  const upload = uploadInTwo(
    user,
    `Company,Phone,Notes\nGone,303 555 0221,\nOther,,303 555 0221\n${lines.join('')}`,
    sent.promise,
    'Gone again,303.555.0221,\nLast,720 555 9999,(303) 555-0221\n',
  );
  await eventually(async () =>
    expect(await placesOf('0221')).toEqual(['app.import_rows.cells', 'app.import_rows.keys']),
  );
  await erase('phone', '303 555 0221');
  sent.resolve();
  expect((await upload).status).toBe(200);
  expect(await placesOf('0221')).toEqual([]);
  const { data } = (await (await upload).json()) as { data: ImportFile };
  expect(data).toMatchObject({ rows: 3_004 });
  const { listId } = await start(user, data);
  await work();
  expect(await readLeads(product.db, listId)).toHaveLength(3_002);

  await erase('email', 'olive.three@late.example');
  await uploadFile(product, user, FILE.replace('olive.one', 'olive.three').replaceAll('0201', '0221'));
  await uploadFile(product, user, 'olive.three@late.example,303 555 0222\nolive.four@late.example,303 555 0223\n');
  expect(await placesOf('0221', 'olive.three@')).toEqual([]);
});

test('an upload that waits for an erasure of its own rows does not keep that waiting', async () => {
  const user = await product.user();
  // More than one part, and less than two: the rest waits for the last line.
  const lines = Array.from(
    { length: ROWS_AT_ONCE * 1.4 },
    (_, at) => `${'Invented '.repeat(6)}${at},720 555 ${1_000 + at}\n`,
  );
  const sent = Promise.withResolvers<void>();
  const upload = uploadInTwo(
    user,
    `Company,Phone\nGone,303 555 0225\n${lines.join('')}`,
    sent.promise,
    'Last,720 555 9999\n',
  );
  await eventually(async () =>
    expect(await placesOf('0225')).toEqual(['app.import_rows.cells', 'app.import_rows.keys']),
  );
  let erasure: Promise<unknown> = Promise.resolve();
  await product.db.transaction().execute(async (tx) => {
    await sql`select app.hold_erasure('imports')`.execute(tx);
    erasure = erase('phone', '303 555 0225');
    await eventually(async () => expect(await countLockWaits(product.db)).toBe(1));
    // Its next rows stand in line behind the erasure, with a lock on the key of their import.
    sent.resolve();
    await eventually(async () => expect(await countLockWaits(product.db)).toBe(2));
  });
  await erasure;
  expect((await upload).status).toBe(200);
  expect(await placesOf('0225')).toEqual([]);
});

test('taking an import back after the erasure brings nothing back', async () => {
  const user = await product.user();
  const own = await buildListOf(
    product.db,
    user.id,
    [
      { business_name: 'Filled', phone: '+1 303-555-0231' },
      { business_name: 'Mentions', phone: '+1 303-555-0232' },
    ],
    { sandbox: false },
  );
  const file = await uploadFile(
    product,
    user,
    'Company,Phone,Mail,Notes\nFilled,3035550231,olive.five@late.example,\nMentions,3035550232,other@late.example,or olive.five@late.example\n',
  );
  await start(user, file, 'update');
  await work();
  expect((await readLeads(product.db, own)).map(({ email }) => email)).toEqual([
    'olive.five@late.example',
    'other@late.example',
  ]);
  // Changed since: the import still knows what it wrote.
  await sql`update public.leads set email = 'mine@late.example' where list_id = ${own} and business_name = 'Filled'`.execute(
    product.db,
  );
  await erase('email', 'olive.five@late.example');
  expect(await placesOf('olive.five@')).toEqual([]);
  await user.call(undoImportEndpoint, undefined, { id: file.importId });
  expect((await readLeads(product.db, own)).map(({ email, extra }) => [email, extra])).toEqual([
    ['mine@late.example', {}],
    [null, {}],
  ]);
  expect(await placesOf('olive.five@')).toEqual([]);
});

test('what was being written while leads were looked through is erased as well', async () => {
  const user = await product.user();
  const listId = await buildListOf(product.db, user.id, [
    { business_name: 'Mentions', address: 'Main Street 1' },
    { business_name: 'Its own', address: 'Main Street 2' },
  ]);
  let erasure: Promise<unknown> = Promise.resolve();
  await product.db.transaction().execute(async (tx) => {
    await sql`update public.leads set extra = '{"Notes": "ask 303 555 0235"}' where list_id = ${listId} and business_name = 'Mentions'`.execute(
      tx,
    );
    await sql`update public.leads set owner_title = 'at 303 555 0235' where list_id = ${listId} and business_name = 'Its own'`.execute(
      tx,
    );
    await sql`insert into app.website_answers (sandbox, domain, visit, expires_at)
      values (true, 'being-written.example', '{"said": ["303 555 0235"]}', '2030-01-01')`.execute(tx);
    erasure = erase('phone', '303 555 0235');
    await eventually(async () => expect(await countLockWaits(product.db)).toBe(1));
  });
  expect(await erasure).toMatchObject({ leads: 1 });
  expect(await readLeads(product.db, listId)).toMatchObject([{ extra: { Notes: '[erased]' } }]);
  expect(await placesOf('0235')).toEqual([]);
});

test('a file that was exported before, and kept only afterwards, is removed', async () => {
  const user = await product.user();
  const listId = await buildListOf(product.db, user.id, [{ business_name: 'In a file', phone: '303 555 0241' }]);
  const response = await product.request(addressOf(exportLeadsEndpoint.path, { listId }), {
    method: 'POST',
    headers: { authorization: await user.authorization(), 'content-type': 'application/json' },
    body: JSON.stringify({ filter: 'all', compliance: 'all_leads' }),
  });
  await response.text();
  await erase('phone', '303 555 0241');
  const other = await buildListOf(product.db, user.id, [{ business_name: 'Not in a file' }]);
  for (const id of [listId, other])
    await sql`insert into storage.objects (bucket_id, name, owner, version, metadata)
      values ('exports', ${`${user.id}/${id}/2026-11-20T10-00-00.000Z--all--all_leads--1.csv`}, ${user.id}, gen_random_uuid(), '{}')`.execute(
      product.db,
    );
  const removed: string[] = [];
  await sweepExports({ db: product.db, remove: async (files) => void removed.push(...files) });
  expect(removed).toEqual([expect.stringContaining(listId)]);
});

const stage = (id: string, phone: string) =>
  sql`insert into app.open_staged (row_number, source_id, license, name, categories, phone, latitude, longitude, closed, terms)
    values (1, ${id}, 'CC0-1.0', ${id}, '{}', ${phone}, 1, 1, false, '{}')`.execute(product.db);
async function load(release: string) {
  const { rows } = await sql<{ id: number }>`
    insert into app.open_imports (source, release, files) values ('invented', ${release}, '[]') returning id`.execute(
    product.db,
  );
  return merge(client, {
    importId: rows[0]?.id ?? 0,
    source: 'invented',
    release,
    sandbox: false,
    order: { files: [] },
  });
}

test('open data that is loaded afterwards, or meanwhile, leaves the contact out', async () => {
  await erase('phone', '303 555 0251');
  await Promise.all([stage('gone', '303-555-0251'), stage('late', '(303) 555-0252'), stage('stays', '303 555 0253')]);
  expect(await load('1')).toMatchObject({ added: 2 });
  await erase('phone', '303 555 0252');
  expect(await placesOf('0251', '0252')).toEqual([]);

  // The erasure comes while a release is being taken over: it has seen none of it.
  await Promise.all([stage('late', '(303) 555-0254'), stage('stays', '303 555 0253')]);
  let loading: Promise<unknown> = Promise.resolve();
  await product.db.transaction().execute(async (tx) => {
    await sql`select app.await_writers('open data')`.execute(tx);
    loading = load('2');
    await eventually(async () => expect(await countLockWaits(product.db)).toBe(1));
    await sql`
      insert into app.erased_contacts (hash, kind) select (app.contact_hashes(array['phone:+13035550254']))[1], 'phone'`.execute(
      tx,
    );
  });
  await loading;
  expect(await placesOf('0254')).toEqual([]);
  expect((await client.query(`select source_id from app.open_places where source = 'invented'`)).rows).toEqual([
    { source_id: 'stays' },
  ]);
});

test('a release that is taken over while one of its places is erased does not wait for the erasure', async () => {
  await Promise.all([stage('also', '303 555 0255'), stage('stays', '303 555 0253')]);
  await load('3');
  await Promise.all([stage('also', '303 555 0255'), stage('stays', '303 555 0256')]);
  let both: Promise<unknown>[] = [];
  await product.db.transaction().execute(async (tx) => {
    await sql`select from app.open_places where source = 'invented' and source_id = 'stays' for update`.execute(tx);
    // It has the place that is the same already, and waits for the one that has changed.
    both = [load('4')];
    await eventually(async () => expect(await countLockWaits(product.db)).toBe(1));
    both.push(erase('phone', '303 555 0255'));
    await eventually(async () => expect(await countLockWaits(product.db)).toBe(2));
  });
  await Promise.all(both);
  expect(await placesOf('0255')).toEqual([]);
  expect((await client.query(`select source_id from app.open_places where source = 'invented'`)).rows).toEqual([
    { source_id: 'stays' },
  ]);
});
