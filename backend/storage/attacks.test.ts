import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { decodeJwt, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createVault } from '#db/sealed/vault.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { holdWindows } from '#test/databases/hold-windows.ts';
import { sign } from './objects/signatures.ts';
import { sweepFiles } from './sweep-files.ts';
import { type Person, PUBLISHABLE_KEY, type Storage, startStorage, VAULT } from './testing/harness.ts';

let storage: Storage;
let alice: Person;
let mallory: Person;
let secret: string;

beforeAll(async () => {
  const url = await freshDatabase();
  await holdWindows(url);
  storage = await startStorage(url);
  for (const [id, isPublic] of [
    ['files', false],
    ['open', true],
  ] as const)
    await storage.service.createBucket(id, { public: isPublic });
  await storage.pool.query(`
    create policy own_folder on storage.objects to authenticated
      using ((storage.foldername(name))[1] = auth.uid()::text)
      with check ((storage.foldername(name))[1] = auth.uid()::text)`);
  [alice, mallory] = [await storage.person('alice'), await storage.person('mallory')];
  secret = `${alice.id}/secret.txt`;
  await alice.storage.from('files').upload(secret, 'secret');
});
afterAll(() => storage.stop());

const raw = (path: string, init: RequestInit & { token?: string } = {}) => {
  const headers = new Headers({ apikey: PUBLISHABLE_KEY });
  if (init.token) headers.set('Authorization', `Bearer ${init.token}`);
  for (const [name, value] of Object.entries(init.headers ?? {})) headers.set(name, String(value));
  return fetch(`${storage.url}/storage/v1/${path}`, { ...init, headers });
};
const signedWith = (token: string, path = secret) => raw(`object/sign/files/${path}?token=${token}`);

it('no one reads, lists, changes, moves, signs or removes what is someone else’s', async () => {
  const mine = `${mallory.id}/mine.txt`;
  for (const who of [mallory.storage, storage.anon]) {
    const files = who.from('files');
    await mallory.storage.from('files').upload(mine, 'mine', { upsert: true });
    for (const attempt of [
      files.download(secret),
      files.info(secret),
      files.copy(secret, `${mallory.id}/stolen.txt`),
      files.copy(secret, `${mallory.id}/stolen.txt`, { destinationBucket: 'open' }),
      files.move(secret, `${mallory.id}/stolen.txt`),
      files.move(mine, secret),
      files.copy(mine, `${alice.id}/planted.txt`),
      files.createSignedUrl(secret, 60),
      files.createSignedUploadUrl(secret, { upsert: true }),
      files.createSignedUploadUrl(`${alice.id}/planted.txt`),
      files.upload(`${alice.id}/planted.txt`, 'x'),
      files.upload(secret, 'x', { upsert: true }),
      files.update(secret, 'x'),
      files.upload('planted.txt', 'x'),
    ])
      expect((await attempt).error, `${attempt}`).toMatchObject({ status: 400 });
    expect((await files.createSignedUrls([secret], 60)).data).toMatchObject([{ signedUrl: null }]);
    expect((await files.list(alice.id)).data).toEqual([]);
    for (const with_delimiter of [true, false])
      expect((await files.listV2({ prefix: alice.id, with_delimiter })).data).toMatchObject({
        objects: [],
        folders: [],
      });
    expect((await files.remove([secret])).data).toEqual([]);
    await who.emptyBucket('files');
  }
  expect(await (await alice.storage.from('files').download(secret)).data?.text()).toBe('secret');
  const { rows } = await storage.pool.query('select name from storage.objects where name like $1', [`${alice.id}/%`]);
  expect(rows).toEqual([{ name: secret }]);
});

