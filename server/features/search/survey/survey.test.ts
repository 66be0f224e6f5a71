import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { checkPartition } from '#area/partition/check-partition.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { cancelRunEndpoint } from '#contract/work/runs.ts';
import { coverageEndpoint, googleCountEndpoint } from '#contract/work/search/coverage.ts';
import {
  countAreaEndpoint,
  type SurveyCount,
  searchAreaEndpoint,
  stopSurveyEndpoint,
} from '#contract/work/search/surveys.ts';
import { SPACING } from '#server/paid-calls/departure/departures.ts';
import { PLACE_RUNS_KEY } from '#server/runs/start/place-runs-key.ts';
import { CITY } from '#test/areas.ts';
import { buildList, readCalls, readLeads, readList } from '#test/lists.ts';
import { type Product, Refusal, startProduct, type TestUser } from '#test/product.ts';
import { readProgress } from './read-progress.ts';
import { resumeSurveys } from './resume-surveys.ts';

const usual = SPACING.google_places;
let product: Product;
beforeAll(async () => {
  Object.assign(SPACING, { google_places: [{ calls: 500, windowMs: 1_000 }] });
  product = await startProduct();
});
afterAll(() => void Object.assign(SPACING, { google_places: usual }));

type Request = BodyOf<typeof countAreaEndpoint>;

const polygon = (...corners: [number, number][]): Request['area'] => ({
  kind: 'polygon',
  geometry: { type: 'Polygon', coordinates: [[...corners, ...corners.slice(0, 1)]] },
});

/** A circle around the city, of a thousand points. */
const FINE: Request['area'] = polygon(
  ...Array.from({ length: 1_000 }, (_, at): [number, number] => {
    const turn = (2 * Math.PI * at) / 1_000;
    return [-98.5 + 0.15 * Math.cos(turn), 38.5 + 0.12 * Math.sin(turn)];
  }),
);

async function connected(key: string): Promise<TestUser> {
  const user = await product.user();
  await user.connect('google_places', key);
  return user;
}

async function count(user: TestUser, request: Request = CITY): Promise<SurveyCount> {
  let seen = await user.call(countAreaEndpoint, request);
  const look = async () => {
    seen = await user.call(countAreaEndpoint, { ...request, watch: true });
    return seen.state;
  };
  await expect.poll(look, { timeout: 40_000 }).not.toBe('counting');
  return seen;
}

async function search(user: TestUser, request: Request = CITY, maxCost?: number): Promise<string> {
  const listId = await buildList(product.db, user.id);
  const { runId } = await user.call(searchAreaEndpoint, {
    ...request,
    list_id: listId,
    ...(maxCost === undefined ? {} : { max_cost: maxCost }),
  });
  await expect.poll(async () => (await readRun(runId)).state, { timeout: 40_000 }).not.toMatch(/queued|running/);
  return listId;
}

