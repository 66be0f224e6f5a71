import { beforeAll, expect, test, vi } from 'vitest';
import { searchLeadsEndpoint } from '#contract/work/search/search.ts';
import { buildList, readCalls, readLeads, readList, readRuns } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let key = 0;

beforeAll(async () => {
  product = await startProduct();
});

/** A user with a key of their own, so that the sandbox's meter counts them apart. */
async function userWithKey(fault = ''): Promise<{ user: TestUser; key: string }> {
  const person = await product.user();
  key += 1;
  const name = `sandbox-search${key}${fault}`;
  await person.connect('google_places', name);
  return { user: person, key: name };
}
const search = (who: TestUser, listId: string, overrides: Partial<Parameters<typeof body>[1]> = {}) =>
  who.call(searchLeadsEndpoint, body(listId, overrides));
const body = (
  listId: string,
  overrides: { query?: string; location?: string; radius?: number; maxResults?: number } = {},
) => ({ query: 'plumber', location: 'Springfield, IL', list_id: listId, radius: 40_234, maxResults: 60, ...overrides });
const usage = (name: string) =>
  product.sandbox.meter.rows().find((row) => row.key === name) ?? { calls: 0, micros: 0, subjects: 0 };

test('a search fills the list, books what Google charges, and answers all leads', async () => {
  const { user, key } = await userWithKey();
  const listId = await buildList(product.db, user.id);
  const { leads = [] } = await search(user, listId);
  const list = await readList(product.db, listId);
  expect(leads.length).toBeGreaterThan(20);
  expect(leads[0]).toMatchObject({ position: 0, list_id: listId });
  expect(list).toMatchObject({
    status: 'completed',
    lead_count: leads.length,
    completeness: 45,
    tier1_complete: true,
    sandbox: true,
    resolved_place: 'Springfield, IL',
  });
  const [run] = await readRuns(product.db, user.id);
  const totals = run?.totals as Record<string, number>;
  expect(run).toMatchObject({ state: 'completed', kind: 'search', estimate_micros: 32_000 + 3 * 35_000 });
  expect(totals.found).toBe(
    ['kept', 'outsideRadius', 'closed', 'duplicates', 'beyondMaximum'].reduce(
      (sum, name) => sum + (totals[name] ?? 0),
      0,
    ),
  );
  expect(totals).toMatchObject({ requested: 60, pages: 3, pagesLost: 0, kept: leads.length });
  const calls = await readCalls(product.db, user.id);
  expect(calls.map((call) => [call.operation, call.state, call.cost_micros])).toEqual([
    ['locate', 'answered', 32_000],
    ['search_page', 'answered', 35_000],
    ['search_page', 'answered', 35_000],
    ['search_page', 'answered', 35_000],
  ]);
  expect(usage(key).micros).toBe(137_000);
});

test('asks for no more pages than the results need, and says where the rest went', async () => {
  const { user, key } = await userWithKey();
  const listId = await buildList(product.db, user.id);
  await search(user, listId, { maxResults: 20, radius: 161_000 });
  expect(usage(key).calls).toBe(2);
  expect((await readLeads(product.db, listId)).length).toBeLessThanOrEqual(20);
});

test.each([5, 10, 25, 50, 100])('works for a radius of %i miles', async (miles) => {
  const { user } = await userWithKey();
  const listId = await buildList(product.db, user.id);
  await search(user, listId, { radius: Math.round(miles * 1609.34) });
  expect((await readList(product.db, listId)).status).toBe('completed');
});

test('Retry of a list pays nothing for the pages it has', async () => {
  const { user, key } = await userWithKey();
  const listId = await buildList(product.db, user.id);
  const first = await search(user, listId);
  const before = usage(key).micros;
  const second = await search(user, listId);
  expect(second.leads).toEqual(first.leads);
  expect(usage(key).micros).toBe(before);
});

test('an unknown place fails with its name and searches for nothing', async () => {
  const { user, key } = await userWithKey();
  const listId = await buildList(product.db, user.id);
  const refused = search(user, listId, { location: 'Qwxyzzy Nowhere' });
  await expect(refused).rejects.toMatchObject({ status: 422, code: 'UNKNOWN_PLACE' });
  await expect(refused).rejects.toThrow('Qwxyzzy Nowhere');
  expect(usage(key).calls).toBe(1);
  expect(await readList(product.db, listId)).toMatchObject({ status: 'failed', lead_count: 0 });
});

test('two requests at once for one list are one search', async () => {
  // Slow, so that the second comes while the first is at work.
  const { user, key } = await userWithKey('-slow');
  const listId = await buildList(product.db, user.id);
  const [one, two] = await Promise.all([1, 2].map(() => search(user, listId, { maxResults: 20 })));
  expect(one?.leads).toEqual(two?.leads);
  expect(usage(key).calls).toBe(2);
  expect(await readRuns(product.db, user.id)).toHaveLength(1);
});

