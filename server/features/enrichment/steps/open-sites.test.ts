import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { enrichEmailsEndpoint, estimateEnrichmentEndpoint } from '#contract/work/enrichment.ts';
import { plantedSite, type SiteKind } from '#sandbox/websites/planted-site.ts';
import { buildListOf, readCalls, readLeads, readRuns } from '#test/lists.ts';
import { loadCsv } from '#test/open-data/load-csv.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';
import { findOpenEmails, findOpenSites, loadedReleases } from './find-open-emails.ts';

const HERE = { latitude: 39.8, longitude: -89.65 };
const AWAY = { latitude: 39.805, longitude: -89.65 };
const place = (id: string, more: object) => ({ id, name: `Place ${id}`, category: 'dentist', ...AWAY, ...more });
const sites = (kind: SiteKind) =>
  Array.from({ length: 2_000 }, (_, index) => `planted-${index}.example`).filter(
    (domain) => plantedSite(domain).kind === kind,
  );
const [SITE = '', HELD = ''] = sites('mailto-home');
const [EMPTY = ''] = sites('no-address');

let product: Product;
let origin: string;
beforeAll(async () => {
  product = await startProduct();
  await loadCsv(product.url, [
    place('email', { phone: '(217) 555-0101', email: 'desk.springfield@gmail.com' }),
    place('site', { phone: '(217) 555-0102', website: `https://www.${SITE}/` }),
    place('both', { phone: '(217) 555-0103', website: 'https://both.example/', email: 'desk@both.example' }),
    place('deaf', { phone: '(217) 555-0104', website: `https://${EMPTY}/`, email: 'desk@nowhere.com' }),
    place('name', { ...HERE, name: 'Gentle Smiles Dental', email: 'gentle.smiles@gmail.com' }),
    place('held', { phone: '(217) 555-0105', website: `https://${HELD}/` }),
    place('page', { phone: '(217) 555-0106', website: 'https://facebook.com/page' }),
  ]);
  const release = await product.db.selectFrom('app.open_releases').select('id').executeTakeFirstOrThrow();
  origin = `open:${release.id}`;
});

const build = (user: TestUser, leads: readonly object[]) => buildListOf(product.db, user.id, leads, { sandbox: false });
const withoutSite = { website: null, ...AWAY };
type Steps = ('open' | 'website' | 'hunter' | 'verifier')[];
const look = (user: TestUser, list_id: string, steps: Steps) => user.call(enrichEmailsEndpoint, { list_id, steps });

test('a lead without a website is looked up by its exact phone, and by name and place', async () => {
  const user = await product.user();
  const listId = await build(user, [
    { ...withoutSite, phone: '+1 217-555-0101', place_id: 'google-email' },
    { ...withoutSite, phone: '+1 217-555-0199' },
    { ...withoutSite, ...HERE, business_name: 'Gentle Smiles Dental' },
    { website: 'https://facebook.com/mine', ...AWAY, phone: '+1 217-555-0103' },
    { ...withoutSite, phone: '+1 217-555-0106' },
  ]);
  expect(await look(user, listId, ['open'])).toMatchObject({ leads_updated: 3, emails_added: 3, cost: 0 });
  const leads = await readLeads(product.db, listId);
  expect(leads.map(({ email, website, sources }) => ({ email, website, sources }))).toEqual([
    { email: 'desk.springfield@gmail.com', website: null, sources: { email: origin } },
    { email: null, website: null, sources: {} },
    { email: 'gentle.smiles@gmail.com', website: null, sources: { email: origin } },
    { email: 'desk@both.example', website: 'https://facebook.com/mine', sources: { email: origin } },
    { email: null, website: null, sources: {} },
  ]);
  const matches = await product.db.selectFrom('app.open_matches').selectAll().where('user_id', '=', user.id).execute();
  expect(matches).toMatchObject([{ place_id: 'google-email', open_id: 'city:email', reason: 'phone' }]);
  expect(await look(user, listId, ['open'])).toMatchObject({ leads_updated: 0, emails_added: 0 });
});

test('the website that is found is visited next, and keeps its release; where no mail can come, it is as well', async () => {
  const user = await product.user();
  const listId = await build(user, [
    { ...withoutSite, phone: '+1 217-555-0102', place_id: 'google-site' },
    { ...withoutSite, phone: '+1 217-555-0103' },
    { ...withoutSite, phone: '+1 217-555-0104' },
  ]);
  expect(await look(user, listId, ['open', 'website'])).toMatchObject({ emails_added: 2, cost: 0 });
  const leads = await readLeads(product.db, listId);
  expect(leads.map(({ email, website, sources }) => ({ email, website, sources }))).toEqual([
    {
      email: plantedSite(SITE).expected.email,
      website: `https://www.${SITE}/`,
      sources: { email: 'website', website: origin },
    },
    { email: 'desk@both.example', website: 'https://both.example/', sources: { email: origin, website: origin } },
    { email: null, website: `https://${EMPTY}/`, sources: { website: origin } },
  ]);
  expect(leads.map(({ site_visit }) => site_visit !== null)).toEqual([true, false, true]);
  const matches = await product.db.selectFrom('app.open_matches').selectAll().where('user_id', '=', user.id).execute();
  expect(matches).toMatchObject([{ place_id: 'google-site', open_id: 'city:site', reason: 'phone' }]);
  const [run] = await readRuns(product.db, user.id);
  expect(run?.totals).toMatchObject({ domains: 3, domainsDone: 3, sites: 2, sitesDone: 2 });
});

