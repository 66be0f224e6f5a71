import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { checkComplianceEndpoint, estimateComplianceEndpoint } from '#contract/work/compliance.ts';
import { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import { cancelRunEndpoint, SearchTotals } from '#contract/work/runs.ts';
import { coverageEndpoint } from '#contract/work/search/coverage.ts';
import { countAreaEndpoint, searchAreaEndpoint } from '#contract/work/search/surveys.ts';
import { SPACING } from '#server/paid-calls/departure/departures.ts';
import { CITY } from '#test/areas.ts';
import { buildList, readCalls, readList } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';
import { resumeSearches } from './resume-searches.ts';

const usual = SPACING.google_places;
const quickly = () => Object.assign(SPACING, { google_places: [{ calls: 500, windowMs: 1_000 }] });
/** From here on the key may send one more call. */
async function allowOneMoreCall(): Promise<void> {
  Object.assign(SPACING, { google_places: [{ calls: 1, windowMs: 600_000 }] });
  await sql`delete from app.call_spacing`.execute(product.db);
}

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
beforeAll(quickly);
afterEach(quickly);
afterAll(() => void Object.assign(SPACING, { google_places: usual }));

async function connected(key: string): Promise<TestUser> {
  const user = await product.user();
  for (const provider of ['google_places', 'hunter_io', 'searchbug'] as const) await user.connect(provider, key);
  return user;
}

async function count(user: TestUser): Promise<number> {
  await user.call(countAreaEndpoint, CITY);
  const look = () => user.call(countAreaEndpoint, { ...CITY, watch: true });
  await expect.poll(async () => (await look()).state, { timeout: 60_000 }).toBe('counted');
  return (await look()).found;
}

const runsOf = (listId: string) =>
  product.db.selectFrom('app.runs').selectAll().where('list_id', '=', listId).orderBy('created_at').execute();

/** Begins a search that has put its first page into its list and waits with the others. */
async function searchStoodStill(user: TestUser): Promise<{ listId: string; runId: string; leads: number }> {
  await allowOneMoreCall();
  const listId = await buildList(product.db, user.id);
  const { runId } = await user.call(searchAreaEndpoint, { ...CITY, list_id: listId });
  const leads = async () => (await readList(product.db, listId)).lead_count;
  await expect.poll(leads, { timeout: 20_000 }).toBeGreaterThan(0);
  return { listId, runId, leads: await leads() };
}

test('other work that queues behind a search of a whole area may cost what its count has found', async () => {
  const user = await connected('sandbox-city-150-behind');
  const found = await count(user);
  const { listId: list_id, runId, leads } = await searchStoodStill(user);
  const { toCheck, boundMicros } = await user.call(estimateComplianceEndpoint, { list_id });
  expect(boundMicros).toBe((toCheck + found - leads) * 20_000);
  const behind = [
    user.call(checkComplianceEndpoint, { list_id }),
    user.call(enrichEmailsEndpoint, { list_id, steps: ['hunter'] }),
  ];
  await expect.poll(async () => (await runsOf(list_id)).length).toBe(3);
  await user.call(cancelRunEndpoint, undefined, { id: runId });
  await Promise.all(behind);
  expect((await runsOf(list_id)).map(({ state }) => state)).toEqual(['cancelled', 'completed', 'completed']);
});

/** A search that has met the limit of a day and is due again. */
async function searchDue(user: TestUser, key: string, quota = 3): Promise<{ listId: string; runId: string }> {
  await user.connect('google_places', `${key}-day-quota-${quota}`);
  const listId = await buildList(product.db, user.id);
  const { runId } = await user.call(searchAreaEndpoint, { ...CITY, nextDay: true, list_id: listId });
  await expect.poll(async () => (await runsOf(listId))[0]?.state, { timeout: 20_000 }).toBe('failed');
  await user.connect('google_places', key);
  await comesDue(runId);
  return { listId, runId };
}

const comesDue = (runId: string) =>
  product.db.updateTable('app.runs').set({ resume_at: new Date() }).where('id', '=', runId).execute();

test('a search that is due while its list is filled from a file goes on when that is done', async () => {
  const key = 'sandbox-city-150-filled';
  const user = await connected(key);
  await count(user);
  const { listId, runId } = await searchDue(user, key);
  const { id } = await product.db
    .insertInto('app.imports')
    .values({
      user_id: user.id,
      name: 'more.csv',
      list_id: listId,
      state: 'running',
      lease_expires_at: new Date('2100-01-01'),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await resumeSearches(product.deps);
  expect(await runsOf(listId)).toMatchObject([{ id: runId, resume_at: expect.any(Date) }]);
  await product.db.updateTable('app.imports').set({ state: 'completed' }).where('id', '=', id).execute();
  await comesDue(runId);
  await resumeSearches(product.deps);
  await expect.poll(async () => (await runsOf(listId)).map(({ state }) => state)).toEqual(['failed', 'completed']);
  expect((await readList(product.db, listId)).lead_count).toBe(150);
});

test('a search that cannot be resumed keeps no other from it', async () => {
  const key = 'sandbox-city-150-others';
  const user = await connected(key);
  await count(user);
  const bad = await searchDue(user, key);
  await product.db
    .updateTable('app.runs')
    .set({ input: '{"maxResults": "all"}' })
    .where('id', '=', bad.runId)
    .execute();
  await product.db
    .updateTable('app.runs')
    .set({ resume_at: new Date(0) })
    .where('id', '=', bad.runId)
    .execute();
  const good = await searchDue(user, key);
  await expect(resumeSearches(product.deps)).rejects.toThrow();
  expect(await runsOf(good.listId)).toHaveLength(2);
  expect(await runsOf(bad.listId)).toHaveLength(1);
});

/** A search of five leaves whose first pages were bought and whose others were not, and that is due again. */
async function searchDueWithFirstPages(key: string) {
  const user = await connected(key);
  await count(user);
  const due = await searchDue(user, key, 6);
  const bought = async () =>
    (await readCalls(product.db, user.id)).filter(
      ({ operation, state }) => operation === 'search_page' && state === 'answered',
    );
  const [page] = (await bought()).filter(({ subject }) => subject.endsWith('page 1'));
  if (!page) throw new Error('No first page was bought.');
  return { ...due, page, bought };
}

async function goesOn(listId: string): Promise<void> {
  await resumeSearches(product.deps);
  await expect.poll(async () => (await runsOf(listId)).map(({ state }) => state)).toEqual(['failed', 'completed']);
}

test('a page whose answer was lost once and has come since leads a search that goes on by itself to the next', async () => {
  const { listId, page, bought } = await searchDueWithFirstPages('sandbox-city-300-since');
  const { id: _id, ...lost } = page;
  await product.db
    .insertInto('app.paid_calls')
    .values({ ...lost, state: 'uncertain', idempotency_key: `${page.idempotency_key} lost` })
    .execute();
  await goesOn(listId);
  expect((await readList(product.db, listId)).lead_count).toBe(300);
  expect((await bought()).filter(({ subject }) => subject === page.subject)).toHaveLength(1);
});

test('a page that was bought as a day of 25 hours began is not bought again on the next', async () => {
  const { listId, page, bought } = await searchDueWithFirstPages('sandbox-city-300-long');
  await sql`
    update app.answers set answered_at = answered_at - interval '25 hours 10 minutes', expires_at = expires_at - interval '25 hours 10 minutes'
    where operation = 'search_page' and user_id = ${page.user_id}`.execute(product.db);
  await goesOn(listId);
  const subjects = (await bought()).map(({ subject }) => subject);
  expect(subjects.length).toBe(new Set(subjects).size);
  expect((await readList(product.db, listId)).lead_count).toBe(300);
});

test('a search that waits for a long count does not stand still', async () => {
  Object.assign(SPACING, { google_places: [{ calls: 2, windowMs: 1_000 }] });
  const user = await connected('sandbox-city-400-waits');
  await user.call(countAreaEndpoint, CITY);
  const listId = await buildList(product.db, user.id);
  const { runId } = await user.call(searchAreaEndpoint, { ...CITY, list_id: listId });
  const read = async () => (await runsOf(listId))[0];
  await expect.poll(async () => (await read())?.waiting_reason, { timeout: 20_000 }).toBe('other_run');
  const before = new Date(Date.now() - 500_000);
  await product.db.updateTable('app.runs').set({ progressed_at: before }).where('id', '=', runId).execute();
  await expect
    .poll(async () => (await read())?.progressed_at?.getTime(), { timeout: 10_000 })
    .toBeGreaterThan(before.getTime());
  expect(await read()).toMatchObject({ state: 'running', stalls: 0 });
  await user.call(cancelRunEndpoint, undefined, { id: runId });
});

test('a search that was canceled as it met its limit, or has come to its end since, does not go on', async () => {
  const key = 'sandbox-city-150-over';
  const user = await connected(key);
  await count(user);
  const over = [
    { cancel_requested_at: new Date() },
    { state: 'completed' },
    { state: 'running', lease_expires_at: new Date('2100-01-01') },
  ];
  const searches: string[] = [];
  for (const values of over) {
    const { listId, runId } = await searchDue(user, key);
    await product.db.updateTable('app.runs').set(values).where('id', '=', runId).execute();
    searches.push(listId);
  }
  await resumeSearches(product.deps);
  const runs = await Promise.all(searches.map(runsOf));
  expect(runs.map((each) => each.length)).toEqual([1, 1, 1]);
  expect(runs.map(([run]) => run?.resume_at !== null)).toEqual([false, false, true]);
});

test('a search that goes on by itself does not ask again for what the pages of its first day did not bring', async () => {
  const key = 'sandbox-city-300-leaves-out-15-days';
  const user = await connected(key);
  await count(user);
  const { listId, runId } = await searchDue(user, key, 15);
  const { id: survey } = await product.db
    .selectFrom('app.surveys')
    .select('id')
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow();
  const lacking = product.db
    .selectFrom('app.survey_tiles')
    .selectAll()
    .where('survey_id', '=', survey)
    .where('lacked_by', '=', runId);
  expect((await lacking.execute()).length).toBeGreaterThan(0);
  await goesOn(listId);
  const calls = (await readCalls(product.db, user.id)).filter(
    ({ operation, state }) => operation === 'search_page' && state === 'answered',
  );
  expect(calls.filter(({ subject }) => subject.includes(' again '))).toEqual([]);
  expect(new Set(calls.map(({ subject }) => subject)).size).toBe(calls.length);
  const [, resumed] = await runsOf(listId);
  expect(SearchTotals.parse(resumed?.totals).placesLeft).toBeGreaterThan(0);
});

test('the certificate of a list that is searched for another area says nothing of the one before', async () => {
  const key = 'sandbox-city-150-another';
  const user = await connected(key);
  const listId = await buildList(product.db, user.id);
  const stateOf = async (at: number) => (await runsOf(listId))[at]?.state;
  await user.call(searchAreaEndpoint, { ...CITY, list_id: listId });
  await expect.poll(() => stateOf(0), { timeout: 60_000 }).toBe('completed');
  expect(await user.call(coverageEndpoint, undefined, { listId })).toMatchObject({ area: { meters: 15_000 } });
  // Its count meets the limit of the day.
  await user.connect('google_places', `${key}-day-quota-2`);
  await user.call(searchAreaEndpoint, { ...CITY, radius: 9_000, list_id: listId });
  await expect.poll(() => stateOf(1), { timeout: 60_000 }).toBe('failed');
  const now = await user.call(coverageEndpoint, undefined, { listId });
  expect(now).toMatchObject({ area: { meters: 9_000 }, finishedAt: null });
  expect(now.later).toBeUndefined();
});