it('who is disabled or signed out has nothing more', async () => {
  for (const change of [
    'update app.profiles set status = $$disabled$$ where user_id = $1',
    'delete from auth.sessions where user_id = $1',
  ]) {
    const gone = await storage.person(randomUUID());
    const path = `${gone.id}/a.txt`;
    await gone.storage.from('files').upload(path, 'a');
    await storage.pool.query(change, [gone.id]);
    expect((await gone.storage.from('files').download(path)).error).toMatchObject({ status: 400 });
    expect((await gone.storage.from('files').upload(`${path}x`, 'a')).error).toMatchObject({ code: 'AccessDenied' });
  }
  const { status } = await raw(`object/files/${secret}`, { token: 'no-such-token' });
  expect(status).toBe(400);
});

it.each([
  ['were disabled', 'update app.profiles set status = $$disabled$$ where user_id = $1'],
  ['were banned', 'update auth.users set banned_until = now() + interval $$1 hour$$ where id = $1'],
  ['signed out', 'delete from auth.sessions where user_id = $1'],
  ['were deleted', 'delete from auth.users where id = $1'],
])('addresses that someone signed end when they %s', async (_how, end) => {
  const leaver = await storage.person(randomUUID());
  const files = leaver.storage.from('files');
  const path = `${leaver.id}/a.txt`;
  await files.upload(path, 'a');
  const reading = (await files.createSignedUrl(path, 86_400)).data?.signedUrl ?? '';
  const many = (await files.createSignedUrls([path], 60)).data?.[0]?.signedUrl ?? '';
  const creating = (await files.createSignedUploadUrl(`${leaver.id}/new.txt`)).data?.token ?? '';
  const replacing = (await files.createSignedUploadUrl(path, { upsert: true })).data?.token ?? '';
  expect((await fetch(reading)).status).toBe(200);

  await storage.pool.query(end, [leaver.id]);
  for (const address of [reading, many]) {
    const answer = await fetch(address);
    expect([answer.status, await answer.text()]).toEqual([400, expect.not.stringMatching(/^a$/)]);
  }
  const anyone = storage.anon.from('files');
  expect((await anyone.uploadToSignedUrl(`${leaver.id}/new.txt`, creating, 'x')).error).not.toBeNull();
  expect((await anyone.uploadToSignedUrl(path, replacing, 'x')).error).not.toBeNull();
  const { rows } = await storage.pool.query('select metadata from storage.objects where name like $1', [
    `${leaver.id}/%`,
  ]);
  expect(rows).toMatchObject([{ metadata: { size: 1 } }]);
});

it('an address says nothing of its signer but ids, and reads what they may read now', async () => {
  const files = alice.storage.from('files');
  const signedUrl = (await files.createSignedUrl(secret, 60)).data?.signedUrl ?? '';
  const { by } = decodeJwt(new URL(signedUrl).searchParams.get('token') ?? '');
  expect(by).toEqual({ role: 'authenticated', sub: alice.id, session_id: expect.any(String) });
  await storage.pool.query('alter policy own_folder on storage.objects using (false)');
  const withoutPolicy = await fetch(signedUrl);
  await storage.pool.query(
    'alter policy own_folder on storage.objects using ((storage.foldername(name))[1] = auth.uid()::text)',
  );
  expect([withoutPolicy.status, (await fetch(signedUrl)).status]).toEqual([400, 200]);
});

it('no one signs for more than a day', async () => {
  const { error } = await alice.storage.from('files').createSignedUrl(secret, 86_401);
  expect(error).toMatchObject({ statusCode: '400' });
});

it.each([
  '..%2f..%2fsecrets.json',
  'a%2f..%2fb',
  '%2fetc%2fpasswd',
  'a%00b',
  'a%2f',
  '.',
  'a%5cb',
  'a%0d%0ab',
  'x%2f'.repeat(600),
])('the name %s is none', async (name) => {
  for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
    const body = method === 'GET' ? {} : { body: 'x' };
    const answer = await raw(`object/files/${alice.id}/${name}`, { method, token: alice.token, ...body });
    expect(answer.status, method).toBe(400);
  }
  const decoded = decodeURIComponent(name);
  const { error } = await alice.storage.from('files').copy(secret, `${alice.id}/${decoded}`);
  expect(error).toMatchObject({ code: 'InvalidKey' });
});

