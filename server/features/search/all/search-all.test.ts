import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { BodyOf } from '#contract/endpoint.ts';
import { duplicateListEndpoint } from '#contract/work/lists.ts';
import { SearchTotals } from '#contract/work/runs.ts';
import { coverageEndpoint, googleCountEndpoint } from '#contract/work/search/coverage.ts';
import { countAreaEndpoint, MOST_PLACES, type SurveyCount, searchAreaEndpoint } from '#contract/work/search/surveys.ts';
import { cityOf } from '#sandbox/businesses/seeded-city.ts';
import { priceLeaves } from '#server/features/search/survey/estimates/price-survey.ts';
import { SURVEY_LIMITS } from '#server/features/search/survey/limits.ts';
import { SPACING } from '#server/paid-calls/departure/departures.ts';
import { CITY } from '#test/areas.ts';
import { buildList, readCalls, readLeads, readList } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';
import { resumeSearches } from './resume-searches.ts';

const usual = SPACING.google_places;
let product: Product;
beforeAll(async () => {
  Object.assign(SPACING, { google_places: [{ calls: 500, windowMs: 1_000 }] });
  product = await startProduct();
});
afterEach(() => void Object.assign(SURVEY_LIMITS, { places: MOST_PLACES }));
afterAll(() => void Object.assign(SPACING, { google_places: usual }));

type Request = BodyOf<typeof countAreaEndpoint>;
const PAGE_MICROS = 35_000;

async function connected(key: string): Promise<TestUser> {
  const user = await product.user();
  await user.connect('google_places', key);
  return user;
}

async function count(user: TestUser, request: Request = CITY): Promise<SurveyCount> {
  let seen = await user.call(countAreaEndpoint, request);
  const look = async () => {
    seen = await user.call(countAreaEndpoint, { ...request, again: undefined, watch: true });
    return seen.state;
  };
  await expect.poll(look, { timeout: 60_000 }).not.toBe('counting');
  return seen;
}

async function begin(user: TestUser, request: Request = CITY, maxCost?: number) {
  const listId = await buildList(product.db, user.id);
  const limit = maxCost === undefined ? {} : { max_cost: maxCost };
  const { runId } = await user.call(searchAreaEndpoint, { ...request, list_id: listId, ...limit });
  return { listId, runId };
}

