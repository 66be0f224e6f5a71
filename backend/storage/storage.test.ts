import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '#test/databases/database.ts';
import { type Person, type Storage, startStorage } from './testing/harness.ts';

let storage: Storage;
let ann: Person;
let ben: Person;

beforeAll(async () => {
  storage = await startStorage(await freshDatabase());
  // As a product would: a bucket in which everyone has a folder.
  expect((await storage.service.createBucket('files')).error).toBeNull();
  await storage.pool.query(`
    create policy own_folder on storage.objects to authenticated
      using (bucket_id = 'files' and (storage.foldername(name))[1] = auth.uid()::text)
      with check (bucket_id = 'files' and (storage.foldername(name))[1] = auth.uid()::text)`);
  [ann, ben] = [await storage.person('ann'), await storage.person('ben')];
});
afterAll(() => storage.stop());

const files = (person: Person) => person.storage.from('files');
const textOf = async (person: Person, path: string) => (await files(person).download(path)).data?.text();

describe('buckets', () => {
  it('are made, changed, emptied and removed with the secret key', async () => {
    const { service } = storage;
    const options = { public: true, fileSizeLimit: '20KB', allowedMimeTypes: ['text/*'] };
    expect((await service.createBucket('made', options)).data).toEqual({ name: 'made' });
    expect((await service.getBucket('made')).data).toMatchObject({
      id: 'made',
      name: 'made',
      public: true,
      file_size_limit: 20_000,
      allowed_mime_types: ['text/*'],
    });
    await service.updateBucket('made', { public: false, fileSizeLimit: null });
    expect((await service.getBucket('made')).data).toMatchObject({ public: false, file_size_limit: null });
    expect((await service.listBuckets({ search: 'MAD', limit: 5 })).data).toHaveLength(1);
    await service.from('made').upload('a.txt', 'a');
    expect((await service.deleteBucket('made')).error).toMatchObject({ statusCode: '409', status: 400 });
    expect((await service.emptyBucket('made')).data).toEqual({
      message: 'Empty bucket has been queued. Completion may take up to an hour.',
    });
    expect((await service.from('made').list()).data).toEqual([]);
    expect((await service.deleteBucket('made')).data).toEqual({ message: 'Successfully deleted' });
    expect((await service.getBucket('made')).error).toMatchObject({ statusCode: '404', code: 'NoSuchBucket' });
  });

  it.each([
    ['1.5MB', 1_500_000],
    ['20kb', 20_000],
    ['0.25GB', 250_000_000],
    ['1.0006KB', 1_001],
    ['7B', 7],
    [512, 512],
    [null, null],
  ])('take files of up to %s', async (fileSizeLimit, file_size_limit) => {
    const { service } = storage;
    expect((await service.createBucket('sized', { public: false, fileSizeLimit })).error).toBeNull();
    expect((await service.getBucket('sized')).data).toMatchObject({ file_size_limit });
    await service.deleteBucket('sized');
  });

  it.each(['5', '1.5 MB', '-1KB', '1.MB', 'KB', '1e3B', ''])('take no files of up to “%s”', async (fileSizeLimit) => {
    const { error } = await storage.service.createBucket('sized', { public: false, fileSizeLimit });
    expect(error).toMatchObject({
      code: 'InvalidRequest',
      statusCode: '400',
      message: 'Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B',
    });
  });

  it('belong to the person who made them, and to no one with the secret key', async () => {
    await storage.pool.query(`
      create policy own on storage.buckets to authenticated using (owner = auth.uid()) with check (owner = auth.uid())`);
    expect((await ann.storage.createBucket('hers')).data).toEqual({ name: 'hers' });
    expect((await ann.storage.getBucket('hers')).data).toMatchObject({ owner: ann.id });
    expect((await ann.storage.listBuckets()).data).toMatchObject([{ id: 'hers', owner: ann.id, type: 'STANDARD' }]);
    await storage.pool.query(`insert into storage.buckets (id, name, owner) values ('old', 'old', $1)`, [ann.id]);
    expect((await ann.storage.getBucket('old')).data?.owner).toBe(ann.id);
    expect((await storage.service.getBucket('files')).data?.owner).toBe('');
    await storage.pool.query(
      `delete from storage.buckets where id in ('hers', 'old'); drop policy own on storage.buckets`,
    );
  });

  it('are refused where they cannot be', async () => {
    const { service } = storage;
    expect((await service.createBucket('files')).error).toMatchObject({ statusCode: '409', message: /already exists/ });
    expect((await service.createBucket('a/b')).error).toMatchObject({ code: 'InvalidBucketName' });
    expect((await service.createBucket('x', { public: true, fileSizeLimit: 'much' })).error?.message).toContain('20MB');
    expect((await service.updateBucket('none', { public: true })).error).toMatchObject({ statusCode: '404' });
    expect((await service.emptyBucket('none')).error).toMatchObject({ statusCode: '404' });
    expect((await service.deleteBucket('none')).error).toMatchObject({ statusCode: '404' });
  });

  it('are no one else’s to see or change', async () => {
    for (const who of [ann.storage, storage.anon]) {
      expect((await who.listBuckets()).data).toEqual([]);
      expect((await who.getBucket('files')).error).toMatchObject({ statusCode: '404' });
      expect((await who.createBucket('mine')).error).toMatchObject({ statusCode: '403', code: 'AccessDenied' });
      expect((await who.updateBucket('files', { public: true })).error).toMatchObject({ statusCode: '404' });
      expect((await who.deleteBucket('files')).error).toMatchObject({ statusCode: '404' });
    }
  });
});

