import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { searchAreaEndpoint } from '#contract/work/search/surveys.ts';
import { SPACING } from '#server/paid-calls/departure/departures.ts';
import { CITY } from '#test/areas.ts';
import { buildList, readCalls, readLeads } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

const usual = SPACING.google_places;
let product: Product;
beforeAll(async () => {
  Object.assign(SPACING, { google_places: [{ calls: 500, windowMs: 1_000 }] });
  product = await startProduct();
});
afterAll(() => void Object.assign(SPACING, { google_places: usual }));

async function search(user: TestUser): Promise<string> {
  const listId = await buildList(product.db, user.id);
  const { runId } = await user.call(searchAreaEndpoint, { ...CITY, list_id: listId });
  const stateOf = () =>
    product.db.selectFrom('app.runs').select('state').where('id', '=', runId).executeTakeFirstOrThrow();
  await expect.poll(async () => (await stateOf()).state, { timeout: 40_000 }).toBe('completed');
  return listId;
}

/** A list of a whole city, and one of its places after something was learned about it. */
async function searched(key: string, learned: object): Promise<{ user: TestUser; listId: string; placeId: string }> {
  const user = await product.user();
  await user.connect('google_places', key);
  const listId = await search(user);
  const [lead] = await readLeads(product.db, listId);
  const placeId = lead?.place_id ?? '';
  await sql`
    update app.answers set answer = answer || ${JSON.stringify(learned)}::jsonb
    where user_id = ${user.id} and operation = 'place' and subject = ${placeId}
  `.execute(product.db);
  return { user, listId, placeId };
}

const placesOf = async (listId: string) => (await readLeads(product.db, listId)).map(({ place_id }) => place_id);
const callsOf = async (user: TestUser) => (await readCalls(product.db, user.id)).length;

test('a business without an address of its own is copied, wherever Google puts it', async () => {
  const away = { latitude: 45, longitude: -90 };
  const { user, listId, placeId } = await searched('sandbox-city-40-served', { ...away, serviceArea: true });
  const served = { ...away, service_area: true };
  await product.db
    .updateTable('leads')
    .set(served)
    .where('list_id', '=', listId)
    .where('place_id', '=', placeId)
    .execute();
  const calls = await callsOf(user);
  expect(await placesOf(await search(user))).toHaveLength(40);
  expect(await callsOf(user)).toBe(calls);
});

test('a business that a later page has shown to be closed is not copied as an open one', async () => {
  const { user, placeId } = await searched('sandbox-city-40-closed', { closedPermanently: true });
  const copied = await placesOf(await search(user));
  expect(copied).toHaveLength(39);
  expect(copied).not.toContain(placeId);
});
