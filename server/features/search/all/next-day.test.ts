import { afterAll, beforeAll, expect, test } from 'vitest';
import { setUserStatusEndpoint } from '#contract/admin/users.ts';
import { countAreaEndpoint, searchAreaEndpoint } from '#contract/work/surveys.ts';
import { SPACING } from '#server/paid-calls/departure/departures.ts';
import { CITY } from '#test/areas.ts';
import { buildList, readList } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';
import { resumeSearches } from './resume-searches.ts';

const usual = SPACING.google_places;
let product: Product;
beforeAll(async () => {
  Object.assign(SPACING, { google_places: [{ calls: 500, windowMs: 1_000 }] });
  product = await startProduct();
});
afterAll(() => void Object.assign(SPACING, { google_places: usual }));

const readRun = (id: string) =>
  product.db.selectFrom('app.runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const ended = (id: string) =>
  expect.poll(async () => (await readRun(id)).state, { timeout: 60_000 }).not.toMatch(/queued|running/);
const runsOf = (listId: string) =>
  product.db.selectFrom('app.runs').selectAll().where('list_id', '=', listId).orderBy('created_at').execute();

async function count(user: TestUser): Promise<void> {
  await user.call(countAreaEndpoint, CITY);
  const look = async () => (await user.call(countAreaEndpoint, { ...CITY, watch: true })).state;
  await expect.poll(look, { timeout: 60_000 }).toBe('counted');
}

/** A search that has met its key's daily limit, and is to go on by itself. */
async function waiting(key: string, quota: number) {
  const user = await product.user();
  await user.connect('google_places', key);
  await count(user);
  await user.connect('google_places', `${key}-day-quota-${quota}`);
  const listId = await buildList(product.db, user.id);
  const { runId } = await user.call(searchAreaEndpoint, { ...CITY, list_id: listId, nextDay: true });
  await ended(runId);
  expect((await readRun(runId)).resume_at).not.toBeNull();
  return { user, listId, runId };
}

const dayComes = async (runId: string) => {
  await product.db.updateTable('app.runs').set({ resume_at: new Date() }).where('id', '=', runId).execute();
  await resumeSearches(product.deps);
};

test('a search whose owner is disabled when its day has come says so on its list', async () => {
  const { user, listId, runId } = await waiting('sandbox-city-300-n1', 6);
  const admin = await product.admin();
  await admin.call(setUserStatusEndpoint, { user_id: user.id, status: 'disabled' });
  await dayComes(runId);
  const [first, kept, ...others] = await runsOf(listId);
  expect(others).toEqual([]);
  expect(first?.resume_at).toBeNull();
  expect(kept).toMatchObject({ state: 'failed', kind: 'search', error_code: 'FORBIDDEN' });
  expect(kept?.error_message).toMatch(/account was disabled.*Press Retry/);
  expect(await readList(product.db, listId)).toMatchObject({ status: 'failed' });
});

test('a search whose area is no longer known when its day has come says so on its list', async () => {
  const { listId, runId } = await waiting('sandbox-city-300-n2', 6);
  const gone = { kind: 'counted', survey: crypto.randomUUID() };
  const { input } = await readRun(runId);
  await product.db
    .updateTable('app.runs')
    .set({ input: JSON.stringify({ ...Object(input), area: gone }) })
    .where('id', '=', runId)
    .execute();
  await dayComes(runId);
  const [first, kept] = await runsOf(listId);
  expect(first?.resume_at).toBeNull();
  expect(kept).toMatchObject({
    state: 'failed',
    error_code: 'VALIDATION_FAILED',
    error_message: expect.stringContaining('Choose it again'),
  });
});

test('a search that is refused while other work is on its list is tried again when that has ended', async () => {
  const { user, listId, runId } = await waiting('sandbox-city-300-n3', 6);
  const { id: other } = await product.db
    .insertInto('app.runs')
    .values({
      ...{ user_id: user.id, list_id: listId, list_name: '', kind: 'enrichment', state: 'running', input: '{}' },
      ...{ estimate_micros: 0, bound_micros: 0, sandbox: true, lease_owner: crypto.randomUUID() },
      lease_expires_at: new Date(Date.now() + 3_600_000),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await product.db.deleteFrom('app.provider_keys').where('user_id', '=', user.id).execute();
  await dayComes(runId);
  expect((await readRun(runId)).resume_at?.getTime()).toBeGreaterThan(Date.now());
  await product.db.updateTable('app.runs').set({ state: 'cancelled' }).where('id', '=', other).execute();
  await dayComes(runId);
  expect((await runsOf(listId)).at(-1)).toMatchObject({ state: 'failed', error_code: 'MISSING_API_KEY' });
  expect((await readRun(runId)).resume_at).toBeNull();
});
