import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BodyOf } from '#contract/endpoint.ts';
import { countSearchEndpoint, searchLeadsEndpoint } from '#contract/work/search/search.ts';
import { countAreaEndpoint, type SurveyCount, searchAreaEndpoint } from '#contract/work/search/surveys.ts';
import { SPACING } from '#server/paid-calls/departure/departures.ts';
import { buildList, readCalls, readLeads } from '#test/lists.ts';
import { type CsvPlace, loadCsv } from '#test/open-data/load-csv.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

const usual = SPACING.google_places;
let product: Product;
beforeAll(async () => {
  Object.assign(SPACING, { google_places: [{ calls: 500, windowMs: 1_000 }] });
  product = await startProduct();
});
afterAll(() => void Object.assign(SPACING, { google_places: usual }));

const CITY: BodyOf<typeof countAreaEndpoint> = {
  maxResults: 'all',
  query: 'dentist',
  source: 'open_first',
  area: { kind: 'circle', center: { latitude: 38.5, longitude: -98.5 } },
  radius: 15_000,
};

async function count(user: TestUser, more: object = {}): Promise<SurveyCount> {
  const request = { ...CITY, ...more };
  await user.call(countAreaEndpoint, request);
  let seen = await user.call(countAreaEndpoint, { ...request, watch: true });
  const look = async () => {
    seen = await user.call(countAreaEndpoint, { ...request, watch: true });
    return seen.state;
  };
  await expect.poll(look, { timeout: 60_000 }).not.toBe('counting');
  return seen;
}

async function search(user: TestUser, more: object = {}) {
  const listId = await buildList(product.db, user.id);
  const before = await paidBy(user);
  const { runId } = await user.call(searchAreaEndpoint, { ...CITY, ...more, list_id: listId });
  const stateOf = async () => {
    const run = await product.db.selectFrom('app.runs').select('state').where('id', '=', runId).executeTakeFirst();
    return run?.state;
  };
  await expect.poll(stateOf, { timeout: 60_000 }).toBe('completed');
  return { leads: await readLeads(product.db, listId), paid: (await paidBy(user)) - before };
}

const paidBy = async (user: TestUser) =>
  (await readCalls(product.db, user.id)).reduce((sum, { cost_micros }) => sum + cost_micros, 0);

/** As some days later: lists with Google's values are gone, and so are remembered pages. What was matched stays. */
async function forgetGoogle(user: TestUser): Promise<void> {
  await product.db.deleteFrom('lists').where('user_id', '=', user.id).execute();
  await product.db
    .deleteFrom('app.answers')
    .where('user_id', '=', user.id)
    .where('operation', '=', 'search_page')
    .execute();
}

const openOf = (lead: Awaited<ReturnType<typeof readLeads>>[number], at: number): CsvPlace => ({
  id: `sandbox-${at}`,
  name: lead.business_name,
  category: 'dentist',
  latitude: lead.latitude ?? 0,
  longitude: lead.longitude ?? 0,
  phone: lead.phone ?? '',
});

test('an area is paid for as far as no kept match says that open data has it, for what was quoted', async () => {
  const user = await product.user();
  await user.connect('google_places', 'sandbox-city-300-open-first');
  const all = await count(user, { source: 'google' });
  const { leads: bought } = await search(user, { source: 'google' });
  expect(all.openData).toBeUndefined();
  await forgetGoogle(user);

  // All but what is in one part of it.
  const tiles = await product.db.selectFrom('app.survey_tiles').select(['ids', 'id_pages']).execute();
  const [lacking = []] = tiles
    .map(({ ids }) => ids)
    .filter(({ length }) => length > 2)
    .toSorted((a, b) => a.length - b.length);
  const had = bought.filter(({ place_id }) => place_id === null || !lacking.includes(place_id));
  await loadCsv(product.url, had.map(openOf), { source: 'city' });
  // Ids alone do not tell which place is which.
  const unmatched = await count(user);
  expect(unmatched).toMatchObject({ paidPages: all.paidPages, boundMicros: all.boundMicros });
  expect(unmatched.openData).toEqual({ places: had.length, sources: ['city'], matched: 0 });
  const first = await search(user);
  expect(first.paid).toBeGreaterThan(all.boundMicros / 2);
  expect(first.paid).toBeLessThanOrEqual(unmatched.boundMicros);
  const isMatched = ({ open_id, place_id }: (typeof bought)[number]) => open_id !== null && place_id !== null;
  const matches = new Set(first.leads.filter(isMatched).map(({ place_id }) => place_id ?? ''));
  const matched = matches.size;
  expect(matched).toBeGreaterThan(250);

  await forgetGoogle(user);
  const known = await count(user);
  expect(known.openData).toEqual({ places: had.length, sources: ['city'], matched });
  // Of each part no page behind the last one that brings something else.
  const lastPages = tiles.map(({ ids, id_pages }) =>
    Math.max(0, ...ids.map((id, at) => (matches.has(id) ? 0 : (id_pages[at] ?? 0)))),
  );
  expect(known.paidPages).toBe(lastPages.reduce((sum, page) => sum + page, 0));
  expect(known.paidPages).toBeGreaterThan(0);
  expect(known.boundMicros).toBeLessThan(all.boundMicros);
  expect(await count(user, { source: 'google' })).toMatchObject({ boundMicros: all.boundMicros });
  const second = await search(user);
  expect(second.paid).toBeGreaterThan(0);
  expect(second.paid).toBeLessThanOrEqual(known.boundMicros);
  // The same businesses as before, for less.
  const names = (leads: typeof bought) => leads.map((lead) => lead.business_name).sort();
  expect(names(second.leads)).toEqual(names(first.leads));
  expect(second.leads.filter(isMatched)).toHaveLength(matched);
});

test('what another person has matched says nothing', async () => {
  const user = await product.user();
  await user.connect('google_places', 'sandbox-city-300-open-first');
  const counted = await count(user);
  expect(counted.openData?.matched).toBe(0);
  expect(counted.boundMicros).toBe((await count(user, { source: 'google' })).boundMicros);
});

test('a page of a plain search whose places are all known to come from open data is not paid for', async () => {
  const user = await product.user();
  await user.connect('google_places', 'sandbox-open-first-page');
  const request = { query: 'plumber', location: 'Springfield, IL', radius: 40_000, maxResults: 20 };
  const plain = await buildList(product.db, user.id);
  await user.call(searchLeadsEndpoint, { ...request, list_id: plain });
  const bought = await readLeads(product.db, plain);
  expect(bought.length).toBeGreaterThan(10);
  await loadCsv(
    product.url,
    bought.map((lead, at) => ({ ...openOf(lead, at), category: 'plumber' })),
    {
      source: 'plumbers',
    },
  );
  const again = { ...request, source: 'open_first' as const };
  const first = await buildList(product.db, user.id);
  await user.call(searchLeadsEndpoint, { ...again, list_id: first });
  await forgetGoogle(user);
  const before = await paidBy(user);
  const counted = await user.call(countSearchEndpoint, again);
  expect(counted.openData?.matched).toBeGreaterThanOrEqual(bought.length);
  const later = await buildList(product.db, user.id);
  await user.call(searchLeadsEndpoint, { ...again, list_id: later });
  expect(await paidBy(user)).toBe(before);
  expect((await readLeads(product.db, later)).map((lead) => lead.place_id).sort()).toEqual(
    bought.map((lead) => lead.place_id).sort(),
  );
});
