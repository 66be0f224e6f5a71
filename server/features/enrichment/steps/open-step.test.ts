import { beforeAll, expect, test } from 'vitest';
import { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import { buildListOf, readLeads, readRuns } from '#test/lists.ts';
import { loadCsv } from '#test/open-data/load-csv.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

const HERE = { latitude: 39.8, longitude: -89.65 };
/** Some hundred meters away. */
const AWAY = { latitude: 39.805, longitude: -89.65 };
const CLOSE = { latitude: 39.9, longitude: -89.65 };
const BESIDE = { latitude: 39.9, longitude: -89.651 };
const place = (id: string, more: object) => ({ id, name: `Place ${id}`, category: 'dentist', ...AWAY, ...more });

let product: Product;
let releaseId: number;
beforeAll(async () => {
  product = await startProduct();
  await loadCsv(product.url, [
    place('phone', { phone: '(217) 555-0101', email: 'desk@phone-place.example' }),
    place('near', { ...HERE, website: 'https://chain.example/here', email: 'here@chain.example' }),
    place('far', { website: 'https://chain.example/far', email: 'far@chain.example' }),
    place('name', { ...HERE, name: 'Gentle Smiles Dental', email: 'hi@smiles.example' }),
    place('alone', { website: 'https://alone.example/', email: 'desk@alone.example' }),
    place('deaf', { phone: '(217) 555-0102', email: 'desk@nowhere.com' }),
    place('form', { phone: '(217) 555-0103', email: 'not an address' }),
    place('bakery', {
      name: 'Sunrise Bakery',
      phone: '(217) 555-0110',
      email: 'bread@sunrise.example',
      website: 'https://sunrise.example/',
      latitude: 34.05,
      longitude: -118.24,
      street: '5 Main St',
      city: 'Los Angeles',
      state: 'CA',
      zip: '90012',
    }),
    place('a lab', { ...CLOSE, name: 'Quay Dental Lab', phone: '(217) 555-0120', email: 'quay.lab@gmail.com' }),
    place('b practice', { ...CLOSE, name: 'Quay Dental', phone: '(217) 555-0120', email: 'quay.desk@gmail.com' }),
    place('c practice', { ...CLOSE, name: 'Harbor Dental' }),
    place('c lab', { ...CLOSE, name: 'Harbor Dental Lab', email: 'harbor.lab@gmail.com' }),
    place('d other', { ...CLOSE, name: 'Harbor Bakery', phone: '(217) 555-0121' }),
    place('d same', { ...CLOSE, name: 'Harbor Bakery', email: 'harbor.bread@gmail.com' }),
    place('e old', { ...CLOSE, name: 'Harbor Tire Shop' }),
    place('e new', { ...CLOSE, name: 'Harbor Tires', phone: '(217) 555-0122', email: 'harbor.tires@gmail.com' }),
    place('f own', { ...CLOSE, name: 'Quay Subs', phone: '(217) 555-0123' }),
    place('f other', { ...BESIDE, name: 'Quay Subs', phone: '(217) 555-0124', email: 'quay.subs@gmail.com' }),
    place('g own', { ...CLOSE, name: 'Quay Nails', website: 'https://nails-one.example/' }),
    place('g other', {
      ...BESIDE,
      name: 'Quay Nails',
      website: 'https://nails-two.example/',
      email: 'nails@gmail.com',
    }),
    place('pair one', { website: 'https://pair.example/one', email: 'one@pair.example' }),
    place('pair two', { ...HERE, website: 'https://pair.example/two' }),
    place('taken', { phone: '(217) 555-0104', email: 'new@taken.example' }),
  ]);
  const release = await product.db.selectFrom('app.open_releases').select(['id', 'sandbox']).executeTakeFirstOrThrow();
  expect(release.sandbox).toBe(false);
  releaseId = release.id;
});

const build = (user: TestUser, leads: readonly object[], sandbox = false) =>
  buildListOf(product.db, user.id, leads, { sandbox });
const look = (user: TestUser, listId: string) => user.call(enrichEmailsEndpoint, { list_id: listId, steps: ['open'] });
const site = (name: string) => ({ website: `https://${name}.example/` });

test('an email of open data is found by phone, by domain and place, and by name and place', async () => {
  const user = await product.user();
  const listId = await build(user, [
    { ...site('one'), ...AWAY, phone: '+1 217-555-0101' },
    { ...site('chain'), ...HERE, place_id: 'google-near' },
    { ...site('two'), ...HERE, business_name: 'Gentle Smiles Dental' },
    site('alone'),
    { ...site('three'), ...AWAY, phone: '+1 217-555-0102' },
    { ...site('four'), ...AWAY, phone: '+1 217-555-0103' },
    { ...site('five'), ...AWAY, phone: '+1 217-555-0104', email: 'own@five.example', sources: { email: 'file' } },
    { ...site('six'), ...AWAY, business_name: 'Someone Else' },
  ]);
  expect(await look(user, listId)).toMatchObject({ leads_updated: 4, emails_added: 4, cost: 0 });
  const leads = await readLeads(product.db, listId);
  expect(leads.map(({ email }) => email)).toEqual([
    'desk@phone-place.example',
    'here@chain.example',
    'hi@smiles.example',
    'desk@alone.example',
    null,
    null,
    'own@five.example',
    null,
  ]);
  expect(leads[0]).toMatchObject({
    sources: { email: `open:${releaseId}` },
    email_confidence: null,
    email_call_id: null,
  });
  const matches = await product.db.selectFrom('app.open_matches').selectAll().where('user_id', '=', user.id).execute();
  expect(matches).toMatchObject([{ place_id: 'google-near', open_id: 'city:near', reason: 'domain', sandbox: false }]);
  expect((await readRuns(product.db, user.id))[0]).toMatchObject({ state: 'completed', bound_micros: 0 });
  expect(await look(user, listId)).toMatchObject({ leads_updated: 0, emails_added: 0 });
});

test('a phone alone tells nothing of a business that stands elsewhere, or no one knows where', async () => {
  const user = await product.user();
  const phone = '+1 217-555-0110';
  const plumber = { business_name: 'Springfield Plumbing', phone };
  const listId = await build(user, [
    { ...site('ten'), ...HERE, ...plumber, place_id: 'google-plumber' },
    { ...site('eleven'), ...plumber },
    { ...site('twelve'), ...plumber, address: '9 Elm St, Springfield, IL 62701, USA' },
    { ...site('thirteen'), ...plumber, address: '9 Elm St, Los Angeles, CA 90012-1234, USA' },
    { ...site('fourteen'), ...plumber, address: 'Los Angeles, CA' },
    { ...site('fifteen'), ...HERE, phone, business_name: 'The Sunrise Bakery' },
    { ...site('sunrise'), ...HERE, ...plumber },
    { ...site('sixteen'), ...plumber, latitude: 34.06, longitude: -118.24 },
  ]);
  await look(user, listId);
  const found = 'bread@sunrise.example';
  expect((await readLeads(product.db, listId)).map(({ email }) => email)).toEqual([
    ...[null, null, null],
    ...[found, found, found, found, found],
  ]);
  const matches = product.db.selectFrom('app.open_matches').selectAll().where('user_id', '=', user.id);
  expect(await matches.execute()).toEqual([]);
});

test('a domain of many places tells nothing where no one knows where the lead stands', async () => {
  const user = await product.user();
  const listId = await build(user, [site('chain')]);
  await look(user, listId);
  expect((await readLeads(product.db, listId)).map(({ email }) => email)).toEqual([null]);
});

test('what was matched before is found by its ids alone', async () => {
  const user = await product.user();
  await product.db
    .insertInto('app.open_matches')
    .values({ user_id: user.id, place_id: 'google-known', open_id: 'city:name', reason: 'phone', sandbox: false })
    .execute();
  const listId = await build(user, [{ ...site('seven'), place_id: 'google-known' }]);
  await look(user, listId);
  expect((await readLeads(product.db, listId)).map(({ email }) => email)).toEqual(['hi@smiles.example']);
});

test('real open data never reaches a list of the sandbox, nor anyone who is suppressed', async () => {
  const user = await product.user();
  const invented = await build(user, [{ ...site('eight'), ...AWAY, phone: '+1 217-555-0101' }], true);
  await look(user, invented);
  await product.db
    .insertInto('app.suppressions')
    .values({ kind: 'domain', key: 'domain:nine.example', source: 'hand' })
    .execute();
  const held = await build(user, [{ ...site('nine'), ...AWAY, phone: '+1 217-555-0101' }]);
  await look(user, held);
  for (const listId of [invented, held])
    expect((await readLeads(product.db, listId)).map(({ email }) => email)).toEqual([null]);
});

test('of several places that may be the same business, the one with the most alike name counts', async () => {
  const user = await product.user();
  const listId = await build(user, [
    { ...site('seven'), ...CLOSE, business_name: 'Quay Dental' },
    { ...site('eight'), ...CLOSE, business_name: 'Quay Dental Lab' },
    { website: null, ...CLOSE, business_name: 'Quay Dental', phone: '+1 217-555-0120' },
  ]);
  await look(user, listId);
  const emails = (await readLeads(product.db, listId)).map(({ email }) => email);
  expect(emails).toEqual(['quay.desk@gmail.com', 'quay.lab@gmail.com', 'quay.desk@gmail.com']);
});

test('where the business itself is known and has no email, that of one with a like name beside it is not taken', async () => {
  const user = await product.user();
  const named = (business_name: string, phone: string | null = null) => ({ ...CLOSE, business_name, phone });
  const leads = [
    named('Harbor Dental'),
    named('Harbor Dental Lab'),
    named('Harbor Bakery', '+1 217-555-0121'),
    named('Harbor Tire Shop', '+1 217-555-0122'),
    named('Quay Subs', '+1 217-555-0123'),
    named('Quay Subs', '+1 217-555-0124'),
    named('Quay Nails'),
  ];
  const emails = [
    ...[null, 'harbor.lab@gmail.com', 'harbor.bread@gmail.com', 'harbor.tires@gmail.com'],
    ...[null, 'quay.subs@gmail.com', null],
  ];
  for (const shown of [{ website: null }, site('nineteen')]) {
    const listId = await build(
      user,
      leads.map((lead) => ({ ...lead, ...shown })),
    );
    await look(user, listId);
    expect((await readLeads(product.db, listId)).map(({ email }) => email)).toEqual(emails);
  }
});

test('a domain of two places tells nothing of a lead whose place no one knows, if one alone has an email', async () => {
  const user = await product.user();
  const listId = await build(user, [site('pair')]);
  await look(user, listId);
  expect((await readLeads(product.db, listId)).map(({ email }) => email)).toEqual([null]);
});
