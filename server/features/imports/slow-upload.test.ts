import { request } from 'node:http';
import { sql } from 'kysely';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { listImportsEndpoint } from '#contract/imports/imports.ts';
import { uploadFile } from '#test/imports.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';
import { spreadsheet } from '#test/spreadsheet.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct({ worker: false });
});
afterEach(() => void vi.useRealTimers());

/** Sends a file in two pieces, the second one when asked to. */
async function sendSlowly(user: TestUser, bytes: Uint8Array<ArrayBuffer>) {
  const body = new TransformStream<Uint8Array, Uint8Array>();
  const writer = body.writable.getWriter();
  const answer = product.request('/api/imports?name=slow', {
    method: 'POST',
    headers: { authorization: await user.authorization(), 'content-type': 'application/octet-stream' },
    body: body.readable,
    duplex: 'half',
  });
  const half = Math.floor(bytes.length / 2);
  await writer.write(bytes.subarray(0, half));
  // Its first sign of life comes at once.
  await vi.waitUntil(async () => (await readings(user))[0]?.wasTouched);
  return {
    answer,
    async end() {
      await writer.write(bytes.subarray(half));
      await writer.close();
    },
  };
}

const readings = (user: TestUser) =>
  product.db
    .selectFrom('app.imports')

    .select([
      sql<boolean>`touched_at > created_at`.as('wasTouched'),
      sql<boolean>`touched_at > now() - interval '1 minute'`.as('isFresh'),
    ])
    .where('user_id', '=', user.id)
    .where('state', '=', 'reading')
    .execute();

/** As if nothing had come for so long. */
const standStill = (user: TestUser) =>
  sql`update app.imports set touched_at = now() - interval '3 minutes' where user_id = ${user.id}`.execute(product.db);

const TEXT = new TextEncoder().encode('Company,Phone\nOak,217-555-0147\nElm,217-555-0148\n');

test.each([
  ['a text', TEXT],
  [
    'a spreadsheet',
    spreadsheet([
      ['Company', 'Phone'],
      ['Oak', '217-555-0147'],
      ['Elm', '217-555-0148'],
    ]),
  ],
])('%s that comes slowly is not given up for a second file', async (_what, bytes) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const user = await product.user();
  const slow = await sendSlowly(user, bytes);
  await standStill(user);
  vi.advanceTimersByTime(30_000);
  await vi.waitUntil(async () => (await readings(user))[0]?.isFresh, { timeout: 2_000 }).catch(() => undefined);
  await expect(uploadFile(product, user, 'name\nOther\n')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  await slow.end();
  expect((await slow.answer).status).toBe(200);
  expect((await user.call(listImportsEndpoint)).imports).toMatchObject([{ name: 'slow', rows: 2 }]);
});

test('one whose process was killed stands in no one’s way for longer than 15 seconds', async () => {
  const user = await product.user();
  const touched = (seconds: number) => ({ touched_at: new Date(Date.now() - seconds * 1000) });
  const killed = { user_id: user.id, name: 'killed', ...touched(10) };
  await product.db.insertInto('app.imports').values(killed).execute();
  await expect(uploadFile(product, user, 'name\nOther\n')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  await product.db.updateTable('app.imports').set(touched(16)).where('user_id', '=', user.id).execute();
  await uploadFile(product, user, 'name\nOther\n');
  expect((await user.call(listImportsEndpoint)).imports).toMatchObject([{ name: 'list.csv' }]);
});

test('one whose process was dead to the others is refused in words when it goes on', async () => {
  const user = await product.user();
  const slow = await sendSlowly(user, TEXT);
  await standStill(user);
  await uploadFile(product, user, 'name\nOther\n');
  await slow.end();
  const answer = await slow.answer;
  expect(answer.status).toBe(409);
  expect(await answer.json()).toMatchObject({ message: expect.stringContaining('Choose the file again') });
  expect((await user.call(listImportsEndpoint)).imports).toMatchObject([{ name: 'list.csv', rows: 1 }]);
});

test('one of which nothing more comes is given up, and stands in the way of no other', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const user = await product.user();
  const slow = await sendSlowly(user, TEXT);
  vi.advanceTimersByTime(30_000);
  await expect(uploadFile(product, user, 'name\nOther\n')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  vi.advanceTimersByTime(30_000);
  await vi.waitUntil(async () => (await readings(user)).length === 0, { timeout: 2_000 }).catch(() => undefined);
  await uploadFile(product, user, 'name\nOther\n');
  const answer = await slow.answer;
  expect(answer.status).toBe(409);
  expect(await answer.json()).toMatchObject({ message: expect.stringContaining('Choose the file again') });
});

test('a connection that breaks ends its upload at once', async () => {
  const site = await product.serve();
  const user = await product.user();
  const headers = { authorization: await user.authorization(), 'content-type': 'text/csv', 'content-length': '1000' };
  const sending = request(`${site}/api/imports?name=broken`, { method: 'POST', headers });
  sending.on('error', () => undefined);
  sending.write(TEXT);
  await vi.waitUntil(async () => (await readings(user)).length === 1);
  sending.destroy();
  await vi.waitUntil(async () => (await readings(user)).length === 0);
  await uploadFile(product, user, 'name\nOther\n');
});