const readRun = (id: string) =>
  product.db.selectFrom('app.runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

const meterOf = (key: string) => product.sandbox.meter.rows().filter((one) => one.key === key);

test('progress is told to someone who looks between the first calls and their count', async () => {
  const user = await connected('sandbox-city-40-uniform-a0');
  await count(user, { ...CITY, radius: 5_000 });
  const survey = await product.db
    .selectFrom('app.surveys')
    .selectAll()
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow();
  const read = { ...survey, free_calls: 0, probes_planned: null, probes_done: 0 };
  const { share, etaSeconds } = await readProgress(product.db, read);
  expect(share).toBe(1);
  expect(etaSeconds).toBeGreaterThan(0);
});

test('a city is counted for nothing, priced, bought to the last place, and proven', async () => {
  const user = await connected('sandbox-city-600-clustered-a1');
  const counted = await count(user);
  expect(counted).toMatchObject({ state: 'counted', found: 600, unlisted: 600, why: null, etaSeconds: null });
  expect(counted.boundMicros).toBe(counted.paidPages * 35_000);
  expect(await readCalls(product.db, user.id)).toEqual([]);

  const listId = await search(user);
  expect(await readList(product.db, listId)).toMatchObject({ status: 'completed', lead_count: 600, sandbox: true });
  const leads = await readLeads(product.db, listId);
  expect(new Set(leads.map(({ place_id }) => place_id)).size).toBe(600);
  const calls = await readCalls(product.db, user.id);
  expect(calls.map(({ state }) => state)).toEqual(calls.map(() => 'answered'));
  expect(calls.reduce((sum, call) => sum + call.cost_micros, 0)).toBe(counted.boundMicros);

  const coverage = await user.call(coverageEndpoint, undefined, { listId });
  expect(coverage).toMatchObject({
    queries: ['dentist'],
    uniqueIds: 600,
    gaps: [],
    partition: { exact: true, why: null },
  });
  expect(checkPartition(coverage.area.frames, [...coverage.leaves, ...coverage.outside])).toMatchObject({
    kind: 'exact',
  });
  expect(new Set(coverage.leaves.flatMap(({ ids }) => ids)).size).toBe(600);
  expect(coverage.leaves.every(({ ids }) => ids.length < 60)).toBe(true);
  expect(coverage.reprobe).toMatchObject({ new: 0, missedShare: 0, low: 0 });

  // Everything is known now, so it costs nothing again.
  expect(await user.call(countAreaEndpoint, CITY)).toMatchObject({
    state: 'counted',
    unlisted: 0,
    paidPages: 0,
    boundMicros: 0,
  });
  const copy = await search(user);
  expect((await readList(product.db, copy)).lead_count).toBe(600);
  expect(await readCalls(product.db, user.id)).toHaveLength(calls.length);
});

test('a rectangle is cut without a look where its other half tells that it is full', async () => {
  const key = 'sandbox-city-1500-uniform-a2';
  const user = await connected(key);
  expect(await count(user)).toMatchObject({ state: 'counted', found: 1_500 });
  const survey = await product.db
    .selectFrom('app.surveys')
    .select(['id', 'probes_done'])
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow();
  const tiles = await product.db
    .selectFrom('app.survey_tiles')
    .select('state')
    .where('survey_id', '=', survey.id)
    .execute();
  const leaves = tiles.filter(({ state }) => state === 'complete').length;
  const subjects = [...product.sandbox.meter.callsBySubject('google', key).keys()];
  const asked = new Set(subjects.map((subject) => subject.split('|')[1])).size;
  const cuts = tiles.length - 1;
  expect(asked - leaves - 2 * survey.probes_done).toBeLessThan(cuts);
});

test('a survey whose key may ask no more today goes on when its day has come, if its owner chose so', async () => {
  const user = await connected('sandbox-city-150-m1');
  const resume = () => resumeSurveys(product.deps);
  const survey = () =>
    product.db.selectFrom('app.surveys').selectAll().where('user_id', '=', user.id).executeTakeFirstOrThrow();
  await count(user);
  await product.db
    .updateTable('app.surveys')
    .set({ state: 'stopped', why: 'The quota is used up.', out_of_quota: true })
    .where('user_id', '=', user.id)
    .execute();
  expect(await user.call(countAreaEndpoint, { ...CITY, watch: true })).toMatchObject({
    state: 'stopped',
    outOfQuota: true,
    resumeAt: null,
  });
  const { resumeAt } = await user.call(countAreaEndpoint, { ...CITY, tomorrow: true });
  expect(Date.parse(resumeAt ?? '') - Date.now()).toBeGreaterThan(0);
  expect(Date.parse(resumeAt ?? '') - Date.now()).toBeLessThan(26 * 3_600_000);
  await resume();
  expect((await survey()).state).toBe('stopped');
  const itsDayComes = () =>
    product.db.updateTable('app.surveys').set({ resume_at: new Date() }).where('user_id', '=', user.id).execute();
  await itsDayComes();
  vi.spyOn(product.deps.queue, 'announcing').mockRejectedValueOnce(
    Object.assign(new Error('cut off'), { code: '57P01' }),
  );
  await expect(resume()).rejects.toThrow('cut off');
  expect((await survey()).resume_at?.getTime()).toBeGreaterThan(Date.now());
  await itsDayComes();
  await Promise.all([resume(), resume()]);
  await expect.poll(async () => (await survey()).state).toBe('counted');
  expect(await survey()).toMatchObject({ resume_at: null, out_of_quota: false, why: null });
});

test('Google counts by itself for a price, once, and the certificate has it', async () => {
  const user = await connected('sandbox-city-150-k1');
  await count(user);
  const listId = await search(user);
  const before = await user.call(coverageEndpoint, undefined, { listId });
  expect(before).toMatchObject({ aggregateMicros: 10_000 });
  expect(before.aggregateCount).toBeUndefined();
  const asked = () => user.call(googleCountEndpoint, undefined, { listId });
  expect(await Promise.all([asked(), asked()])).toEqual([{ count: 150 }, { count: 150 }]);
  expect(await asked()).toEqual({ count: 150 });
  const counts = (await readCalls(product.db, user.id)).filter(({ subject }) => subject.startsWith('dentist in '));
  const own = counts.filter(({ cost_micros }) => cost_micros === 10_000);
  expect(own.map(({ state }) => state)).toEqual(['answered']);
  expect(await user.call(coverageEndpoint, undefined, { listId })).toMatchObject({ aggregateCount: 150 });
});

test('what was counted with a key of one kind is never added to with one of the other', async () => {
  const real = 'real-k3k3';
  const user = await connected('sandbox-city-100-k3');
  const listId = await search(user);
  await user.connect('google_places', real);
  const refusal = await user.call(googleCountEndpoint, undefined, { listId }).catch((error: unknown) => error);
  expect(refusal).toMatchObject({
    code: 'SANDBOX_MISMATCH',
    message: expect.stringContaining('Connect a sandbox key'),
  });
  expect((await readCalls(product.db, user.id)).filter(({ sandbox }) => !sandbox)).toEqual([]);
  expect((await user.call(coverageEndpoint, undefined, { listId })).aggregateCount).toBeUndefined();

  const { surveyId = '', found } = await count(user);
  const survey = () =>
    product.db.selectFrom('app.surveys').selectAll().where('id', '=', surveyId).executeTakeFirstOrThrow();
  const ids = () =>
    product.db.selectFrom('app.survey_places').select('place_id').where('survey_id', '=', surveyId).execute();
  const before = await ids();
  expect(before).toHaveLength(found);
  await product.db.updateTable('app.survey_tiles').set({ state: 'open' }).where('survey_id', '=', surveyId).execute();
  await product.db
    .updateTable('app.surveys')
    .set({ state: 'stopped', resume_at: new Date() })
    .where('id', '=', surveyId)
    .execute();
  await user.connect('google_places', 'sandbox-city-100-k3');
  await resumeSurveys(product.deps);
  expect(await survey()).toMatchObject({ state: 'stopped', resume_at: null, sandbox: false });
  expect((await survey()).why).toContain('This area was counted with a real key');
  // A run that an earlier version began.
  const id = randomUUID();
  await product.db
    .insertInto('app.runs')
    .values({
      id,
      user_id: user.id,
      list_name: 'A circle',
      list_key: PLACE_RUNS_KEY,
      kind: 'survey',
      input: JSON.stringify({ surveyId }),
      estimate_micros: 0,
      bound_micros: 0,
      sandbox: true,
    })
    .execute();
  product.deps.queue.handOver(id);
  await expect.poll(async () => (await readRun(id)).state, { timeout: 10_000 }).toBe('failed');
  expect((await readRun(id)).error_code).toBe('SANDBOX_MISMATCH');
  expect(await ids()).toEqual(before);
});

test('Google is not asked for what it cannot count', async () => {
  const user = await connected('sandbox-city-100-k2');
  const listId = await search(user, { ...CITY, query: 'shops for left-handed people' });
  expect((await user.call(coverageEndpoint, undefined, { listId })).aggregateMicros).toBeUndefined();
  const refusal = await user.call(googleCountEndpoint, undefined, { listId }).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ status: 422, message: expect.stringContaining('Google cannot count this area') });
  const square = polygon([-98.6, 38.4], [-98.6, 38.6], [-98.4, 38.6], [-98.4, 38.4]);
  const drawn = await search(user, { ...CITY, area: square });
  expect(await user.call(googleCountEndpoint, undefined, { listId: drawn })).toEqual({ count: 100 });
});

