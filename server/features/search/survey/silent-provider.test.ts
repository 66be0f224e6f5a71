import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countAreaEndpoint, searchAreaEndpoint } from '#contract/work/search/surveys.ts';
import { PATIENCE } from '#server/paid-calls/departure/circuit.ts';
import { buildList, readCalls, readList } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

const usual = PATIENCE.ms;
let product: Product;
beforeAll(async () => {
  Object.assign(PATIENCE, { ms: 300 });
  product = await startProduct();
});
afterAll(() => void Object.assign(PATIENCE, { ms: usual }));

const request = {
  maxResults: 'all' as const,
  query: 'dentist',
  area: { kind: 'circle' as const, center: { latitude: 38.5, longitude: -98.5 } },
  radius: 15_000,
};

/** Begins a search and returns how its run and its list ended. */
async function search(user: TestUser) {
  const listId = await buildList(product.db, user.id);
  const { runId } = await user.call(searchAreaEndpoint, { ...request, list_id: listId });
  const run = () => product.db.selectFrom('app.runs').selectAll().where('id', '=', runId).executeTakeFirstOrThrow();
  await expect.poll(async () => (await run()).state, { timeout: 10_000 }).not.toMatch(/queued|running/);
  return { run: await run(), list: await readList(product.db, listId) };
}

test('a count ends with words when Google is silent, and does not call every part of its area a gap', async () => {
  const user = await product.user();
  await user.connect('google_places', 'sandbox-city-40-silent');
  await sql`
    insert into app.provider_circuits (bucket, failures, failed_at, next_try_at)
    select provider || ':' || fingerprint, 5, now(), now() + interval '1 hour' from app.provider_keys where user_id = ${user.id}
  `.execute(product.db);
  await user.call(countAreaEndpoint, request);
  const look = () => user.call(countAreaEndpoint, { ...request, watch: true });
  await expect.poll(async () => (await look()).state, { timeout: 10_000 }).not.toBe('counting');
  const why = expect.stringContaining('Google Places has not responded for a while');
  expect(await look()).toMatchObject({ state: 'stopped', why, gaps: 0 });
  const { run } = await search(user);
  expect(run).toMatchObject({ state: 'failed', error_code: 'PROVIDER_FAILED', error_message: why });
});

test('a search of which no part could be counted is not called complete', async () => {
  const user = await product.user();
  await user.connect('google_places', 'sandbox-city-40-garbled-malformed');
  const { run, list } = await search(user);
  const why = expect.stringContaining('No part of this area could be counted');
  expect(run).toMatchObject({ state: 'failed', error_code: 'PROVIDER_FAILED', error_message: why });
  expect(list).toMatchObject({ status: 'failed', tier1_complete: false, lead_count: 0 });
  expect(await readCalls(product.db, user.id)).toEqual([]);
  await user.connect('google_places', 'sandbox-city-40-garbled');
  const again = await user.call(searchAreaEndpoint, { ...request, list_id: list.id });
  const ended = () =>
    product.db.selectFrom('app.runs').select('state').where('id', '=', again.runId).executeTakeFirst();
  await expect.poll(async () => (await ended())?.state, { timeout: 20_000 }).toBe('completed');
  expect((await readList(product.db, list.id)).lead_count).toBe(40);
});
