import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { countLeadsEndpoint } from '#contract/work/lead-counts.ts';
import { listSourcesEndpoint } from '#contract/work/open-data.ts';
import { leadOriginsEndpoint } from '#contract/work/open-origins.ts';
import { searchLeadsEndpoint } from '#contract/work/search/search.ts';
import { searchOpenEndpoint } from '#contract/work/search/search-open.ts';
import { resolveArea } from '#server/features/search/area/resolve-area.ts';
import { importFile } from '#test/imports.ts';
import { buildList, readCalls, readLeads, readList, readRuns } from '#test/lists.ts';
import { type CsvPlace, loadCsv } from '#test/open-data/load-csv.ts';
import { type Product, type Refusal, startProduct, type TestUser } from '#test/product.ts';
import { knownMatches, putKnownIds } from './known-matches.ts';
import { matchOpen } from './match-open.ts';

const SPRINGFIELD = { latitude: 39.8, longitude: -89.65 };
const place = (id: string, more: Partial<CsvPlace> = {}): CsvPlace => ({
  id,
  name: `Business ${id}`,
  category: 'dentist',
  ...SPRINGFIELD,
  ...more,
});

let product: Product;
let user: TestUser;
beforeAll(async () => {
  product = await startProduct();
  user = await product.user();
});

const newList = (who = user) => buildList(product.db, who.id);
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => 'answered',
    (error: Refusal) => error.code,
  );
const search = async (more: object = {}, who = user) => {
  const list_id = await newList(who);
  const input = {
    source: 'open' as const,
    query: 'dentist',
    location: 'Springfield, IL',
    radius: 20_000,
    list_id,
    ...more,
  };
  return { list_id, ...(await who.call(searchOpenEndpoint, input)) };
};
const namesOf = ({ leads }: { leads: { business_name: string }[] }) => leads.map((lead) => lead.business_name).sort();

test('with nothing loaded, a search says so and its list has failed', async () => {
  const list_id = await newList();
  const asked = user.call(searchOpenEndpoint, {
    source: 'open',
    query: 'dentist',
    location: 'Springfield, IL',
    radius: 9_000,
    list_id,
  });
  expect(await refusal(asked)).toBe('CONFLICT');
  expect((await readList(product.db, list_id)).status).toBe('failed');
});

test('finds by type, by another word for it, by name and in every kind of area, without key, run or cost', async () => {
  await loadCsv(product.url, [
    place('1', {
      phone: '+1 217-555-0101',
      website: 'https://one.example/',
      email: 'hello@one.example',
      confidence: '0.9',
    }),
    place('2', { name: 'Gentle Smiles', category: 'Dental Clinic' }),
    place('3', { name: 'Smith Plumbing', category: 'plumber' }),
    place('4', { name: 'Chicago Teeth', latitude: 41.88, longitude: -87.63 }),
    ...Array.from({ length: 80 }, (_, index) => place(`many${index}`, { category: 'florist' })),
  ]);
  const found = await search();
  expect(namesOf(found)).toEqual(['Business 1', 'Gentle Smiles']);
  expect(found).toMatchObject({ place: 'Springfield, IL', found: 2, added: 2 });
  expect(namesOf(await search({ query: 'dental offices' }))).toEqual(['Business 1', 'Gentle Smiles']);
  expect(namesOf(await search({ query: 'smith' }))).toEqual(['Smith Plumbing']);
  expect((await search({ query: 'flower shops' })).added).toBe(80);
  expect((await search({ queries: ['florist', 'plumber'], maxResults: 20 })).added).toBe(20);
  const all = { maxResults: 'all', location: undefined, radius: undefined };
  const polygon = {
    type: 'Polygon',
    coordinates: [
      [
        [-89.7, 39.7],
        [-89.6, 39.7],
        [-89.6, 39.9],
        [-89.7, 39.9],
        [-89.7, 39.7],
      ],
    ],
  };
  for (const area of [
    { kind: 'county', fips: '17167' },
    { kind: 'zips', codes: ['62701', '62702', '62703', '62704'] },
    { kind: 'polygon', geometry: polygon },
  ])
    expect((await search({ ...all, area })).found, area.kind).toBe(2);
  expect((await search({ ...all, area: { kind: 'state', code: 'IL' } })).found).toBe(3);
  const [lead] = await readLeads(product.db, found.list_id);
  expect(lead).toMatchObject({ open_id: 'city:1', place_id: null, place_call_id: null, email: 'hello@one.example' });
  const [release] = (await user.call(listSourcesEndpoint)).sources;
  expect(release).toMatchObject({
    source: 'city',
    license: 'CC-BY-4.0',
    release: '2026-10-01',
    count: 84,
    sandbox: false,
    searched: 'first',
  });
  const from = `open:${release?.id}`;
  expect(lead?.sources).toEqual({ business_name: from, phone: from, website: from, email: from });
  expect(found.leads[0]?.open).toEqual({
    name: from,
    title: 'city',
    release: '2026-10-01',
    license: 'CC-BY-4.0',
    confidence: 0.9,
    stated: '2026-10-01',
    goneOn: null,
  });
  const ids = found.leads.map(({ id }) => id).join();
  const { leads: origins } = await user.call(leadOriginsEndpoint, undefined, { listId: found.list_id, ids });
  expect(origins.map(({ id, confidence }) => [id, confidence]).toSorted()).toEqual(
    found.leads.map(({ id, open }) => [id, open?.confidence ?? null]).toSorted(),
  );
  const stranger = await product.user();
  expect(await refusal(stranger.call(leadOriginsEndpoint, undefined, { listId: found.list_id, ids }))).toBe(
    'NOT_FOUND',
  );
  const counts = await user.call(countLeadsEndpoint, {}, { listId: found.list_id });
  expect(counts).toMatchObject({ leads: 2, openData: 2 });
  expect(await readList(product.db, found.list_id)).toMatchObject({
    status: 'completed',
    sandbox: false,
    lead_count: 2,
    has_emails: true,
  });
  expect(await readRuns(product.db, user.id)).toEqual([]);
  expect(await readCalls(product.db, user.id)).toEqual([]);
});