const readRun = (id: string) =>
  product.db.selectFrom('app.runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const ended = (id: string) =>
  expect.poll(async () => (await readRun(id)).state, { timeout: 60_000 }).not.toMatch(/queued|running/);
const surveyOf = (user: TestUser) =>
  product.db.selectFrom('app.surveys').selectAll().where('user_id', '=', user.id).executeTakeFirstOrThrow();

async function search(user: TestUser, request: Request = CITY, maxCost?: number) {
  const begun = await begin(user, request, maxCost);
  await ended(begun.runId);
  return begun;
}

async function chargedTo(user: TestUser): Promise<{ micros: number; twice: number }> {
  const answered = (await readCalls(product.db, user.id)).filter(({ state }) => state === 'answered');
  const subjects = new Set(answered.map(({ subject }) => subject));
  return {
    micros: answered.reduce((sum, { cost_micros }) => sum + cost_micros, 0),
    twice: answered.length - subjects.size,
  };
}

test('parts that gave no answer are asked again by the search, and nothing else is', async () => {
  const user = await connected('sandbox-city-400-patchy-a');
  const first = await count(user);
  expect(first).toMatchObject({ state: 'counted' });
  expect(first.gaps).toBeGreaterThan(0);
  expect(first.found).toBeLessThan(400);
  const { passes } = await surveyOf(user);
  const { listId } = await search(user);
  const coverage = await user.call(coverageEndpoint, undefined, { listId });
  expect(coverage).toMatchObject({ gaps: [], uniqueIds: 400, partition: { exact: true } });
  expect((await readList(product.db, listId)).lead_count).toBe(400);
  expect((await surveyOf(user)).passes).toBe(passes);
});

test('a count that stops at its limit says so, and what it has is bought for its price', async () => {
  const user = await connected('sandbox-city-400-b');
  Object.assign(SURVEY_LIMITS, { places: 150 });
  const stopped = await count(user);
  expect(stopped).toMatchObject({
    state: 'stopped',
    atLimit: true,
    why: expect.stringContaining('more than 150 places'),
  });
  expect(stopped.found).toBeGreaterThanOrEqual(150);
  const { listId } = await search(user);
  const { lead_count } = await readList(product.db, listId);
  expect(lead_count).toBe(stopped.found - stopped.unplaced);
  expect(lead_count).toBeLessThan(400);
  expect((await chargedTo(user)).micros).toBe(stopped.boundMicros);
});

test('a second look at many places does not reach the limit of places', async () => {
  const user = await connected('sandbox-city-200-c');
  Object.assign(SURVEY_LIMITS, { places: 250 });
  expect(await count(user)).toMatchObject({ state: 'counted', found: 200 });
  expect(await count(user, { ...CITY, again: true })).toMatchObject({ state: 'counted', found: 200 });
});

test('two searches of an area that was not counted count it once, and buy each page once', async () => {
  const user = await connected('sandbox-city-300-d');
  const both = await Promise.all([begin(user), begin(user)]);
  for (const { runId } of both) await ended(runId);
  for (const { listId } of both) expect((await readList(product.db, listId)).lead_count).toBe(300);
  expect(await surveyOf(user)).toMatchObject({ passes: 1, state: 'counted' });
  expect(await chargedTo(user)).toMatchObject({ twice: 0 });
  const alone = await connected('sandbox-city-300-d-alone');
  await count(alone);
  const { free_calls: calls } = await surveyOf(alone);
  expect((await surveyOf(user)).free_calls).toBeLessThan(calls * 1.5);
});

test.each([
  ['its count', 20, false],
  ['its pages', 6, true],
])('a search whose key may ask no more today during %s goes on when its day has come', async (_, quota, counted) => {
  const key = `sandbox-city-300-e${quota}`;
  const user = await connected(key);
  if (counted) await count(user);
  await user.connect('google_places', `${key}-day-quota-${quota}`);
  const { runId, listId } = await begin(user, { ...CITY, nextDay: true });
  await ended(runId);
  const stopped = await readRun(runId);
  expect(stopped).toMatchObject({ state: 'failed' });
  expect(stopped.resume_at?.getTime()).toBeGreaterThan(Date.now());
  const before = (await readCalls(product.db, user.id)).filter(({ state }) => state === 'answered').length;
  if (counted) expect(before).toBeGreaterThan(0);
  await user.connect('google_places', key);
  await resumeSearches(product.deps);
  expect(await runsOf(listId)).toHaveLength(1);
  const itsDayComes = () =>
    product.db.updateTable('app.runs').set({ resume_at: new Date() }).where('id', '=', runId).execute();
  await itsDayComes();
  vi.spyOn(product.deps.queue, 'announcing').mockRejectedValueOnce(
    Object.assign(new Error('cut off'), { code: '57P01' }),
  );
  await expect(resumeSearches(product.deps)).rejects.toThrow('cut off');
  expect((await readRun(runId)).resume_at?.getTime()).toBeGreaterThan(Date.now());
  await itsDayComes();
  await Promise.all([resumeSearches(product.deps), resumeSearches(product.deps)]);
  expect((await readRun(runId)).resume_at).toBeNull();
  const runs = await runsOf(listId);
  expect(runs).toHaveLength(2);
  await ended(runs[1]?.id ?? '');
  expect((await readList(product.db, listId)).lead_count).toBe(300);
  const { micros, twice } = await chargedTo(user);
  expect(twice).toBe(0);
  const bounds = await runsOf(listId);
  expect(micros).toBeLessThanOrEqual(counted ? (bounds[0]?.bound_micros ?? 0) : (bounds[1]?.bound_micros ?? 0));
});

test('a search that goes on by itself does not pay again for a page whose answer was lost', async () => {
  const key = 'sandbox-city-300-e8';
  const user = await connected(key);
  await count(user);
  await user.connect('google_places', `${key}-day-quota-6`);
  const { runId, listId } = await begin(user, { ...CITY, nextDay: true });
  await ended(runId);
  await user.connect('google_places', key);
  const { db } = product;
  const pages = async () => (await readCalls(db, user.id)).filter(({ operation }) => operation === 'search_page');
  const lost = (await pages()).find(({ state, subject }) => state === 'answered' && subject.endsWith('page 1'));
  const { id = '', subject } = lost ?? {};
  await db.deleteFrom('leads').where('list_id', '=', listId).where('place_call_id', '=', id).execute();
  await db.deleteFrom('app.answers').where('paid_call_id', '=', id).execute();
  await db.updateTable('app.paid_calls').set({ state: 'uncertain' }).where('id', '=', id).execute();
  await db.updateTable('app.runs').set({ resume_at: new Date() }).where('id', '=', runId).execute();
  await resumeSearches(product.deps);
  const [, resumed] = await runsOf(listId);
  await ended(resumed?.id ?? '');
  expect((await pages()).filter((page) => page.subject === subject)).toHaveLength(1);
  expect(SearchTotals.parse((await readRun(resumed?.id ?? '')).totals).pagesLost).toBeGreaterThan(0);
  // A person who presses Retry has decided to.
  const { runId: retried } = await user.call(searchAreaEndpoint, { ...CITY, list_id: listId });
  await ended(retried);
  expect((await pages()).filter((page) => page.subject === subject)).toHaveLength(2);
  expect(await readLeads(db, listId)).toHaveLength(300);
});

test('a search that a budget has no room for when its day has come says so', async () => {
  const key = 'sandbox-city-300-e9';
  const user = await connected(key);
  await count(user);
  await user.connect('google_places', `${key}-day-quota-6`);
  const { runId, listId } = await begin(user, { ...CITY, nextDay: true });
  await ended(runId);
  await user.connect('google_places', key);
  await product.db
    .insertInto('app.budgets')
    .values({ user_id: user.id, budget: 'month', set_by: 'admin', limit_micros: 1 })
    .execute();
  await product.db.updateTable('app.runs').set({ resume_at: new Date() }).where('id', '=', runId).execute();
  await resumeSearches(product.deps);
  const runs = await runsOf(listId);
  expect(runs.map(({ state, error_code }) => [state, error_code])).toEqual([
    ['failed', expect.any(String)],
    ['failed', 'BUDGET_EXCEEDED'],
  ]);
  expect(runs[0]?.resume_at).toBeNull();
});

const runsOf = (listId: string) =>
  product.db.selectFrom('app.runs').selectAll().where('list_id', '=', listId).orderBy('created_at').execute();

test('a search that did not choose so stays where it was', async () => {
  const user = await connected('sandbox-city-300-f-day-quota-20');
  const { runId } = await search(user);
  expect(await readRun(runId)).toMatchObject({ state: 'failed', resume_at: null });
});

test('a certificate stays what it was, and later passes stand beside it', async () => {
  const user = await connected('sandbox-city-500-leaves-out-46');
  const { listId } = await search(user);
  const first = await user.call(coverageEndpoint, undefined, { listId });
  expect(first.later).toBeUndefined();
  expect(first.unplaced).toBe(first.uniqueIds - new Set(first.leaves.flatMap(({ ids }) => ids)).size);
  await user.connect('google_places', 'sandbox-city-100-newcomers');
  const { found } = await count(user, { ...CITY, again: true });
  expect(found).toBeGreaterThan(first.uniqueIds);
  const { later, ...kept } = await user.call(coverageEndpoint, undefined, { listId });
  expect(kept).toEqual(first);
  expect(later).toMatchObject({ passes: 1, newPlaces: found - first.uniqueIds, gaps: 0 });
  const { list_id: copy } = await user.call(duplicateListEndpoint, { list_id: listId });
  expect(await user.call(coverageEndpoint, undefined, { listId: copy })).toMatchObject({
    uniqueIds: first.uniqueIds,
    later,
  });
});

test('Google counts a place of two types once, for one call', async () => {
  const user = await connected('sandbox-city-150-g');
  const { query: _, ...where } = CITY;
  const { listId } = await search(user, { ...where, queries: ['dentist', 'plumber'] });
  const before = (await chargedTo(user)).micros;
  expect((await user.call(coverageEndpoint, undefined, { listId })).aggregateMicros).toBe(10_000);
  expect(await user.call(googleCountEndpoint, undefined, { listId })).toEqual({ count: 150 });
  expect((await chargedTo(user)).micros - before).toBe(10_000);
});

test('a second press with a limit never joins a search that is to decide its price', async () => {
  Object.assign(SPACING, { google_places: [{ calls: 10, windowMs: 1_000 }] });
  const user = await connected('sandbox-city-300-j');
  const { listId, runId } = await begin(user);
  const press = (limit: { max_cost?: number }) =>
    user.call(searchAreaEndpoint, { ...CITY, list_id: listId, ...limit }).catch((error: unknown) => error);
  expect(await press({ max_cost: 0.11 })).toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('takes no limit now'),
  });
  expect(await press({})).toEqual({ runId });
  Object.assign(SPACING, { google_places: [{ calls: 500, windowMs: 1_000 }] });
  await ended(runId);
  // What it decided is its price from then on, which a second press may lower.
  expect(await readRun(runId)).toMatchObject({
    state: 'completed',
    input: expect.not.objectContaining({ pricedLater: true }),
  });
});

