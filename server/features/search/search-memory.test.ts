import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { countSearchEndpoint, searchLeadsEndpoint } from '#contract/work/search/search.ts';
import { buildList, readCalls, readLeads, readRuns } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let keys = 0;

beforeAll(async () => {
  product = await startProduct();
});

const SEARCH = { query: 'plumber', location: 'Springfield, IL', radius: 40_234, maxResults: 60 };
type Search = Partial<typeof SEARCH> & { onlyNew?: boolean };

/** A user with a key of their own, so that the sandbox's meter counts them apart. */
async function newUser() {
  const user = await product.user();
  keys += 1;
  const key = `sandbox-memory${keys}`;
  await user.connect('google_places', key);
  const paid = () => product.sandbox.meter.rows().find((row) => row.key === key)?.micros ?? 0;
  const search = async (overrides: Search = {}) => {
    const list_id = await buildList(product.db, user.id);
    await user.call(searchLeadsEndpoint, { ...SEARCH, ...overrides, list_id });
    return list_id;
  };
  const count = (overrides: Search = {}) => user.call(countSearchEndpoint, { ...SEARCH, ...overrides });
  return { user, paid, search, count };
}

/** As if some days had gone by: what is remembered of pages is forgotten, places and lists stay. */
const forgetPages = ({ id }: TestUser) =>
  product.db.deleteFrom('app.answers').where('user_id', '=', id).where('operation', '=', 'search_page').execute();
const totalsOf = async (user: TestUser) =>
  (await readRuns(product.db, user.id)).at(-1)?.totals as Record<string, number>;
const details = async (listId: string) =>
  (await readLeads(product.db, listId)).map(
    ({ id: _id, list_id: _list, position: _position, created_at: _at, ...lead }) => lead,
  );
const savedOf = async ({ id }: TestUser) => {
  const { rows } = await sql<{ saved: number; cost: number }>`
    select sum(saved_micros)::bigint as saved, sum(cost_micros)::bigint as cost from app.ledger_days where user_id = ${id}
  `.execute(product.db);
  return rows[0];
};

test('the same search for another list within a day is paid for once', async () => {
  const { user, paid, search } = await newUser();
  const first = await search();
  expect(paid()).toBe(137_000);
  const second = await search();
  expect(paid()).toBe(137_000);
  expect(await details(second)).toEqual(await details(first));
  expect((await readRuns(product.db, user.id)).at(-1)).toMatchObject({ bound_micros: 0, state: 'completed' });
  expect(await savedOf(user)).toEqual({ saved: 137_000, cost: 137_000 });
  // Coordinates stand where the sweep finds them, and nowhere else in the ledger.
  const keys = (await readCalls(product.db, user.id)).map((call) => call.idempotency_key);
  expect(keys.filter((key) => key.includes(' m of '))).toEqual([]);
});

test('a larger search pays for the pages that the smaller one did not have', async () => {
  const { user, paid, search } = await newUser();
  await search({ maxResults: 20 });
  expect(paid()).toBe(67_000);
  const list = await search();
  expect(paid()).toBe(137_000);
  expect((await readLeads(product.db, list)).length).toBeGreaterThan(20);
  expect(await totalsOf(user)).toMatchObject({ pages: 3, pagesLost: 0 });
});

test('later, a page whose places are all known is copied from the own lists, with where and when it came from', async () => {
  const { user, paid, search, count } = await newUser();
  const first = await search();
  await forgetPages(user);
  expect(await count()).toMatchObject({ place: 'Springfield, IL', unlisted: expect.any(Number), boundMicros: 0 });
  const second = await search();
  expect(paid()).toBe(137_000);
  expect(await details(second)).toEqual(await details(first));
  const [original, copy] = await Promise.all([first, second].map((id) => readLeads(product.db, id)));
  const call = (await readCalls(product.db, user.id)).find(({ id }) => id === original?.[0]?.place_call_id);
  expect(copy?.[0]?.created_at.getTime()).toBe(call?.settled_at?.getTime());
  expect(await totalsOf(user)).toMatchObject({ pages: 3, pagesLost: 0 });
  expect(await savedOf(user)).toEqual({ saved: 137_000, cost: 137_000 });
});

test('one unknown place makes its page worth paying for, and only that page', async () => {
  const { user, paid, search, count } = await newUser();
  const first = await search();
  await forgetPages(user);
  const last = (await readLeads(product.db, first)).at(-1);
  await product.db
    .deleteFrom('app.answers')
    .where('subject', '=', last?.place_id ?? '')
    .execute();
  await product.db
    .deleteFrom('leads')
    .where('id', '=', last?.id ?? '')
    .execute();
  expect(await count()).toMatchObject({ boundMicros: 35_000 });
  const second = await search();
  expect(paid()).toBe(137_000 + 35_000);
  expect((await readLeads(product.db, second)).map((lead) => lead.place_id)).toContain(last?.place_id);
});

