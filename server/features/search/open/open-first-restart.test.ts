import { afterAll, beforeAll, expect, test } from 'vitest';
import { searchLeadsEndpoint } from '#contract/work/search/search.ts';
import { SPACING } from '#server/paid-calls/departure/departures.ts';
import { buildList, readLeads } from '#test/lists.ts';
import { loadCsv } from '#test/open-data/load-csv.ts';
import { type Product, startProduct } from '#test/product.ts';

const usual = SPACING.google_places;
const space = (calls: number, windowMs: number) => Object.assign(SPACING, { google_places: [{ calls, windowMs }] });
let product: Product;
beforeAll(async () => {
  product = await startProduct({ worker: false });
});
afterAll(() => void Object.assign(SPACING, { google_places: usual }));

const REQUEST = { query: 'plumber', location: 'Springfield, IL', radius: 40_000 };
/** No whole number of pages: the last one brings more than there is room for. */
const ASKED_FOR = 30;

test('a search with open data first that is taken up between two pages adds no more than it would have', async () => {
  space(500, 1_000);
  const first = await product.process();
  const person = async (name: string) => {
    const user = await product.user();
    await user.connect('google_places', name);
    return { user, listId: await buildList(product.db, user.id) };
  };
  const plain = await person('sandbox-restart-plain');
  await plain.user.call(searchLeadsEndpoint, { ...REQUEST, maxResults: 60, list_id: plain.listId });
  const bought = await readLeads(product.db, plain.listId);
  await loadCsv(
    product.url,
    bought.slice(0, 8).map((lead, at) => ({
      id: `sandbox-${at}`,
      name: lead.business_name,
      category: 'plumber',
      latitude: lead.latitude ?? 0,
      longitude: lead.longitude ?? 0,
      phone: lead.phone ?? '',
    })),
    { source: 'city' },
  );
  const openFirst = { ...REQUEST, source: 'open_first' as const, maxResults: ASKED_FOR };
  const whole = await person('sandbox-restart-whole');
  await whole.user.call(searchLeadsEndpoint, { ...openFirst, list_id: whole.listId });

  // The place and the first page may leave at once, and the second page not for a long time.
  space(2, 600_000);
  const broken = await person('sandbox-restart-broken');
  const asked = broken.user.call(searchLeadsEndpoint, { ...openFirst, list_id: broken.listId }).catch(() => 'cut');
  const ofGoogle = async (listId: string) =>
    (await readLeads(product.db, listId)).filter(({ place_id }) => place_id !== null).map((one) => one.business_name);
  await expect.poll(async () => (await ofGoogle(broken.listId)).length, { timeout: 20_000 }).toBeGreaterThan(10);
  await first.stop();
  space(500, 1_000);
  await product.db.deleteFrom('app.call_spacing').execute();
  await product.process();
  await asked;
  const state = async () =>
    (await product.db.selectFrom('app.runs').select('state').where('list_id', '=', broken.listId).executeTakeFirst())
      ?.state;
  await expect.poll(state, { timeout: 60_000 }).toBe('completed');
  expect(await ofGoogle(broken.listId)).toHaveLength(ASKED_FOR);
  expect((await ofGoogle(broken.listId)).sort()).toEqual((await ofGoogle(whole.listId)).sort());
});