test('a search that decides its price keeps to the limit of a run, with its look-up', async () => {
  const request: Request = { ...CITY, area: { kind: 'circle' }, location: 'Springfield, IL', radius: 3_000 };
  const free = await connected('sandbox-world-k');
  const { runId: first } = await search(free, request);
  const { bound_micros: cost } = await readRun(first);
  expect((await chargedTo(free)).micros).toBe(cost);
  const limited = async (limit: number) => {
    const user = await connected('sandbox-world-k');
    const values = { user_id: user.id, set_by: 'admin', limit_micros: limit };
    await product.db
      .insertInto('app.budgets')
      .values({ ...values, budget: 'run' })
      .execute();
    await product.db
      .insertInto('app.budgets')
      .values({ ...values, budget: 'month' })
      .execute();
    const { runId } = await search(user, request);
    const { state, error_code } = await readRun(runId);
    return { state, error_code, micros: (await chargedTo(user)).micros };
  };
  expect(await limited(cost)).toEqual({ state: 'completed', error_code: null, micros: cost });
  const refused = await limited(cost - 1);
  expect(refused).toMatchObject({ state: 'failed', error_code: 'BUDGET_EXCEEDED' });
  expect(refused.micros).toBeLessThan(cost);
});

test('a limit says how many pages and places are left', async () => {
  const user = await connected('sandbox-city-300-h');
  const { paidPages } = await count(user);
  const { runId, listId } = await search(user, CITY, (3 * PAGE_MICROS) / 1_000_000);
  const { pagesLeft, placesLeft } = SearchTotals.parse((await readRun(runId)).totals);
  expect({ pagesLeft, placesLeft }).toEqual({ pagesLeft: paidPages - 3, placesLeft: 240 });
  expect((await readList(product.db, listId)).lead_count).toBe(60);
});