it('names on disk owe nothing to those of objects', () => {
  const names = readdirSync(storage.folder, { recursive: true }).map(String);
  expect(names.filter((name) => !/^storage(?:\/[0-9a-f]{2}(?:\/[0-9a-f]{2}[0-9a-f-]{34})?)?$/.test(name))).toEqual([]);
});

it('a signature opens one address, for one purpose, until its time', async () => {
  const address = { bucket: 'files', name: secret };
  const signer = { role: 'service_role' } as const;
  const minute = { seconds: 60, signer };
  const good = await sign(VAULT, 'read', address, minute);
  expect((await signedWith(good)).status).toBe(200);
  const key = Buffer.from(VAULT.fingerprint('storage address:read'), 'hex');
  const [header = '', payload = '', signature = ''] = good.split('.');
  const none = Buffer.from('{"alg":"none"}').toString('base64url');
  const other = Buffer.from(JSON.stringify({ ...decodeJwt(good), exp: 4e9 })).toString('base64url');
  const bad = {
    expired: await sign(VAULT, 'read', address, { seconds: -1, signer }),
    'for an upload': await sign(VAULT, 'upload', address, minute),
    'for another object': await sign(VAULT, 'read', { ...address, name: `${mallory.id}/mine.txt` }, minute),
    'for another bucket': await sign(VAULT, 'read', { ...address, bucket: 'open' }, minute),
    'of another server': await sign(createVault([Buffer.alloc(32, 9).toString('base64')]), 'read', address, minute),
    'without an end': await new SignJWT({ url: `files/${secret}` }).setProtectedHeader({ alg: 'HS256' }).sign(key),
    'for ten years': await sign(VAULT, 'read', address, { seconds: 10 * 365 * 86_400, signer }),
    'by no one': await new SignJWT({ url: `files/${secret}` })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(key),
    'with a longer time': [header, other, signature].join('.'),
    unsigned: `${none}.${payload}.`,
    nonsense: 'nonsense',
    empty: '',
  };
  for (const [what, token] of Object.entries(bad)) {
    const answer = await signedWith(token);
    expect([answer.status, await answer.text()], what).toEqual([
      400,
      expect.stringMatching(/InvalidJWT|InvalidSignature/),
    ]);
  }
  const upload = await raw(`object/upload/sign/files/${secret}?token=${good}`, { method: 'PUT', body: 'x' });
  expect(upload.status).toBe(400);
  expect((await raw(`object/public/files/${secret}`)).status).toBe(400);
});

it.each(['text/html', 'image/svg+xml', 'text/javascript', 'application/xhtml+xml', 'text/css', 'TEXT/HTML;a=b'])(
  '%s is given as a text to be saved, which no browser runs',
  async (type) => {
    const path = `${alice.id}/page`;
    const body = '<script>alert(1)</script>';
    await alice.storage.from('open').upload(path, body, { contentType: type, upsert: true });
    const answer = await fetch(storage.anon.from('open').getPublicUrl(path).data.publicUrl);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': 'attachment',
      'x-content-type-options': 'nosniff',
    });
    expect(await answer.text()).toBe(body);
  },
);

it('what a caller says ends up in no header but encoded', async () => {
  const { publicUrl } = storage.anon
    .from('open')
    .getPublicUrl(`${alice.id}/page`, { download: 'x"\r\nSet-Cookie: a=b' }).data;
  const answer = await fetch(publicUrl);
  expect(answer.headers.get('set-cookie')).toBeNull();
  const odd = await raw(`object/open/${alice.id}/odd`, {
    method: 'POST',
    token: alice.token,
    body: 'x',
    headers: { 'x-metadata': 'bm9uc2Vuc2U=' },
  });
  expect(odd.status).toBe(400);
});