test('what came more than 30 days ago is not used again', async () => {
  const { user, paid, search, count } = await newUser();
  await search({ maxResults: 20 });
  const longAgo = new Date(Date.now() - 31 * 86_400_000);
  await product.db.updateTable('app.paid_calls').set({ settled_at: longAgo }).where('user_id', '=', user.id).execute();
  await product.db
    .updateTable('app.answers')
    .set({ expires_at: new Date(Date.now() - 1) })
    .where('user_id', '=', user.id)
    .execute();
  expect(await count({ maxResults: 20 })).toMatchObject({ place: null, lookUpMicros: 32_000, boundMicros: 67_000 });
  await search({ maxResults: 20 });
  expect(paid()).toBe(2 * 67_000);
});

test('only new: what stands in another list is left out, and counted', async () => {
  const { user, paid, search, count } = await newUser();
  const first = await search({ maxResults: 20 });
  const known = new Set((await readLeads(product.db, first)).map((lead) => lead.place_id));
  const counted = await count({ onlyNew: true });
  // What the first search has found to be closed, or outside the circle, is no new place either.
  expect(counted.leftOut).toBeGreaterThan(0);
  expect(counted.found - counted.unlisted - counted.leftOut).toBe(known.size);
  const before = paid();
  const second = await search({ onlyNew: true });
  const leads = await readLeads(product.db, second);
  expect(leads.length).toBeGreaterThan(0);
  expect(leads.filter((lead) => known.has(lead.place_id))).toEqual([]);
  expect(await totalsOf(user)).toMatchObject({ alreadyListed: known.size, kept: leads.length });
  expect(paid() - before).toBeLessThanOrEqual(counted.boundMicros);

  // Everything is in one list or the other by now.
  const rest = await search({ onlyNew: true });
  expect(await readLeads(product.db, rest)).toEqual([]);
  expect(paid() - before).toBeLessThanOrEqual(counted.boundMicros);
});

test('only new goes on until it has as many as were asked for', async () => {
  const { user, search } = await newUser();
  await search({ maxResults: 20 });
  const list = await search({ maxResults: 20, onlyNew: true });
  const totals = await totalsOf(user);
  expect(totals.pages).toBeGreaterThan(1);
  expect((await readLeads(product.db, list)).length).toBeGreaterThan(10);
});

test.each([20, 30])('a count tells only of the places that a search for %i comes to', async (maxResults) => {
  const { search, count } = await newUser();
  await search({ maxResults });
  const counted = await count({ maxResults });
  expect(counted).toMatchObject({ unlisted: 0, more: true, boundMicros: 0 });
  expect(counted.found - counted.leftOut).toBeLessThanOrEqual(maxResults);
  expect(await count({ maxResults, onlyNew: true })).toMatchObject({ unlisted: expect.any(Number), more: false });
  const all = await count();
  expect(all).toMatchObject({ found: 60, more: false });
  expect(all.unlisted).toBeGreaterThan(0);
  const again = await search({ maxResults });
  expect((await readLeads(product.db, again)).length).toBeLessThanOrEqual(counted.found - counted.leftOut);
});

test('a count pays nothing, says nothing about a place that is not known yet, and nothing without a key', async () => {
  const { user, paid, search, count } = await newUser();
  expect(await count()).toMatchObject({
    place: null,
    lookUpMicros: 32_000,
    callMicros: 32_000,
    found: 0,
    unlisted: 0,
    boundMicros: 137_000,
  });
  expect(paid()).toBe(0);
  await search({ query: 'bakery', maxResults: 20 });
  const before = paid();
  expect(await count()).toMatchObject({ place: 'Springfield, IL', boundMicros: 105_000 });
  expect(await count({ maxResults: 20 })).toMatchObject({ boundMicros: 35_000 });
  expect(paid()).toBe(before);
  expect((await readRuns(product.db, user.id)).length).toBe(1);
  const stranger = await product.user();
  await expect(stranger.call(countSearchEndpoint, SEARCH)).rejects.toMatchObject({ code: 'MISSING_API_KEY' });
});

test('the count says of a text that is no place what the search would say', async () => {
  const { search, count } = await newUser();
  await expect(search({ location: 'Qwxyzzy Nowhere' })).rejects.toMatchObject({ code: 'UNKNOWN_PLACE' });
  await expect(count({ location: 'Qwxyzzy Nowhere' })).rejects.toMatchObject({ status: 422, code: 'UNKNOWN_PLACE' });
});