test.each<[string, string, Request]>([
  ['a circle', 'sandbox-city-300-border', { ...CITY, radius: 4_000 }],
  ['a ZIP code', 'sandbox-world-border', { ...CITY, area: { kind: 'zips', codes: ['62701'] } }],
])('places that lie outside of %s are paid for once', async (_, key, request) => {
  const user = await connected(key);
  const { unlisted, boundMicros } = await count(user, request);
  expect(unlisted).toBeGreaterThan(0);
  const { runId } = await search(user, request);
  expect(SearchTotals.parse((await readRun(runId)).totals).outsideRadius).toBeGreaterThan(0);
  const { micros } = await chargedTo(user);
  expect(micros).toBeLessThanOrEqual(boundMicros);
  const nothing = { unlisted: 0, paidPages: 0, boundMicros: 0 };
  expect(await count(user, request)).toMatchObject(nothing);
  // A further look finds nothing new, and a search for new places pays nothing.
  const again = await count(user, { ...request, again: true });
  expect(again).toMatchObject(nothing);
  await search(user, { ...request, onlyNew: true });
  expect((await chargedTo(user)).micros).toBe(micros);
});

const drawn = (...ring: [number, number][]): Request['area'] => ({
  kind: 'polygon',
  geometry: { type: 'Polygon', coordinates: [[...ring, ...ring.slice(0, 1)]] },
});

