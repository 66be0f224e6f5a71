import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, type Storage, startStorage } from '#backend/storage/testing/harness.ts';
import { EXPORTS_BUCKET, exportFolder, MAX_EXPORT_BYTES } from '#contract/work/exports/export-archive.ts';
import { type Connection, connect } from '#db/connection/client.ts';
import { assuming } from '#db/roles/server-role.ts';
import { fromOwnStorage } from '#server/exports/kept-exports.ts';
import { fromHostedStorage } from '#server/footing/hosted-storage.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { sweepExports } from './start-export-sweep.ts';

let storage: Storage;
let web: Connection;
let ann: Person;
let ben: Person;

beforeAll(async () => {
  const url = await freshDatabase();
  storage = await startStorage(url);
  web = connect(assuming(url, 'web'));
  [ann, ben] = [await storage.person('ann'), await storage.person('ben')];
});
afterAll(async () => {
  await web.db.destroy();
  await storage.stop();
});

const TYPE = { contentType: 'text/csv' };
const bucketOf = (person: Person) => person.storage.from(EXPORTS_BUCKET);
async function listOf(person: Person): Promise<string> {
  const { rows } = await storage.pool.query<{ id: string }>(
    `insert into public.lists (user_id, name) values ($1, 'Bakers') returning id`,
    [person.id],
  );
  return rows[0]?.id ?? '';
}

test('an export is kept beside its list, for its owner only, as it was', async () => {
  const list = await listOf(ann);
  const path = `${exportFolder(ann.id, list)}/a.csv`;
  expect((await bucketOf(ann).upload(path, new Blob(['a,b'], { type: 'text/csv;charset=utf-8' }))).error).toBeNull();
  expect(await (await bucketOf(ann).download(path)).data?.text()).toBe('a,b');
  expect((await bucketOf(ann).list(exportFolder(ann.id, list))).data).toMatchObject([{ name: 'a.csv' }]);
  expect((await bucketOf(ben).download(path)).error).toMatchObject({ code: 'NoSuchKey' });
  expect((await bucketOf(ben).list(exportFolder(ann.id, list))).data).toEqual([]);
  for (const changed of [
    bucketOf(ann).upload(path, 'x', { ...TYPE, upsert: true }),
    bucketOf(ann).update(path, 'x', TYPE),
    bucketOf(ann).move(path, `${path}2`),
  ])
    expect((await changed).error).not.toBeNull();
  expect((await bucketOf(ben).remove([path])).data).toEqual([]);
  expect((await bucketOf(ann).remove([path])).data).toHaveLength(1);
});

test('nothing else is kept', async () => {
  const [own, other] = [await listOf(ann), await listOf(ben)];
  for (const path of [
    `${exportFolder(ann.id, other)}/a.csv`,
    `${exportFolder(ben.id, own)}/a.csv`,
    `${exportFolder(ann.id, randomUUID())}/a.csv`,
    `${exportFolder(ann.id, own)}/deep/a.csv`,
    `${ann.id}/a.csv`,
    'a.csv',
  ])
    expect((await bucketOf(ann).upload(path, 'x', TYPE)).error, path).toMatchObject({ code: 'AccessDenied' });
  const path = `${exportFolder(ann.id, own)}/a.csv`;
  const large = 'x'.repeat(MAX_EXPORT_BYTES + 1);
  expect((await bucketOf(ann).upload(path, large, TYPE)).error).toMatchObject({ statusCode: '413' });
  expect((await bucketOf(ann).upload(path, 'x', { contentType: 'text/html' })).error).toMatchObject({
    statusCode: '415',
  });
});

test('a thousand files are enough', async () => {
  const cas = await storage.person('cas');
  const folder = exportFolder(cas.id, await listOf(cas));
  await storage.pool.query(
    `insert into storage.objects (bucket_id, name, version, metadata)
     select $1, $2 || '/' || i || '.csv', 'none', '{}' from generate_series(1, 999) as i`,
    [EXPORTS_BUCKET, folder],
  );
  expect((await bucketOf(cas).upload(`${folder}/a.csv`, 'x', TYPE)).error).toBeNull();
  expect((await bucketOf(cas).upload(`${folder}/b.csv`, 'x', TYPE)).error).toMatchObject({ code: 'AccessDenied' });
});

test.each(['own', 'hosted'])(
  'it goes with its list, at once for people and with the sweep for good (%s)',
  async (where) => {
    const [gone, kept] = [await listOf(ann), await listOf(ann)];
    const [lost, stays] = [`${exportFolder(ann.id, gone)}/a.csv`, `${exportFolder(ann.id, kept)}/a.csv`];
    for (const path of [lost, stays]) await bucketOf(ann).upload(path, 'x', TYPE);
    await storage.pool.query('delete from public.lists where id = $1', [gone]);
    expect((await bucketOf(ann).download(lost)).error).toMatchObject({ code: 'NoSuchKey' });
    const supabase = { url: storage.url, publishableKey: '', secretKey: storage.secretKey, jwtSecret: undefined };
    const remove = where === 'own' ? fromOwnStorage(web.db) : fromHostedStorage(supabase);
    expect(await sweepExports({ db: web.db, remove })).toBe(1);
    expect(await sweepExports({ db: web.db, remove })).toBe(0);
    expect((await storage.service.from(EXPORTS_BUCKET).exists(lost)).data).toBe(false);
    expect((await bucketOf(ann).exists(stays)).data).toBe(true);
  },
);

test('files of others cost no one any time', async () => {
  await storage.pool.query(
    `insert into storage.objects (bucket_id, name, version, metadata)
     select $1, gen_random_uuid() || '/' || gen_random_uuid() || '/' || i || '.csv', 'none', '{}' from generate_series(1, 3000) as i`,
    [EXPORTS_BUCKET],
  );
  await storage.pool.query('analyze storage.objects');
  const client = await storage.pool.connect();
  const claims = JSON.stringify({ sub: ann.id, role: 'authenticated' });
  await client.query(`begin; set local role authenticated; set local request.jwt.claims = '${claims}'`);
  for (const statement of [`select from storage.objects where bucket_id = 'exports'`, 'delete from storage.objects']) {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${statement}`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Index Cond: .*name >=/);
  }
  await client.query('rollback');
  client.release();
});

test('who is disabled has no exports', async () => {
  const dan = await storage.person('dan');
  const path = `${exportFolder(dan.id, await listOf(dan))}/a.csv`;
  await bucketOf(dan).upload(path, 'x', TYPE);
  await storage.pool.query(`update app.profiles set status = 'disabled' where user_id = $1`, [dan.id]);
  expect((await bucketOf(dan).download(path)).error).not.toBeNull();
});