test('a search that was not counted counts first, and decides then what it may cost', async () => {
  const user = await connected('sandbox-city-150-b2');
  const listId = await search(user);
  expect(await readList(product.db, listId)).toMatchObject({ status: 'completed', lead_count: 150 });
  const [run] = await product.db
    .selectFrom('app.runs')
    .selectAll()
    .where('user_id', '=', user.id)
    .where('kind', '=', 'search')
    .execute();
  const calls = await readCalls(product.db, user.id);
  expect(run?.bound_micros).toBe(calls.length * 35_000);
});

test('a limit buys the fullest pages first and says what it reached', async () => {
  const user = await connected('sandbox-city-300-c3');
  const { paidPages } = await count(user);
  expect(paidPages).toBeGreaterThan(5);
  const listId = await search(user, CITY, 0.11);
  const calls = await readCalls(product.db, user.id);
  expect(calls.filter(({ state }) => state === 'answered')).toHaveLength(3);
  expect((await readList(product.db, listId)).lead_count).toBe(60);
});

test('places on one spot saturate the smallest rectangle, which is listed as a gap', async () => {
  const user = await connected('sandbox-city-200-coincident-d4');
  const counted = await count(user);
  expect(counted.found).toBeLessThan(200);
  expect(counted.found).toBeGreaterThanOrEqual(185);
  const coverage = await user.call(coverageEndpoint, undefined, { listId: await search(user) });
  expect(coverage.gaps).toMatchObject([{ state: 'saturated' }]);
  expect(coverage.partition.exact).toBe(true);
});