test('what was seen beyond the border of an area is neither found in it nor missed', async () => {
  const [west, east, south, north] = [-98.57, -98.43, 38.43, 38.57];
  const triangle = { ...CITY, area: drawn([west, south], [east, south], [west, north]) };
  const square = { ...CITY, area: drawn([west, south], [east, south], [east, north], [west, north]) };
  const key = 'sandbox-city-400-clustered-border';
  const truth = cityOf(key)?.businesses.filter(
    ({ latitude, longitude }) =>
      longitude >= west && latitude >= south && longitude - west + (latitude - south) <= east - west,
  ).length;

  const user = await connected(key);
  await count(user, triangle);
  const { listId } = await search(user, triangle);
  expect((await readList(product.db, listId)).lead_count).toBe(truth);
  const alone = await user.call(coverageEndpoint, undefined, { listId });
  expect(alone).toMatchObject({ uniqueIds: truth, unplaced: 0 });
  expect(alone.outsideIds).toBeGreaterThan(0);
  expect(alone.later).toBeUndefined();
  expect(await user.call(googleCountEndpoint, undefined, { listId })).toEqual({ count: truth });

  const other = await connected(key);
  await search(other, square);
  expect(await count(other, triangle)).toMatchObject({ found: truth, unlisted: 0, unplaced: 0, paidPages: 0 });
  const second = await search(other, triangle);
  expect(await other.call(coverageEndpoint, undefined, { listId: second.listId })).toMatchObject({
    uniqueIds: truth,
    unplaced: 0,
  });
});

test('places that their pages did not bring are left, are asked for again for a price, and come', async () => {
  const user = await connected('sandbox-city-200-leaves-out-15');
  const first = await count(user);
  const { listId, runId } = await search(user);
  const placed = async () => {
    const { leaves, ...rest } = await user.call(coverageEndpoint, undefined, { listId });
    return { ...rest, ids: new Set(leaves.flatMap(({ ids }) => ids)) };
  };
  const lackedOf = async ({ ids }: { ids: ReadonlySet<string> }) => {
    const listed = new Set((await readLeads(product.db, listId)).map(({ place_id }) => place_id));
    return [...ids].filter((id) => !listed.has(id)).length;
  };
  const certified = await placed();
  const lacked = await lackedOf(certified);
  expect(lacked).toBeGreaterThan(0);
  expect(certified.inList).toBeLessThanOrEqual(certified.uniqueIds - lacked);
  const paid = (await chargedTo(user)).micros;
  expect(paid).toBeLessThanOrEqual(first.boundMicros);
  const { pagesLeft, placesLeft } = SearchTotals.parse((await readRun(runId)).totals);
  expect(placesLeft).toBe(lacked);

  const rest = await count(user);
  expect(rest.paidPages).toBe(pagesLeft);
  // Taken up again, a run buys nothing again.
  const survey = { id: (await surveyOf(user)).id, area: { holds: () => true } };
  const memory = { userId: user.id, sandbox: true };
  const leavesOf = (run: string) =>
    priceLeaves(product.db, memory, survey, { onlyNew: false, openIds: new Set() }, run);
  expect((await leavesOf(runId)).map((leaf) => leaf.lacked)).toEqual((await leavesOf(runId)).map(() => 0));
  expect((await leavesOf(listId)).map((leaf) => leaf.lacked)).toEqual((await leavesOf(listId)).map(() => 1));

  const { runId: again } = await user.call(searchAreaEndpoint, { ...CITY, list_id: listId });
  await ended(again);
  const { micros, twice } = await chargedTo(user);
  expect(twice).toBe(0);
  expect(micros).toBeGreaterThan(paid);
  expect(micros - paid).toBeLessThanOrEqual(rest.boundMicros);
  expect(await lackedOf(certified)).toBeLessThan(lacked);
  expect((await placed()).inList ?? 0).toBeGreaterThan(certified.inList ?? 0);
});

