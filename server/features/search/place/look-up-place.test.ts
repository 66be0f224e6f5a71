import { sql } from 'kysely';
import { beforeAll, expect, test, vi } from 'vitest';
import { setBudgetsEndpoint } from '#contract/money/budgets.ts';
import { exportUsageEndpoint, getUsageEndpoint, listUsageRunsEndpoint } from '#contract/money/usage.ts';
import { cancelRunEndpoint, getRunEndpoint, listRunsEndpoint } from '#contract/work/runs.ts';
import { countSearchEndpoint, lookUpPlaceEndpoint, searchLeadsEndpoint } from '#contract/work/search/search.ts';
import { eventually } from '#test/eventually.ts';
import { buildList, readCalls, readRuns } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
/** Its runs wait until a test brings a worker. */
let waiting: Product;
/** The sandbox takes its time, so that two presses meet. */
let slow: Product;
let keys = 0;

beforeAll(async () => {
  product = await startProduct();
  waiting = await startProduct({ worker: false, latencyMs: 300 });
  slow = await startProduct({ latencyMs: 300 });
});

const PLACE = { location: 'Springfield, IL' };
const SEARCH = { query: 'plumber', ...PLACE, radius: 40_234, maxResults: 20 };
const NO_LIMITS = { run: null, month: null, google_places: null, hunter_io: null, searchbug: null };
const LOCATE = 32_000;

/** A user with a key of their own, so that the sandbox's meter counts them apart. */
async function newUser({ at = product, fault = '' } = {}) {
  const user = await at.user();
  keys += 1;
  const key = `sandbox-place${keys}${fault}`;
  await user.connect('google_places', key);
  return { user, paid: () => at.sandbox.meter.rows().find((row) => row.key === key)?.micros ?? 0 };
}
const lookUp = (user: TestUser, location = PLACE.location) => user.call(lookUpPlaceEndpoint, { location });

test('a place is paid for once, then it is counted for free and the search pays its pages only', async () => {
  const { user, paid } = await newUser();
  expect(await user.call(countSearchEndpoint, SEARCH)).toMatchObject({ place: null, lookUpMicros: LOCATE });
  expect(await lookUp(user)).toEqual({ place: 'Springfield, IL' });
  const counted = await user.call(countSearchEndpoint, SEARCH);
  expect(counted).toMatchObject({ place: 'Springfield, IL', lookUpMicros: 0, boundMicros: 35_000 });
  expect(counted).toMatchObject({ found: 20, more: true });
  expect(paid()).toBe(LOCATE);
  await lookUp(user, ' springfield,  il ');
  expect(paid()).toBe(LOCATE);
  await user.call(searchLeadsEndpoint, { ...SEARCH, list_id: await buildList(product.db, user.id) });
  expect(paid()).toBe(LOCATE + 35_000);
  expect(await readRuns(product.db, user.id)).toMatchObject([
    { kind: 'place', list_id: null, state: 'completed', estimate_micros: LOCATE, bound_micros: LOCATE },
    { kind: 'place', list_id: null, state: 'completed', bound_micros: 0 },
    { kind: 'search', state: 'completed', bound_micros: 35_000 },
  ]);
});

test('two presses at once are one run, and one call however the place is written', async () => {
  const { user, paid } = await newUser({ at: slow });
  const same = await Promise.all([lookUp(user), lookUp(user)]);
  expect(same).toEqual([PLACE, PLACE].map(({ location }) => ({ place: location })));
  expect(await readRuns(slow.db, user.id)).toHaveLength(1);
  await Promise.all([lookUp(user, 'Austin, TX'), lookUp(user, 'AUSTIN,  tx')]);
  expect(paid()).toBe(2 * LOCATE);
});

test('what has no room in a budget, or no key, does not begin', async () => {
  const { user, paid } = await newUser();
  await user.call(setBudgetsEndpoint, { limits: { ...NO_LIMITS, google_places: 31_000 } });
  await expect(lookUp(user)).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
  const stranger = await product.user();
  await expect(lookUp(stranger)).rejects.toMatchObject({ code: 'MISSING_API_KEY' });
  expect(paid()).toBe(0);
  expect(await readRuns(product.db, user.id)).toEqual([]);
});

test('a text that is no place is paid for once, and refused with its name', async () => {
  const { user, paid } = await newUser();
  for (let press = 0; press < 2; press += 1)
    await expect(lookUp(user, 'Qwxyzzy Nowhere')).rejects.toMatchObject({
      code: 'UNKNOWN_PLACE',
      message: expect.stringContaining('Qwxyzzy Nowhere'),
    });
  expect(paid()).toBe(LOCATE);
});