test('the same again adds nothing, and what stands in other lists can be left out', async () => {
  const other = await product.user();
  const list_id = await newList(other);
  const input = { source: 'open' as const, query: 'dentist', location: '62701', radius: 20_000, list_id };
  expect(await other.call(searchOpenEndpoint, input)).toMatchObject({ found: 2, added: 2 });
  expect(await other.call(searchOpenEndpoint, input)).toMatchObject({ found: 2, added: 0, duplicates: 2 });
  expect(await search({ onlyNew: true }, other)).toMatchObject({ found: 2, added: 0, alreadyListed: 2 });
  expect(await refusal(user.call(searchOpenEndpoint, input))).toBe('NOT_FOUND');
  expect(await refusal(search({ location: 'Nowhere At All, IL' }))).toBe('UNKNOWN_PLACE');
});

test('what has closed or is gone is not found, and one business of two sources is one lead', async () => {
  await loadCsv(product.url, [place('twin', { name: 'Business 1, LLC', phone: '217.555.0101' })], {
    source: 'chamber',
  });
  expect(await search()).toMatchObject({ found: 3, added: 2, duplicates: 1 });
  await sql`update app.open_places set gone_on = current_date where source_id = '2'`.execute(product.db);
  await sql`update app.open_places set closed = true where source_id = 'twin'`.execute(product.db);
  expect(await search()).toMatchObject({ found: 1, added: 1 });
});