test.each([
  ['over the antimeridian', 'aleutian', { latitude: 51.9, longitude: 179.99 }],
  ['in the far north', 'north', { latitude: 71.29, longitude: -156.79 }],
])('%s every place is found', async (_, where, center) => {
  const user = await connected(`sandbox-city-200-${where}-e5`);
  expect(await count(user, { ...CITY, area: { kind: 'circle', center } })).toMatchObject({ found: 200 });
});

test('an area that was counted needs not be sent again, and is no one else’s', async () => {
  const user = await connected('sandbox-city-100-n1');
  const { surveyId = '' } = await count(user, { ...CITY, area: FINE });
  const known: Request = { ...CITY, area: { kind: 'counted', survey: surveyId } };
  expect(await user.call(countAreaEndpoint, { ...known, watch: true })).toMatchObject({ surveyId, state: 'counted' });
  const listId = await search(user, known);
  expect((await readList(product.db, listId)).lead_count).toBe(100);
  const { area } = await user.call(coverageEndpoint, undefined, { listId });
  expect(area.spec).toEqual(FINE);
  const other = await connected('sandbox-city-100-n2');
  for (const survey of [surveyId, 'none'])
    expect(await other.call(countAreaEndpoint, { ...CITY, area: { kind: 'counted', survey } }).catch(String)).toContain(
      'This area is no longer known. Choose it again.',
    );
});

test('a shape of too many points is refused with the number that it may have', async () => {
  const user = await connected('sandbox-city-100-n3');
  const ring = Array.from({ length: 20_000 }, (_, at): [number, number] => [
    Math.cos(at / 4_000),
    Math.sin(at / 4_000),
  ]);
  const refusal = await user
    .call(countAreaEndpoint, { ...CITY, area: polygon(...ring) })
    .catch((error: unknown) => error);
  expect(refusal).toMatchObject({
    status: 422,
    message: expect.stringContaining('The area has 20,001 points. The most is 10,000'),
  });
});

test('answers that leave places out: a second look adds', async () => {
  const user = await connected('sandbox-city-500-leaves-out-15');
  const first = await count(user);
  expect(first.found).toBeGreaterThan(400);
  await user.call(countAreaEndpoint, { ...CITY, again: true });
  const second = await count(user);
  expect(second.found).toBeGreaterThanOrEqual(first.found);
  expect(second.found / 500).toBeGreaterThan(0.97);
});

test('answers that always leave places out: what is missed is estimated', async () => {
  const user = await connected('sandbox-city-500-leaves-out-46');
  const { found } = await count(user);
  const { reprobe } = await user.call(coverageEndpoint, undefined, { listId: await search(user, CITY) });
  expect(reprobe?.new).toBeGreaterThan(0);
  expect(reprobe?.high).toBeGreaterThan(0);
  expect(Math.abs((reprobe?.missedShare ?? 1) - (1 - found / 500))).toBeLessThan(0.08);
});

test('a survey can be stopped and goes on where it was', async () => {
  Object.assign(SPACING, { google_places: [{ calls: 5, windowMs: 1_000 }] });
  const user = await connected('sandbox-city-400-f6');
  await user.call(countAreaEndpoint, CITY);
  await expect
    .poll(async () => (await user.call(countAreaEndpoint, { ...CITY, watch: true })).freeCalls)
    .toBeGreaterThan(5);
  expect(await user.call(stopSurveyEndpoint, CITY)).toEqual({ stopped: true });
  const stopped = await count(user, { ...CITY, watch: true });
  expect(stopped).toMatchObject({ state: 'stopped', why: 'You stopped it.' });
  Object.assign(SPACING, { google_places: [{ calls: 500, windowMs: 1_000 }] });
  const counted = await count(user);
  expect(counted).toMatchObject({ state: 'counted', found: 400 });
  expect(counted.freeCalls).toBeGreaterThan(stopped.freeCalls);
});