test('what a file told of a place is copied as the file’s, and not as told by Google', async () => {
  const user = await connected('sandbox-city-40-told');
  const first = await search(user);
  const [lead] = await readLeads(product.db, first.listId);
  const told = { phone: '+1 512-555-0147', website: 'https://own-file.example/' };
  await product.db
    .updateTable('leads')
    .set({
      ...told,
      sources: JSON.stringify({ phone: 'file', website: 'file:open:1', email: 'file' }),
      email: 'a@own-file.example',
    })
    .where('id', '=', lead?.id ?? '')
    .execute();
  const { listId } = await search(user);
  const copied = (await readLeads(product.db, listId)).find(({ place_id }) => place_id === lead?.place_id);
  expect(copied).toMatchObject({ ...told, email: null, sources: { phone: 'file', website: 'file:open:1' } });
  const origins = async (name: string | null, phone: string | null) => {
    const { rows } = await sql<{ origin: string }>`
      select origin from app.told_values where user_id = ${user.id}
        and hashes && (app.short_hashes(app.told_keys(${name}, ${phone}, null, null)))
    `.execute(product.db);
    return rows.map(({ origin }) => origin);
  };
  expect(await origins(lead?.business_name ?? '', null)).toContain('google');
  expect(await origins(null, told.phone)).toEqual([]);
});

test('a list that was kept for good is not from the moment that Google fills it', async () => {
  const user = await connected('sandbox-city-40-kept');
  const listId = await buildList(product.db, user.id);
  await product.db.updateTable('lists').set({ keep: true }).where('id', '=', listId).execute();
  const { runId } = await user.call(searchAreaEndpoint, { ...CITY, list_id: listId });
  await ended(runId);
  expect(await readList(product.db, listId)).toMatchObject({ lead_count: 40, keep: false });
});

test('of a leaf no page is quoted or paid for behind the last one that brings something', async () => {
  const user = await connected('sandbox-city-40-page');
  expect(await count(user)).toMatchObject({ found: 40, paidPages: 2 });
  const { listId } = await search(user);
  const { id } = await surveyOf(user);
  const leaf = await product.db
    .selectFrom('app.survey_tiles')
    .select(['ids', 'id_pages'])
    .where('survey_id', '=', id)
    .where('state', '=', 'complete')
    .executeTakeFirstOrThrow();
  const forget = async (page: number) => {
    const one = leaf.ids[leaf.id_pages.indexOf(page)] ?? '';
    await product.db.deleteFrom('leads').where('list_id', '=', listId).where('place_id', '=', one).execute();
    await product.db.deleteFrom('app.answers').where('operation', '=', 'search_page').execute();
  };
  const { micros: before } = await chargedTo(user);
  await forget(1);
  expect(await count(user)).toMatchObject({ paidPages: 1, boundMicros: PAGE_MICROS });
  const copy = await search(user);
  expect((await readList(product.db, copy.listId)).lead_count).toBe(40);
  expect((await chargedTo(user)).micros - before).toBe(PAGE_MICROS);
});