test('places of a source that is removed meanwhile are neither found nor duplicates', async () => {
  await loadCsv(product.url, [place('leaving', { name: 'Vanishing Works' })], { source: 'leaving' });
  const waiting = () =>
    sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query ~ 'insert into public.leads'`.execute(
      product.db,
    );
  const searching = await product.db.transaction().execute(async (tx) => {
    await sql`lock table public.leads in share mode`.execute(tx);
    const pending = search({ query: 'vanishing works' });
    await expect.poll(async () => (await waiting()).rows.length).toBe(1);
    await sql`delete from app.open_places where source = 'leaving'`.execute(tx);
    return { pending };
  });
  expect(await searching.pending).toMatchObject({ found: 0, added: 0, duplicates: 0, beyondMaximum: 0, sources: [] });
});

test('places under a license that restricts their use are known again, read without an export', async () => {
  await loadCsv(product.url, [place('closed', { name: 'Guarded Works', phone: '217-555-0177' })], {
    source: 'chamber',
    license: 'CC-BY-NC-4.0',
  });
  expect(await search({ query: 'guarded works' })).toMatchObject({ added: 1 });
  const text = 'Company,Phone\nGuarded Works,(217) 555-0177\n';
  const back = await importFile(product, user, text, { duplicates: 'add' });
  expect((await readLeads(product.db, back.list))[0]?.sources).toMatchObject({
    business_name: expect.stringMatching(/^file:open:\d+$/),
    phone: expect.stringMatching(/^file:open:\d+$/),
  });
});

test('what is no email, phone or website never becomes one of a lead', async () => {
  const contacts = [
    { email: 'not-an-email', phone: 'call us', website: 'none' },
    { email: 'user@example.com', phone: '12345', website: 'ftp://files.example/' },
    { email: 'Mailto:Desk@Firm.example', phone: '(217) 555-0150', website: 'firm.example/shop' },
    { email: 'a@firm.example; b@firm.example', phone: '+44 20 7946 0958', website: 'https://facebook.com/firm' },
    { email: 'x@y', phone: '217-555-0151 ext. 9', website: 'javascript:alert(1)//firm.example' },
  ];
  await loadCsv(
    product.url,
    contacts.map((one, index) => place(`contact${index}`, { name: `Contact ${index}`, category: 'tailor', ...one })),
    { source: 'contacts' },
  );
  const { leads } = await search({ query: 'tailor' });
  const told = new Map(
    leads.map(({ business_name, email, phone, website }) => [business_name, [email, phone, website]]),
  );
  expect([...told].toSorted()).toEqual([
    ['Contact 0', [null, null, null]],
    ['Contact 1', [null, null, null]],
    ['Contact 2', ['desk@firm.example', '+1 217-555-0150', 'firm.example/shop']],
    ['Contact 3', ['a@firm.example', '+44 20 7946 0958', 'https://facebook.com/firm']],
    ['Contact 4', [null, '+1 217-555-0151 ext. 9', null]],
  ]);
});

test('places under the ODbL are read where the others have nothing, and one list never mixes them', async () => {
  const douglas = { latitude: 54.17, longitude: -4.45 };
  await loadCsv(
    product.url,
    [
      place('pub', { name: 'The Archibald', category: 'pub', ...douglas }),
      place('tooth', { name: 'Dentist of the Map', category: 'dentist' }),
    ],
    { source: 'map', license: 'ODbL-1.0' },
  );
  const sources = (await user.call(listSourcesEndpoint)).sources.map(({ source, searched }) => [source, searched]);
  expect(sources).toContainEqual(['city', 'first']);
  expect(sources).toContainEqual(['map', 'last']);

  const area = { kind: 'circle' as const, center: douglas };
  const pubs = { query: 'pub', area, location: 'Douglas', radius: 20_000 };
  const found = await search(pubs);
  expect(found).toMatchObject({ found: 1, added: 1, sources: ['map'] });
  expect(namesOf(found)).toEqual(['The Archibald']);
  const here = resolveArea({ ...area, meters: 20_000 });
  const known = (listId?: string) =>
    knownMatches(product.db, { userId: user.id, sandbox: false, listId }, { queries: ['pub'], area: here });
  expect(await known()).toMatchObject({ places: 1, sources: ['map'] });

  // Read without an export, and brought back, it is still of the map.
  const text = 'Company,Notes\nThe Archibald,a regular\nMine,a regular\n';
  const back = await importFile(product, user, text, { duplicates: 'add' });
  const origins = (await readLeads(product.db, back.list)).map((lead) => lead.sources);
  expect(origins).toMatchObject([
    { business_name: expect.stringMatching(/^file:open:\d+$/) },
    { business_name: 'file' },
  ]);

  const dentists = await search();
  expect(namesOf(dentists)).not.toContain('Dentist of the Map');
  expect(dentists.sources).not.toContain('map');
  // Each list stays with what it has.
  expect(await search({ list_id: found.list_id })).toMatchObject({ found: 1, sources: ['map'] });
  expect(await search({ ...pubs, list_id: dentists.list_id })).toMatchObject({ found: 0, sources: [] });
  expect(await known(dentists.list_id)).toMatchObject({ places: 0 });
  await sql`update app.open_releases set removed_at = now() where source = 'map'`.execute(product.db);
  expect(await refusal(search({ ...pubs, list_id: found.list_id }))).toBe('CONFLICT');
});

test('invented places make a sandbox list, and the two never mix', async () => {
  await loadCsv(product.url, [place('sandbox-1', { name: 'Invented Dentist' })], { source: 'invented' });
  const sandboxed = await product.user();
  await sandboxed.connect('google_places', 'sandbox-open');
  const searchedBy = async (who: TestUser) =>
    Object.fromEntries((await who.call(listSourcesEndpoint)).sources.map(({ source, searched }) => [source, searched]));
  expect(await searchedBy(sandboxed)).toMatchObject({ invented: 'first', city: 'never' });
  expect(await searchedBy(user)).toMatchObject({ invented: 'never', city: 'first' });
  const found = await search({}, sandboxed);
  expect(namesOf(found)).toEqual(['Invented Dentist']);
  expect((await readList(product.db, found.list_id)).sandbox).toBe(true);
  const list_id = await buildList(product.db, user.id, { sandbox: true });
  const mine = await user.call(searchOpenEndpoint, {
    source: 'open',
    query: 'dentist',
    location: '62701',
    radius: 20_000,
    list_id,
  });
  expect(namesOf(mine)).toEqual(['Invented Dentist']);
});

test('open data first: a place of Google that is there already keeps its id and the reason, and no value', async () => {
  const buyer = await product.user();
  await buyer.connect('google_places', 'sandbox-first');
  const google = await newList(buyer);
  const request = { query: 'plumber', location: 'Springfield, IL', radius: 40_000, maxResults: 20 };
  await buyer.call(searchLeadsEndpoint, { ...request, list_id: google });
  const bought = await readLeads(product.db, google);
  const [one, two, branch] = bought.filter(({ phone, latitude }) => phone && latitude !== null);
  if (!one || !two || !branch) throw new Error('The sandbox has no plumbers here.');
  const at = ({ latitude, longitude }: typeof one) => ({ latitude: latitude ?? 0, longitude: longitude ?? 0 });
  await loadCsv(
    product.url,
    [
      place('sandbox-a', { name: 'Other Name', category: 'plumber', ...at(one), phone: one.phone ?? '' }),
      place('sandbox-b', { name: two.business_name, category: 'plumbing', ...at(two), phone: '+1 217-555-0199' }),
      place('sandbox-c', { name: 'Only Here', category: 'plumber', ...at(two), phone: '+1 217-555-0198' }),
      // Ten kilometers away: the office that answers for the branch.
      place('sandbox-d', {
        name: 'Chain Office',
        category: 'plumber',
        phone: branch.phone ?? '',
        latitude: at(branch).latitude + 0.09,
        longitude: at(branch).longitude,
      }),
    ],
    { source: 'first' },
  );
  const list_id = await newList(buyer);
  await buyer.call(searchLeadsEndpoint, { ...request, source: 'open_first', list_id });
  const leads = await readLeads(product.db, list_id);
  const open = leads.filter((lead) => lead.open_id !== null);
  expect(
    open.map(({ open_id, business_name, place_id, website, address, place_call_id }) => ({
      open_id,
      business_name,
      place_id,
      website,
      address,
      place_call_id,
    })),
  ).toEqual([
    {
      open_id: 'first:sandbox-a',
      business_name: 'Other Name',
      place_id: one.place_id,
      website: null,
      address: null,
      place_call_id: null,
    },
    {
      open_id: 'first:sandbox-b',
      business_name: two.business_name,
      place_id: two.place_id,
      website: null,
      address: null,
      place_call_id: null,
    },
    {
      open_id: 'first:sandbox-c',
      business_name: 'Only Here',
      place_id: null,
      website: null,
      address: null,
      place_call_id: null,
    },
    {
      open_id: 'first:sandbox-d',
      business_name: 'Chain Office',
      place_id: null,
      website: null,
      address: null,
      place_call_id: null,
    },
  ]);
  expect(leads.filter((lead) => lead.open_id === null).map((lead) => lead.place_id)).toEqual(
    bought.map((lead) => lead.place_id).filter((id) => id !== one.place_id && id !== two.place_id),
  );
  const matches = await product.db
    .selectFrom('app.open_matches')
    .selectAll()
    .where('user_id', '=', buyer.id)
    .orderBy('open_id')
    .execute();
  expect(matches.map(({ open_id, place_id, reason }) => [open_id, place_id, reason])).toEqual([
    ['first:sandbox-a', one.place_id, 'phone'],
    ['first:sandbox-b', two.place_id, 'name_and_distance'],
  ]);

  // What was known before stays known from then.
  const again = { id: one.place_id ?? '', name: one.business_name, phone: one.phone ?? '', ...at(one) };
  await product.db
    .transaction()
    .execute((tx) => matchOpen(tx, list_id, [{ ...again, serviceArea: false, closedPermanently: false }]));
  const since = product.db.selectFrom('app.open_matches').select('matched_at').where('user_id', '=', buyer.id);
  expect((await since.orderBy('open_id').execute()).map((match) => match.matched_at)).toEqual(
    matches.map((match) => match.matched_at),
  );

  // What another run shows while a run is at work is none of its business: taken up again, it has as much room left as it had.
  const run = (await readRuns(product.db, buyer.id)).find((one) => one.list_id === list_id);
  const taken = { id: run?.id ?? '', listId: list_id, userId: buyer.id, sandbox: true, input: {}, totals: {} };
  const later = {
    user_id: buyer.id,
    open_id: 'first:sandbox-c',
    place_id: 'shown-later',
    reason: 'phone',
    sandbox: true,
  };
  await product.db.insertInto('app.open_matches').values(later).execute();
  const idOfC = async () =>
    (await readLeads(product.db, list_id)).find((one) => one.open_id === later.open_id)?.place_id;
  await product.db.transaction().execute((tx) => putKnownIds(tx, taken));
  expect(await idOfC()).toBeNull();
  await sql`update app.open_matches set matched_at = now() - interval '1 hour' where place_id = 'shown-later'`.execute(
    product.db,
  );
  await product.db.transaction().execute((tx) => putKnownIds(tx, taken));
  expect(await idOfC()).toBe('shown-later');
});