test('a lead that is put at a domain with an answer is still looked for', async () => {
  const user = await product.user();
  await user.connect('hunter_io', 'real-hunter-open-sites-two');
  const listId = await build(user, [
    { website: `https://${SITE}/`, ...AWAY, email: 'own@file.example', sources: { email: 'file' } },
    { ...withoutSite, phone: '+1 217-555-0102' },
    { website: `https://${EMPTY}/`, ...HERE, business_name: 'Gentle Smiles Dental' },
    { ...withoutSite, phone: '+1 217-555-0104' },
  ]);
  const steps: Steps = ['open', 'website', 'hunter'];
  expect(await user.call(estimateEnrichmentEndpoint, { list_id: listId, steps })).toMatchObject({ toLookUp: 1 });
  await look(user, listId, steps);
  const leads = await readLeads(product.db, listId);
  expect(leads.slice(0, 3).map(({ email }) => email)).toEqual([
    'own@file.example',
    plantedSite(SITE).expected.email,
    'gentle.smiles@gmail.com',
  ]);
  expect(leads[3]?.site_visit, 'visited as well').not.toBeNull();
  const [run] = await readRuns(product.db, user.id);
  expect(run?.totals).toMatchObject({ domains: 2, domainsDone: 2, sites: 2, sitesDone: 2, domainsForHunter: 1 });
});

test('Hunter is asked about a website that is found, within what was quoted', async () => {
  const user = await product.user();
  await user.connect('hunter_io', 'real-hunter-open-sites');
  const listId = await build(user, [{ ...withoutSite, phone: '+1 217-555-0104' }]);
  const steps: Steps = ['open', 'website', 'hunter'];
  const quote = await user.call(estimateEnrichmentEndpoint, { list_id: listId, steps });
  expect(quote).toMatchObject({ toLookUp: 1, boundMicros: quote.callMicros });
  const { cost } = await look(user, listId, steps);
  const calls = await readCalls(product.db, user.id);
  expect(calls.map(({ operation, subject }) => ({ operation, subject }))).toEqual([
    { operation: 'domain_search', subject: EMPTY },
  ]);
  expect(cost * 1_000_000).toBeLessThanOrEqual(quote.boundMicros);
  const without = await user.call(estimateEnrichmentEndpoint, { list_id: listId, steps: ['hunter'] });
  expect(without.toLookUp).toBe(0);
});

test('leads are looked up by indexes alone', async () => {
  const user = await product.user();
  const listId = await build(user, [
    { ...withoutSite, phone: '+1 217-555-0102' },
    { ...withoutSite, phone: '+1 217-555-0101' },
    { website: 'https://facebook.com/mine', ...AWAY, phone: '+1 217-555-0103' },
  ]);
  const ids = (await readLeads(product.db, listId)).map(({ id }) => id);
  const scans = await product.db.transaction().execute(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx);
    const releases = await loadedReleases(tx, false);
    expect(await findOpenSites(tx, user.id, releases, ids)).toHaveLength(3);
    expect(await findOpenEmails(tx, user.id, releases, ids)).toHaveLength(1);
    const { rows } = await sql<{ scans: number }>`
      select seq_scan::integer as scans from pg_stat_xact_user_tables where relname = 'open_places'`.execute(tx);
    return rows[0]?.scans;
  });
  expect(scans).toBe(0);
});

test('no one who is suppressed is looked up, and no website of a suppressed domain is taken or visited', async () => {
  const user = await product.user();
  for (const [kind, key] of [
    ['domain', `domain:${HELD}`],
    ['phone', 'phone:+12175550101'],
  ] as const)
    await product.db.insertInto('app.suppressions').values({ kind, key, source: 'hand' }).execute();
  const listId = await build(user, [
    { ...withoutSite, phone: '+1 217-555-0101' },
    { ...withoutSite, phone: '+1 217-555-0105' },
  ]);
  await look(user, listId, ['open', 'website']);
  const leads = await readLeads(product.db, listId);
  expect(leads.map(({ email, website, site_visit }) => ({ email, website, site_visit }))).toEqual([
    { email: null, website: null, site_visit: null },
    { email: null, website: null, site_visit: null },
  ]);
  expect(leads[1]?.contact_keys).not.toContain(`domain:${HELD}`);
});