it('files that no object has are swept once they are old, and the others stay', async () => {
  const [kept, gone] = [`${alice.id}/kept.txt`, `${alice.id}/gone.txt`];
  const files = alice.storage.from('files');
  for (const path of [kept, gone]) await files.upload(path, path);
  await files.copy(gone, `${gone}.copy`);
  await files.remove([gone]);
  await files.update(kept, 'new');
  expect(await sweepFiles(storage.pool, storage.files)).toBe(0);
  // However old a file is, a backup that has read its row finds it for a while.
  expect(await sweepFiles(storage.pool, storage.files, -1)).toBe(0);
  expect(await sweepFiles(storage.pool, storage.files)).toBe(0);
  expect(await sweepFiles(storage.pool, storage.files, -1)).toBeGreaterThan(0);
  expect(await sweepFiles(storage.pool, storage.files, -1)).toBe(0);
  expect(await (await files.download(kept)).data?.text()).toBe('new');
  expect(await (await files.download(`${gone}.copy`)).data?.text()).toBe(gone);
});

it('sixty uploads a minute are enough, also by a signed address', async () => {
  const busy = await storage.person('busy');
  const files = busy.storage.from('files');
  const { data } = await files.createSignedUploadUrl(`${busy.id}/signed`, { upsert: true });
  const send = () => raw(`object/files/${busy.id}/${randomUUID()}`, { method: 'POST', token: busy.token, body: 'x' });
  const statuses = await Promise.all(Array.from({ length: 61 }, async () => (await send()).status));
  expect(statuses.filter((status) => status === 429)).toHaveLength(2);
  const signed = await files.uploadToSignedUrl(`${busy.id}/signed`, data?.token ?? '', 'x');
  expect(signed.error).toMatchObject({ status: 429, code: 'SlowDown' });
});

it('text that PostgreSQL cannot hold is the caller’s mistake', async () => {
  const json = (method: string, path: string, body: object) =>
    raw(path, { method, token: alice.token, body: JSON.stringify(body) });
  const cursorAt = (cursor: object) => Buffer.from(JSON.stringify(cursor)).toString('base64url');
  const described = (metadata: string) =>
    raw(`object/files/${alice.id}/described`, {
      method: 'POST',
      token: alice.token,
      body: 'x',
      headers: { 'x-metadata': Buffer.from(metadata).toString('base64') },
    });
  for (const attempt of [
    json('DELETE', 'object/files', { prefixes: ['a\0'] }),
    json('POST', 'object/list/files', { prefix: 'a\0' }),
    json('POST', 'object/list/files', { search: 'a\0' }),
    json('POST', 'object/list-v2/files', { prefix: 'a\0' }),
    json('POST', 'object/list-v2/files', { cursor: cursorAt({ name: 'a\0', at: null }) }),
    json('POST', 'object/list-v2/files', { cursor: cursorAt({ name: 'a', at: '9999-99-99' }) }),
    json('POST', 'object/sign/files', { expiresIn: 60, paths: ['a\0'] }),
    raw('bucket?search=%00', { token: alice.token }),
    described('{"a":"\\u0000"}'),
    described('{"a":"\\ud800"}'),
    described('['.repeat(5_000) + ']'.repeat(5_000)),
  ])
    expect([(await attempt).status, await (await attempt).json()]).toEqual([
      400,
      expect.objectContaining({ code: 'InvalidRequest' }),
    ]);
});

it('an upload that breaks off leaves nothing, and is no failure of ours', async () => {
  const gone = await storage.person('gone');
  const before = await storage.countFiles();
  const stop = new AbortController();
  const body = new ReadableStream({ start: (stream) => stream.enqueue(Buffer.alloc(300_000)) });
  const path = `object/files/${gone.id}/broken`;
  const sending = raw(path, {
    method: 'POST',
    token: gone.token,
    body,
    signal: stop.signal,
    duplex: 'half' as const,
  }).catch(() => 'broken off');
  await expect.poll(storage.countFiles).toBe(before + 1);
  stop.abort();
  expect(await sending).toBe('broken off');
  await expect.poll(storage.countFiles).toBe(before);
  expect((await gone.storage.from('files').list(gone.id)).data).toEqual([]);
  expect(storage.failures).toEqual([]);
});