describe('objects', () => {
  it('are uploaded in every form, and come back as they were', async () => {
    const bodies = ['text', new Blob(['text'], { type: 'text/csv' }), Buffer.from('text'), new Blob(['text']).stream()];
    for (const [at, body] of bodies.entries()) {
      const path = `${ann.id}/forms/${at}.csv`;
      const { data, error } = await files(ann).upload(path, body, { contentType: 'text/csv', metadata: { rows: 3 } });
      expect(error).toBeNull();
      expect(data).toEqual({ path, fullPath: `files/${path}`, id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
      expect(await textOf(ann, path)).toBe('text');
      expect((await files(ann).info(path)).data).toMatchObject({
        name: path,
        bucketId: 'files',
        size: 4,
        contentType: 'text/csv',
        cacheControl: 'max-age=3600',
        metadata: { rows: 3 },
        etag: '"1cb251ec0d568de6a929b520c4aed8d1"',
      });
    }
  });

  it('are replaced only when that is asked for', async () => {
    const path = `${ann.id}/once.txt`;
    expect((await files(ann).update(path, 'none')).error).toMatchObject({ code: 'NoSuchKey', statusCode: '404' });
    await files(ann).upload(path, 'first');
    expect((await files(ann).upload(path, 'second')).error).toMatchObject({ statusCode: '409', status: 400 });
    expect(await textOf(ann, path)).toBe('first');
    expect((await files(ann).update(path, 'second')).error).toBeNull();
    expect(await textOf(ann, path)).toBe('second');
    expect((await files(ann).upload(path, 'third', { upsert: true, cacheControl: '60' })).error).toBeNull();
    expect(await textOf(ann, path)).toBe('third');
    expect((await files(ann).info(path)).data).toMatchObject({ cacheControl: 'max-age=60' });
  });

  it('exist or do not', async () => {
    const path = `${ann.id}/there.txt`;
    await files(ann).upload(path, '');
    expect(await textOf(ann, path)).toBe('');
    expect((await files(ann).exists(path)).data).toBe(true);
    expect((await files(ann).exists(`${path}x`)).data).toBe(false);
    expect((await files(ann).download(`${path}x`)).error).toMatchObject({ message: 'Object not found' });
  });

  it('are moved, copied and removed', async () => {
    const at = (name: string) => `${ann.id}/moves/${name}`;
    await files(ann).upload(at('a'), 'bytes');
    expect((await files(ann).copy(at('a'), at('b'))).data).toEqual({ path: `files/${at('b')}` });
    expect((await files(ann).move(at('a'), at('c'))).data).toMatchObject({ message: 'Successfully moved' });
    expect((await files(ann).copy(at('b'), at('c'))).error).toMatchObject({ statusCode: '409' });
    expect((await files(ann).move(at('a'), at('d'))).error).toMatchObject({ code: 'NoSuchKey' });
    expect((await files(ann).move(at('b'), at('c'))).error).toMatchObject({ statusCode: '409' });
    const { data } = await files(ann).remove([at('b'), at('none')]);
    expect(data).toMatchObject([{ name: at('b'), bucket_id: 'files' }]);
    expect(await textOf(ann, at('c'))).toBe('bytes');
  });

  it('are listed by folder, a hundred at a time and by name', async () => {
    const base = `${ann.id}/listed`;
    await storage.pool.query(
      `insert into storage.objects (bucket_id, name, version, metadata)
       select 'files', $1 || lpad(i::text, 3, '0') || '.txt', 'none', '{"size": 1}' from generate_series(1, 120) as i`,
      [`${base}/`],
    );
    for (const name of ['sub/one', 'sub/two', 'Top']) await files(ann).upload(`${base}/${name}`, 'x');
    const { data } = await files(ann).list(base);
    expect(data).toHaveLength(100);
    expect(data?.[0]).toMatchObject({ name: '001.txt', metadata: { size: 1 }, id: expect.any(String) });
    const rest = (await files(ann).list(base, { offset: 100 })).data;
    expect(rest?.map(({ name }) => name).slice(-2)).toEqual(['Top', 'sub']);
    expect(rest?.at(-1)).toEqual({
      name: 'sub',
      id: null,
      updated_at: null,
      created_at: null,
      last_accessed_at: null,
      metadata: null,
    });
    const found = await files(ann).list(base, { search: '11', sortBy: { column: 'name', order: 'desc' }, limit: 2 });
    expect(found.data?.map(({ name }) => name)).toEqual(['119.txt', '118.txt']);
    expect((await files(ann).list(`${base}/sub/`)).data).toHaveLength(2);
    expect((await files(ann).list('nowhere')).data).toEqual([]);
  });

  it('are answered in ranges, and not again where nothing changed', async () => {
    const path = `${ann.id}/range.txt`;
    await files(ann).upload(path, '0123456789');
    const get = (headers: Record<string, string>, method = 'GET') =>
      fetch(`${storage.url}/storage/v1/object/files/${path}`, {
        method,
        headers: { Authorization: `Bearer ${ann.token}`, ...headers },
      });
    for (const [range, text] of [
      ['2-4', '234'],
      ['7-', '789'],
      ['-2', '89'],
      ['8-99', '89'],
    ]) {
      const part = await get({ Range: `bytes=${range}` });
      expect([part.status, await part.text()]).toEqual([206, text]);
    }
    expect((await get({ Range: 'bytes=2-4' })).headers.get('content-range')).toBe('bytes 2-4/10');
    const other = await get({ Range: 'bytes=2-4', 'If-Range': '"other"' });
    expect([other.status, await other.text()]).toEqual([200, '0123456789']);
    const none = await get({ Range: 'bytes=10-' });
    expect([none.status, await none.json()]).toEqual([416, expect.objectContaining({ code: 'InvalidRange' })]);
    const whole = await get({}, 'HEAD');
    expect([whole.status, whole.headers.get('content-length')]).toEqual([200, '10']);
    expect((await get({ 'If-None-Match': whole.headers.get('etag') ?? '' })).status).toBe(304);
  });
});

describe('limits of a bucket', () => {
  it('hold for forms, bytes and streams, and leave nothing behind', async () => {
    await storage.service.createBucket('small', { public: false, fileSizeLimit: 10, allowedMimeTypes: ['text/csv'] });
    const small = storage.service.from('small');
    const before = await storage.countFiles();
    const large = 'x'.repeat(11);
    for (const body of [large, new Blob([large], { type: 'text/csv' }), new Blob([large]).stream()]) {
      const { error } = await small.upload('a.csv', body, { contentType: 'text/csv' });
      expect(error).toMatchObject({ statusCode: '413', code: 'EntityTooLarge' });
    }
    expect((await small.upload('a.html', 'x', { contentType: 'text/html' })).error).toMatchObject({
      statusCode: '415',
    });
    await storage.service.from('files').upload('top.txt', 'x', { contentType: 'text/plain' });
    const move = await storage.service.from('files').move('top.txt', 'a.csv', { destinationBucket: 'small' });
    expect(move.error).toMatchObject({ statusCode: '415' });
    expect((await small.upload('a.csv', 'x'.repeat(10), { contentType: 'text/csv; charset=utf-8' })).error).toBeNull();
    expect(await storage.countFiles()).toBe(before + 2);
  });
});

describe('signed addresses', () => {
  it('open what the signer may read, for as long as they say', async () => {
    const path = `${ann.id}/signed file.txt`;
    await files(ann).upload(path, 'signed');
    const { data } = await files(ann).createSignedUrl(path, 60, { download: 'my file.txt' });
    const answer = await fetch(data?.signedUrl ?? '');
    expect([answer.status, await answer.text()]).toEqual([200, 'signed']);
    expect(answer.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''my%20file.txt");
    const many = await files(ann).createSignedUrls([path, `${ann.id}/none`], 60);
    expect(many.data).toMatchObject([
      { path, error: null },
      { signedUrl: null, error: expect.any(String) },
    ]);
    expect(await (await fetch(many.data?.[0]?.signedUrl ?? '')).text()).toBe('signed');
    expect((await files(ben).createSignedUrl(path, 60)).error).toMatchObject({ code: 'NoSuchKey' });
    expect((await files(ann).createSignedUrl(path, 0)).error).toMatchObject({ statusCode: '400' });
  });

  it('take an upload, once unless it may replace', async () => {
    const path = `${ann.id}/by-address.txt`;
    const { data } = await files(ann).createSignedUploadUrl(path);
    const token = data?.token ?? '';
    expect((await storage.anon.from('files').uploadToSignedUrl(path, token, 'first')).error).toBeNull();
    expect(await textOf(ann, path)).toBe('first');
    const again = await storage.anon.from('files').uploadToSignedUrl(path, token, 'second');
    expect(again.error).toMatchObject({ statusCode: '409' });
    expect((await files(ann).createSignedUploadUrl(path)).error).toMatchObject({ statusCode: '409' });
    const replacing = await files(ann).createSignedUploadUrl(path, { upsert: true });
    await storage.anon.from('files').uploadToSignedUrl(path, replacing.data?.token ?? '', new Blob(['third']));
    expect(await textOf(ann, path)).toBe('third');
    expect((await files(ben).createSignedUploadUrl(path)).error).toMatchObject({ code: 'AccessDenied' });
  });
});

describe('a public bucket', () => {
  it('is open to everyone, and a private one is not', async () => {
    await storage.service.createBucket('open', { public: true });
    await storage.service.from('open').upload('folder/a b.txt', 'open', { contentType: 'text/plain' });
    const { publicUrl } = storage.anon.from('open').getPublicUrl('folder/a b.txt').data;
    const answer = await fetch(publicUrl);
    expect([answer.status, await answer.text()]).toEqual([200, 'open']);
    expect(answer.headers.get('cache-control')).toBe('max-age=3600');
    await files(ann).upload(`${ann.id}/private.txt`, 'private');
    const other = await fetch(files(ann).getPublicUrl(`${ann.id}/private.txt`).data.publicUrl);
    expect([other.status, await other.json()]).toMatchObject([400, { statusCode: '404', code: 'NoSuchBucket' }]);
    expect((await storage.anon.from('open').upload('mine', 'x')).error).toMatchObject({ code: 'AccessDenied' });
  });
});

it('bytes come as a stream too, and what is asked for in headers is', async () => {
  const path = `${ann.id}/stream.txt`;
  const metadata = { note: files(ann).toBase64('ä') };
  await files(ann).upload(path, 'streamed', { metadata });
  const { data } = await files(ann).download(path).asStream();
  expect(await new Response(data).text()).toBe('streamed');
  expect((await files(ann).download(`${path}x`).asStream()).error).toMatchObject({ message: 'Object not found' });
  expect((await files(ann).info(path)).data).toMatchObject({ metadata: { note: 'w6Q=' } });
  const part = await files(ann).setHeader('Range', 'bytes=0-2').download(path);
  expect(await part.data?.text()).toBe('str');
  await expect(files(ann).throwOnError().download(`${path}x`)).rejects.toMatchObject({ code: 'NoSuchKey' });
});

const codes = async (asked: Promise<{ error: unknown }>[]) =>
  (await Promise.all(asked)).map(({ error }) => {
    const { status, statusCode, code } = error as { status: number; statusCode: string; code: string };
    return [status, statusCode, code];
  });

it('what hosted projects have switched off is off', async () => {
  const { analytics, vectors } = storage.service;
  const bucket = vectors.from('files');
  const index = bucket.index('index').setHeader('x-test', '1');
  const made = { indexName: 'index', dataType: 'float32', dimension: 1, distanceMetric: 'cosine' };
  const vector = { key: 'a', data: { float32: [1] } };
  const asked = [
    storage.service.purgeBucketCache('files'),
    storage.service.from('files').purgeCache('a.png'),
    files(ann).download('a.png', { transform: { width: 10 } }),
    ...[vectors.createBucket('x'), vectors.getBucket('x'), vectors.listBuckets(), vectors.deleteBucket('x')],
    ...[bucket.createIndex(made), bucket.getIndex('x'), bucket.listIndexes(), bucket.deleteIndex('x')],
    ...[index.putVectors({ vectors: [vector] }), index.getVectors({ keys: ['a'] }), index.listVectors()],
    ...[index.queryVectors({ queryVector: vector.data, topK: 1 }), index.deleteVectors({ keys: ['a'] })],
    ...[analytics.createBucket('x'), analytics.listBuckets(), analytics.deleteBucket('x')],
  ];
  expect(await codes(asked)).toEqual(asked.map(() => [403, '403', 'FeatureNotEnabled']));
  expect((await analytics.from('x').listNamespaces()).error).toMatchObject({ status: 403 });
  await expect(vectors.throwOnError().listBuckets()).rejects.toMatchObject({ code: 'FeatureNotEnabled' });
});

it('what is not offered is said', async () => {
  const { service } = storage;
  const asked = [
    service.getBucketLifecycle('files'),
    service.deleteBucketLifecycle('files'),
    service.updateBucketLifecycle('files', { rules: [] }),
  ];
  expect(await codes(asked)).toEqual(asked.map(() => [400, '404', 'NotFound']));
});
