import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { eraseContactEndpoint } from '#contract/calling/suppression-sources.ts';
import {
  addSuppressionEndpoint,
  importSuppressionsEndpoint,
  listSuppressionsEndpoint,
  removeSuppressionEndpoint,
} from '#contract/calling/suppressions.ts';
import { forgetExpired } from '#server/features/retention/forget-expired.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let admin: TestUser;
let user: TestUser;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  [admin, user] = await Promise.all([product.admin(), product.user()]);
});

const FIRST = '2026-11-02T15:00:00.000Z';
const add = (value: string) => user.call(addSuppressionEndpoint, { kind: 'phone', value });
const entryOf = async (q: string) => (await user.call(listSuppressionsEndpoint, undefined, { q })).items[0];
/** An entry of three weeks ago, removed since. */
async function removeOld(value: string): Promise<void> {
  const { suppression } = await add(value);
  await sql`update app.suppressions set added_at = ${FIRST} where id = ${suppression.id}`.execute(product.db);
  await admin.call(removeSuppressionEndpoint, { reason: 'a mistake' }, { id: suppression.id });
}

test('an entry that was removed and is added again counts from its first request, also out of a file and after a second time', async () => {
  await removeOld('415 555 0171');
  await add('(415) 555-0171');
  expect(await entryOf('4155550171')).toMatchObject({ askedAt: FIRST });
  const again = await entryOf('4155550171');
  await admin.call(removeSuppressionEndpoint, { reason: 'again' }, { id: again?.id ?? '' });
  await user.call(importSuppressionsEndpoint, { csv: 'phone\n415.555.0171\n415-555-0172\n' });
  expect(await entryOf('4155550171')).toMatchObject({ askedAt: FIRST, source: 'file' });
  expect(await entryOf('4155550172')).not.toHaveProperty('askedAt');
});

test('what is left of a removed entry goes with an erasure, and after five years', async () => {
  await removeOld('415 555 0173');
  await removeOld('415 555 0174');
  const left = async () => {
    const { rows } = await sql<{ left: number }>`
      select count(*)::integer as left from app.removed_suppressions
      where hash = any(app.contact_hashes(array['phone:+14155550173', 'phone:+14155550174']))
    `.execute(product.db);
    return rows[0]?.left;
  };
  expect(await left()).toBe(2);
  await admin.call(eraseContactEndpoint, { kind: 'phone', value: '415 555 0173' });
  expect(await left()).toBe(1);
  await sql`update app.removed_suppressions set removed_at = now() - interval '5 years 2 days'`.execute(product.db);
  await forgetExpired(product.db, new AbortController().signal);
  expect(await left()).toBe(0);
});
