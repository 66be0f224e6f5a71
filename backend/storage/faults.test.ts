import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type CuttableDatabase, cuttableDatabase } from '#test/databases/cuttable-database.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { type Fault, type UnreliableWay, unreliableWay } from '#test/servers/unreliable-way.ts';
import { sweepFiles } from './sweep-files.ts';
import { type Person, PUBLISHABLE_KEY, type Storage, startStorage } from './testing/harness.ts';

const LARGE = 'x'.repeat(600_000);
/** Where no one listens, and a port that fetch does not refuse by itself. */
const NOWHERE = 'http://127.0.0.1:2';

let storage: Storage;
let database: CuttableDatabase;
let way: UnreliableWay;
let ann: Person;
/** Ann's, over the unreliable way. */
let files: ReturnType<SupabaseClient['storage']['from']>;
let there: string;

const filesAt = (url: string) =>
  createClient(url, PUBLISHABLE_KEY, { accessToken: async () => ann.token }).storage.from('files');

beforeAll(async () => {
  const url = await freshDatabase();
  database = await cuttableDatabase(url);
  storage = await startStorage(url, database.url);
  way = await unreliableWay(storage.url);
  await storage.service.createBucket('files');
  await storage.pool.query(`
    create policy own_folder on storage.objects to authenticated
      using (bucket_id = 'files' and (storage.foldername(name))[1] = auth.uid()::text)`);
  ann = await storage.person('ann');
  files = filesAt(way.url);
  there = `${ann.id}/there.csv`;
  expect((await files.upload(there, LARGE)).error).toBeNull();
});
beforeEach(() => {
  way.mend();
  storage.failures.length = 0;
});
afterAll(async () => {
  await way?.close();
  await storage?.stop();
  await database?.close();
});

/** What each method says when it meets a fault. */
const everyMethod = (of: typeof files, name: string) => ({
  upload: () => of.upload(`${ann.id}/${name}`, 'new'),
  update: () => of.update(there, 'new'),
  download: () => of.download(there),
  asStream: () => of.download(there).asStream(),
  list: () => of.list(ann.id),
  info: () => of.info(there),
  move: () => of.move(there, `${ann.id}/${name}`),
  copy: () => of.copy(there, `${ann.id}/${name}`),
  remove: () => of.remove([there]),
  createSignedUrl: () => of.createSignedUrl(there, 60),
  createSignedUrls: () => of.createSignedUrls([there], 60),
  createSignedUploadUrl: () => of.createSignedUploadUrl(`${ann.id}/${name}`),
});

/** Waits until what is stored is `there`: the server may not have noticed yet that a request was cut. */
const onlyOneFile = () => expect.poll(storage.countFiles).toBe(1);
const namesOf = async () => (await filesAt(storage.url).list(ann.id)).data?.map(({ name }) => name);

it.each<[string, Fault | undefined, object]>([
  ['is down', undefined, { name: 'StorageUnknownError', message: 'fetch failed' }],
  ['cuts every connection', 'cut', { name: 'StorageUnknownError', message: 'fetch failed' }],
  ['is busy', 'busy', { name: 'StorageApiError', status: 503, statusCode: '503', message: 'Service Unavailable' }],
])('a server that %s: every method says so and tries once; nothing is changed', async (_what, fault, error) => {
  for (const [method, call] of Object.entries(everyMethod(fault ? files : filesAt(NOWHERE), 'never.csv'))) {
    if (fault) way.faults.push(fault);
    expect((await call()).error, method).toMatchObject(error);
  }
  if (fault) way.faults.push(fault);
  await expect((fault ? files : filesAt(NOWHERE)).exists(there)).rejects.toMatchObject(error);
  expect(way.askedAt).toHaveLength(fault ? Object.keys(everyMethod(files, '')).length + 1 : 0);
  expect(await namesOf()).toEqual(['there.csv']);
  await onlyOneFile();
});

it('a server that is slow is waited for, and given up when its caller wants to', async () => {
  way.faults.push('slow', 'silent');
  expect((await files.list(ann.id)).data).toHaveLength(1);
  const stop = new AbortController();
  const waiting = files.list(ann.id, {}, { signal: stop.signal });
  await expect.poll(() => way.askedAt.length).toBe(2);
  stop.abort();
  expect((await waiting).error).toMatchObject({ name: 'StorageUnknownError', message: /abort/ });
});

it.each([
  ['bytes', LARGE],
  ['a form', new Blob([LARGE])],
])(
  'an upload of %s that is cut in the middle leaves no file and no row, and nothing that it was to replace',
  async (_form, body) => {
    way.faults.push('cut upload', 'cut upload');
    expect((await files.upload(`${ann.id}/cut.csv`, body)).error).toMatchObject({ name: 'StorageUnknownError' });
    expect((await files.update(there, body)).error).toMatchObject({ name: 'StorageUnknownError' });
    await onlyOneFile();
    expect(await namesOf()).toEqual(['there.csv']);
    expect(await (await files.download(there)).data?.text()).toBe(LARGE);
    expect(storage.failures).toEqual([]);
  },
);

it('a download that is cut in the middle is never taken for the whole', async () => {
  way.faults.push('cut download', 'cut download');
  // The client promises no error in its answer for that: it throws what the connection does.
  await expect(files.download(there)).rejects.toThrow('terminated');
  const { data } = await files.download(there).asStream();
  await expect(new Response(data).text()).rejects.toThrow('terminated');
  expect(await (await files.download(there)).data?.text()).toBe(LARGE);
  expect(storage.failures).toEqual([]);
});

it('a database that goes in the middle of an upload: 503, and what was written waits for the sweep', async () => {
  await onlyOneFile();
  let go = () => {};
  const halfway = new Promise<void>((resolve) => {
    go = resolve;
  });
  const body = new ReadableStream<Uint8Array>({
    async start(stream) {
      stream.enqueue(Buffer.from(LARGE));
      await halfway;
      stream.close();
    },
  });
  const sending = files.upload(`${ann.id}/lost.csv`, body);
  await expect.poll(storage.countFiles).toBe(2);
  await database.cut();
  go();
  expect((await sending).error).toMatchObject({ status: 503, code: 'DatabaseError' });
  for (const [method, call] of Object.entries(everyMethod(files, 'never.csv')))
    expect((await call()).error, method).toMatchObject({ status: 503 });
  await database.restore();
  await expect.poll(namesOf).toEqual(['there.csv']);
  await sweepFiles(storage.pool, storage.files, -1);
  await sweepFiles(storage.pool, storage.files, -1);
  await onlyOneFile();
});

it('a disk that cannot be used: 500, told to the log, and no object is said to be gone or there', async () => {
  const disk = join(storage.folder, 'storage');
  await rename(disk, `${disk}.away`);
  await writeFile(disk, '');
  for (const answer of [files.upload(`${ann.id}/never.csv`, 'x'), files.update(there, 'x'), files.download(there)])
    expect((await answer).error).toMatchObject({
      status: 500,
      code: 'InternalError',
      message: 'Internal server error',
    });
  expect(storage.failures).toHaveLength(3);
  await rm(disk);
  await rename(`${disk}.away`, disk);
  expect(await namesOf()).toEqual(['there.csv']);
  expect(await (await files.download(there)).data?.text()).toBe(LARGE);
});