test('two lists of the same place locate it once', async () => {
  const { user, key } = await userWithKey();
  const lists = await Promise.all([buildList(product.db, user.id), buildList(product.db, user.id)]);
  await Promise.all(lists.map((listId, index) => search(user, listId, { query: index ? 'bakery' : 'florist' })));
  expect(usage(key).micros).toBe(32_000 + 2 * 3 * 35_000);
});

test.each([
  ['bad-key', 422, 'PROVIDER_BAD_CREDENTIALS'],
  ['out-of-credit', 402, 'OUT_OF_CREDIT'],
])('a %s fails the list with what to do, and costs nothing', async (fault, status, code) => {
  const { user } = await userWithKey(`-${fault}`);
  const listId = await buildList(product.db, user.id);
  await expect(search(user, listId)).rejects.toMatchObject({
    status,
    code,
    message: expect.stringContaining('Google'),
  });
  expect((await readList(product.db, listId)).status).toBe('failed');
  expect(await readCalls(product.db, user.id)).toMatchObject([{ state: 'failed', cost_micros: 0 }]);
});

test('a rate limit is waited for inside the run', async () => {
  const { user } = await userWithKey('-rate-limited');
  const listId = await buildList(product.db, user.id);
  await search(user, listId, { maxResults: 20 });
  expect((await readCalls(product.db, user.id)).map((call) => call.attempts)).toEqual([3, 3]);
}, 30_000);

test.each(['down', 'malformed'])(
  'an answer that is lost (%s) is booked, and only Retry sends it again',
  async (fault) => {
    const { user, key } = await userWithKey(`-${fault}`);
    const listId = await buildList(product.db, user.id);
    await expect(search(user, listId)).rejects.toMatchObject({
      code: 'PROVIDER_FAILED',
      message: expect.stringContaining('may have been charged'),
    });
    expect((await readCalls(product.db, user.id)).at(-1)).toMatchObject({ state: 'uncertain', cost_micros: 32_000 });
    const asked = usage(key).calls;
    await user.connect('google_places', `${key.replace(`-${fault}`, '')}`);
    await search(user, listId, { maxResults: 20 });
    expect(usage(key).calls).toBe(asked);
    expect(await readList(product.db, listId)).toMatchObject({ status: 'completed' });
  },
);

test('without a key, or with one of the other sort, the list fails and says what to do', async () => {
  const person = await product.user();
  const listId = await buildList(product.db, person.id);
  await expect(search(person, listId)).rejects.toMatchObject({ status: 400, code: 'MISSING_API_KEY' });
  expect((await readList(product.db, listId)).status).toBe('failed');
  await person.connect('google_places', 'AIzaRealLookingKey');
  const sandboxList = await buildList(product.db, person.id, { sandbox: true, lead_count: 3 });
  await expect(search(person, sandboxList)).rejects.toMatchObject({ status: 409, code: 'SANDBOX_MISMATCH' });
});

test("someone else's list, a deleted one and an archived one are refused", async () => {
  const { user: owner } = await userWithKey();
  const { user: other } = await userWithKey();
  const listId = await buildList(product.db, owner.id);
  for (const id of [listId, '00000000-0000-4000-8000-000000000000', 'nonsense', "' or 1=1"])
    await expect(search(other, id)).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  await product.db.updateTable('lists').set({ lifecycle_status: 'archived' }).where('id', '=', listId).execute();
  await expect(search(owner, listId)).rejects.toMatchObject({ status: 409, code: 'CONFLICT' });
  expect(await readCalls(product.db, other.id)).toHaveLength(0);
});

test('a list that is deleted while it is searched stops spending', async () => {
  const { user, key } = await userWithKey('-slow');
  const listId = await buildList(product.db, user.id);
  const running = search(user, listId);
  const refused = expect(running).rejects.toMatchObject({ code: 'RUN_CANCELLED' });
  await vi.waitFor(async () => expect((await readCalls(product.db, user.id))[0]?.state).toBe('sent'), 5_000);
  await product.db.deleteFrom('lists').where('id', '=', listId).execute();
  await refused;
  expect(usage(key).calls).toBe(1);
  expect(await readRuns(product.db, user.id)).toMatchObject([{ state: 'cancelled', list_id: null }]);
  expect(await readCalls(product.db, user.id)).toMatchObject([{ state: 'answered' }]);
});

test('a business type with odd characters is only a text', async () => {
  const { user } = await userWithKey();
  const listId = await buildList(product.db, user.id);
  await search(user, listId, { query: `=HYPERLINK("x") <script> 🍕 مطعم`, maxResults: 20 });
  expect((await readList(product.db, listId)).status).toBe('completed');
  await expect(search(user, listId, { query: 'ab' })).rejects.toMatchObject({ status: 422 });
});