test('a count that a search makes names its list, and goes on until that search is canceled', async () => {
  Object.assign(SPACING, { google_places: [{ calls: 20, windowMs: 1_000 }] });
  const user = await connected('sandbox-city-400-f7');
  const listId = await buildList(product.db, user.id, { name: 'Dentists of Kansas' });
  const { runId } = await user.call(searchAreaEndpoint, { ...CITY, list_id: listId });
  const watch = () => user.call(countAreaEndpoint, { ...CITY, watch: true });
  await expect.poll(async () => (await watch()).freeCalls).toBeGreaterThan(5);
  expect(await user.call(stopSurveyEndpoint, CITY)).toEqual({ stopped: false });
  expect(await watch()).toMatchObject({ state: 'counting', bySearchOf: 'Dentists of Kansas' });
  await user.call(cancelRunEndpoint, undefined, { id: runId });
  await expect.poll(async () => (await watch()).state).toBe('stopped');
  await user.call(countAreaEndpoint, CITY);
  expect(await watch()).toMatchObject({ state: 'counting', bySearchOf: null });
  expect(await user.call(stopSurveyEndpoint, CITY)).toEqual({ stopped: true });
  Object.assign(SPACING, { google_places: [{ calls: 500, windowMs: 1_000 }] });
});

test('an area larger than the USA is counted only when its owner says so', async () => {
  const user = await connected('sandbox-city-100-j9');
  const world: Request = { ...CITY, area: polygon([-150, -80], [0, -80], [0, 80], [-150, 80]) };
  const asked = await user.call(countAreaEndpoint, world);
  expect(asked).toMatchObject({ state: 'stopped', freeCalls: 0 });
  expect(asked.largeSquareMiles).toBeGreaterThan(20_000_000);
  const { query: _, ...typed } = world;
  const two = await user.call(countAreaEndpoint, { ...typed, queries: ['dentist', 'plumber'] });
  expect(two.largeCalls).toBe(2 * (asked.largeCalls ?? 0));
  const refusal = await search(user, world).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ status: 422, message: expect.stringContaining('larger than the United States') });
  await user.call(countAreaEndpoint, { ...world, large: true });
  expect(await count(user, { ...world, watch: true })).toMatchObject({ state: 'counted', found: 100 });
});

test('an area larger than the USA can be searched though some of its parts could not be counted', async () => {
  const user = await connected('sandbox-city-120-patchy-q3');
  const large: Request = { ...CITY, area: polygon([-170, 20], [-60, 20], [-60, 60], [-170, 60]), large: true };
  const counted = await count(user, large);
  expect(counted.gaps).toBeGreaterThan(0);
  const { large: _large, ...asked } = large;
  const listId = await search(user, asked);
  expect((await readList(product.db, listId)).lead_count).toBe(120);
});

test('ZIP codes of Alaska, Hawaii and Florida are no large area, whatever lies between them', async () => {
  const user = await connected('sandbox-city-100-j8');
  const apart: Request = { ...CITY, area: { kind: 'zips', codes: ['99501', '96813', '33101'] } };
  const counted = await count(user, apart);
  expect(counted.largeSquareMiles).toBeUndefined();
  expect(counted.state).toBe('counted');
});

test.each<[string, Request['area'], string]>([
  ['a county that does not exist', { kind: 'county', fips: '17999' }, 'No county has the FIPS code 17999'],
  ['a state that does not exist', { kind: 'state', code: 'XX' }, '“XX” is not a state'],
  ['a ZIP code that does not exist', { kind: 'zips', codes: ['62701', '00000'] }, 'do not exist: 00000'],
  ['a polygon that crosses itself', polygon([0, 0], [1, 1], [1, 0], [0, 1]), 'The outer ring crosses itself'],
])('%s is refused with words', async (_, area, message) => {
  const user = await connected('sandbox-city-100-g7');
  const refusal = await user.call(countAreaEndpoint, { ...CITY, area }).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(Refusal);
  expect(refusal).toMatchObject({ status: 422, message: expect.stringContaining(message) });
});

test('ZIP codes and counties of the invented world are counted, several types at once', async () => {
  const user = await connected('sandbox-world-h8');
  const zips = await count(user, {
    maxResults: 'all',
    queries: ['dentist', 'plumber'],
    area: { kind: 'zips', codes: ['62701', '62702'] },
  });
  expect(zips).toMatchObject({ state: 'counted' });
  expect(zips.found).toBeGreaterThan(5);
  const county = await count(user, { maxResults: 'all', query: 'dentist', area: { kind: 'county', fips: '17167' } });
  expect(county.found).toBeGreaterThan(60);
  expect(meterOf('sandbox-world-h8').every(({ micros }) => micros === 0)).toBe(true);
});
