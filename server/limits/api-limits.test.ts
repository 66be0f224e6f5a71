import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { listKeysEndpoint } from '#contract/account/api-keys.ts';
import { checkComplianceEndpoint } from '#contract/work/compliance.ts';
import { previewExportEndpoint } from '#contract/work/exports/exports.ts';
import { listRunsEndpoint } from '#contract/work/runs.ts';
import { searchLeadsEndpoint } from '#contract/work/search/search.ts';
import { startProduct } from '#test/product.ts';
import { API_LIMITS, limitOf } from './api-limits.ts';

const product = await startProduct({ worker: false });
afterEach(() => product.db.deleteFrom('app.rate_limits').execute());

/** As if the counter of the only window there is had come this far. Windows are fixed: a test may see two. */
const countTo = (hits: number) => sql`update app.rate_limits set hits = ${hits}`.execute(product.db);

test('a user who reads too often is told when to come back, and others are not disturbed', async () => {
  const [ann, other] = [await product.user('ann'), await product.user('other')];
  await ann.call(listRunsEndpoint);
  await countTo(API_LIMITS.reads.hits + 1);
  const refused = await ann.get(listKeysEndpoint.path);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({
    success: false,
    error: 'RATE_LIMITED',
    message: expect.stringMatching(/^Too many attempts. Please try again in \d+ seconds?\.$/),
    requestId: expect.any(String),
  });
  await other.call(listRunsEndpoint);
});

test('refused requests are counted too, of all processes together, and nothing personal is kept', async () => {
  const ann = await product.user('ann');
  const second = (await product.process({ worker: false, url: product.url })).as(ann);
  await ann.call(listRunsEndpoint);
  await countTo(API_LIMITS.reads.hits + 1);
  await expect(second.call(listRunsEndpoint)).rejects.toMatchObject({ status: 429 });
  await expect(ann.call(listRunsEndpoint)).rejects.toMatchObject({ status: 429 });
  const rows = await product.db.selectFrom('app.rate_limits').selectAll().execute();
  expect(rows.map((row) => row.hits)).toEqual([API_LIMITS.reads.hits + 3]);
  expect(rows[0]?.bucket).not.toContain(ann.id);
});

test('what an export would hold counts as a download: it reads as much', () => {
  expect(limitOf(previewExportEndpoint)).toBe(API_LIMITS.downloads);
});

test('what is paid for has a limit of its own', async () => {
  const ann = await product.user('ann');
  expect(limitOf(searchLeadsEndpoint)).toBe(API_LIMITS.paid);
  const check = () => ann.call(checkComplianceEndpoint, { list_id: '4f0c9c2e-30a8-4a1c-9d5d-0d8e8f3f1a11' });
  await expect(check()).rejects.toMatchObject({ status: 404 });
  await countTo(API_LIMITS.paid.hits + 1);
  await expect(check()).rejects.toMatchObject({ status: 429 });
  await ann.call(listRunsEndpoint);
});