test.each([
  ['out-of-credit', 'OUT_OF_CREDIT'],
  ['malformed', 'PROVIDER_FAILED'],
])('a provider that fails (%s) is told of in words', async (fault, code) => {
  const { user } = await newUser({ fault: `-${fault}-later` });
  await expect(lookUp(user)).rejects.toMatchObject({ code, message: expect.stringContaining('Google') });
  expect((await readRuns(product.db, user.id)).map(({ state }) => state)).toEqual(['failed']);
});

test('Usage shows it under no list, in its tables and its file', async () => {
  const { user } = await newUser();
  await lookUp(user);
  await lookUp(user, 'Austin, TX');
  await user.call(searchLeadsEndpoint, {
    ...SEARCH,
    list_id: await buildList(product.db, user.id, { name: 'Plumbers' }),
  });
  const today = new Date().toISOString().slice(0, 10);
  const period = { from: today, to: today };
  const usage = await user.call(getUsageEndpoint, undefined, period);
  expect(usage.lists).toMatchObject([
    { name: null, listId: null, calls: 2, costMicros: 2 * LOCATE },
    { name: 'Plumbers', costMicros: 35_000 },
  ]);
  expect(usage.businesses).toMatchObject({ runs: 1, costMicros: 2 * LOCATE + 35_000 });
  const { runs } = await user.call(listUsageRunsEndpoint, undefined, period);
  expect(runs.map(({ kind, listName, costMicros }) => [kind, listName, costMicros])).toEqual([
    ['search', 'Plumbers', 35_000],
    ['place', 'Austin, TX', LOCATE],
    ['place', 'Springfield, IL', LOCATE],
  ]);
  const response = await user.get(`${exportUsageEndpoint.path}?from=${today}&to=${today}`);
  expect((await response.text()).match(/"?Place look-up"?/g)).toHaveLength(2);
  expect((await user.call(listRunsEndpoint)).runs.map(({ kind }) => kind)).toEqual(['search']);
  const { run } = await user.call(getRunEndpoint, undefined, { id: runs[1]?.id ?? '' });
  expect(run).toMatchObject({ kind: 'place', listId: null, listName: 'Austin, TX', calls: { answered: 1 } });
});

test('what it may cost is held at Google Places, and one that is cancelled costs nothing', async () => {
  const { user, paid } = await newUser({ at: waiting });
  await user.call(setBudgetsEndpoint, { limits: { ...NO_LIMITS, google_places: LOCATE } });
  const answer = lookUp(user);
  answer.catch(() => {});
  await eventually(async () => expect(await readRuns(waiting.db, user.id)).toHaveLength(1));
  await expect(lookUp(user, 'Austin, TX')).rejects.toMatchObject({
    code: 'BUDGET_EXCEEDED',
    message: expect.stringContaining('is held for runs under way'),
  });
  const [run] = await readRuns(waiting.db, user.id);
  await user.call(cancelRunEndpoint, undefined, { id: run?.id ?? '' });
  const worker = await waiting.process();
  await expect(answer).rejects.toMatchObject({ code: 'RUN_CANCELLED', message: expect.stringMatching(/^The run was/) });
  expect(paid()).toBe(0);
  await worker.stop();
});

test('a worker that dies leaves a lost answer, and the next press asks again', async () => {
  const { user, paid } = await newUser({ at: waiting });
  const first = await waiting.process();
  const answer = lookUp(user);
  answer.catch(() => {});
  await vi.waitFor(async () => expect(await readCalls(waiting.db, user.id)).toMatchObject([{ state: 'sent' }]), {
    timeout: 15_000,
    interval: 10,
  });
  await first.crash();
  await sql`update app.runs set lease_expires_at = now() - interval '1 second' where user_id = ${user.id}`.execute(
    waiting.db,
  );
  const second = await waiting.process();
  await expect(answer).rejects.toMatchObject({ code: 'PROVIDER_FAILED', message: expect.stringContaining('Retry') });
  expect(await readCalls(waiting.db, user.id)).toMatchObject([{ state: 'uncertain', cost_micros: LOCATE }]);
  expect(await lookUp(user)).toEqual({ place: 'Springfield, IL' });
  const booked = (await readCalls(waiting.db, user.id)).reduce((sum, call) => sum + call.cost_micros, 0);
  expect(booked).toBe(paid());
  await second.stop();
});
