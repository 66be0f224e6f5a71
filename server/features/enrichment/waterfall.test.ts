import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { estimateEnrichmentEndpoint } from '#contract/work/enrichment.ts';
import { cancelRunEndpoint } from '#contract/work/runs.ts';
import { plantedSite } from '#sandbox/websites/planted-site.ts';
import { enrich, leads, ofKind, setUpWaterfall } from '#test/enrichment/waterfall.ts';
import { buildListOf, readLeads, readList, readRuns } from '#test/lists.ts';

const waterfall = setUpWaterfall();
const { domains, visits, connected } = waterfall;

test('without any key, a list is enriched from the websites', async () => {
  const user = await waterfall.product.user();
  const [first = '', second = ''] = domains('mailto-contact', 2);
  const [refused = ''] = domains('robots-refuse');
  const listId = await buildListOf(waterfall.product.db, user.id, leads([first, second, refused]), ofKind(true));
  expect(await user.call(estimateEnrichmentEndpoint, { list_id: listId, steps: ['website'] })).toMatchObject({
    toVisit: 3,
    toLookUp: 0,
    boundMicros: 0,
  });
  expect(await enrich(user, listId, ['website'])).toEqual({
    total_domains_processed: 3,
    leads_updated: 2,
    emails_added: 2,
    contacts_added: 0,
    websites_found: 2,
    cost: 0,
  });
  const stored = await readLeads(waterfall.product.db, listId);
  expect(stored.map(({ email }) => email)).toEqual([plantedSite(first).email, plantedSite(second).email, null]);
  expect(stored[0]).toMatchObject({
    email_confidence: null,
    email_call_id: null,
    sources: { email: 'website' },
    site_visit: { status: 'found', email: { page: `https://www.${first}/contact`, mail: 'accepts' } },
  });
  expect(stored[2]?.site_visit).toMatchObject({ status: 'refused_by_robots', emails: [] });
  const { rows } = await sql`
    select (extract(epoch from expires_at - visited_at) / 86400)::integer as days from app.website_answers where domain in (${first}, ${refused})
    order by days
  `.execute(waterfall.product.db);
  expect(rows).toEqual([{ days: 1 }, { days: 30 }]);
  expect(await readList(waterfall.product.db, listId)).toMatchObject({
    status: 'completed',
    tier2_complete: true,
    has_emails: true,
  });
  const [run] = await readRuns(waterfall.product.db, user.id);
  expect(run).toMatchObject({ bound_micros: 0, totals: { sites: 3, sitesDone: 3, sitesFound: 2, sitesRefused: 1 } });
}, 30_000);

test('Hunter is not asked about domains that take no mail', async () => {
  const { user, asked } = await connected();
  const deaf = domains('refuses-mail', 6);
  const listId = await buildListOf(waterfall.product.db, user.id, leads(deaf), ofKind(true));
  expect(await enrich(user, listId)).toMatchObject({ total_domains_processed: deaf.length, cost: 0 });
  expect(asked()).toBe(0);
  expect((await readLeads(waterfall.product.db, listId)).map(({ email }) => email)).toEqual(deaf.map(() => null));
}, 30_000);

test('without steps Hunter is part of it, so its key is asked for', async () => {
  const user = await waterfall.product.user();
  const listId = await buildListOf(waterfall.product.db, user.id, leads(domains('mailto-home')), ofKind(true));
  await expect(enrich(user, listId)).rejects.toMatchObject({
    code: 'MISSING_API_KEY',
    message: 'Hunter.io API key is missing. Add it in Settings > API Providers.',
  });
});

test('with Hunter alone no website is visited', async () => {
  const { user, asked } = await connected();
  const listId = await buildListOf(waterfall.product.db, user.id, leads(domains('mailto-home', 2)), ofKind(true));
  visits.length = 0;
  await enrich(user, listId, ['hunter']);
  expect(asked()).toBe(2);
  expect(visits).toEqual([]);
});

test('a page on a social network is not visited, and its lead says so once', async () => {
  const user = await waterfall.product.user();
  const pages = [{ business_name: 'Social', website: 'https://www.facebook.com/social.invented' }];
  const listId = await buildListOf(
    waterfall.product.db,
    user.id,
    [...pages, ...leads(domains('mailto-home'))],
    ofKind(true),
  );
  const first = async () => (await readLeads(waterfall.product.db, listId))[0];
  await enrich(user, listId, ['website']);
  const told = await first();
  expect(told?.site_visit).toMatchObject({ status: 'social_only', emails: [] });
  await enrich(user, listId, ['website']);
  expect(await first()).toEqual(told);
}, 30_000);

test('a notice stays while its site cannot be read', async () => {
  const { user, asked } = await connected();
  // The sandbox's Hunter knows three domains in four.
  const names = domains('server-error', 4);
  const notice = { words: 'You may not harvest addresses.', page: 'https://firm.example/terms' };
  const site_visit = {
    status: 'nothing',
    emails: [],
    phones: [],
    profiles: [],
    notice,
    at: '2026-10-01T00:00:00.000Z',
  };
  const told = leads(names).map((lead) => ({ ...lead, site_visit: JSON.stringify(site_visit) }));
  const listId = await buildListOf(waterfall.product.db, user.id, told, ofKind(true));
  const both = ['website', 'hunter'] as const;
  await enrich(user, listId, [...both]);
  await enrich(user, listId, ['hunter']);
  expect(await user.call(estimateEnrichmentEndpoint, { list_id: listId, steps: [...both] })).toMatchObject({
    toVisit: 0,
    toLookUp: 0,
  });
  expect(asked()).toBe(0);
  for (const lead of await readLeads(waterfall.product.db, listId)) expect(lead.site_visit).toEqual(site_visit);
}, 30_000);

test('sandbox and real websites are never mixed', async () => {
  const user = await waterfall.product.user();
  const [domain = ''] = domains('mailto-home');
  const real = await buildListOf(waterfall.product.db, user.id, leads([domain]), ofKind(false));
  await enrich(user, real, ['website']);
  const rows = await waterfall.product.db
    .selectFrom('app.website_answers')
    .select(['sandbox'])
    .where('domain', '=', domain)
    .execute();
  expect(rows).toEqual([{ sandbox: false }]);
  const invented = await buildListOf(waterfall.product.db, user.id, leads([domain]), ofKind(true));
  expect(await user.call(estimateEnrichmentEndpoint, { list_id: invented, steps: ['website'] })).toMatchObject({
    toVisit: 1,
  });
}, 30_000);

test('who is suppressed is not visited, and an email that someone has stays', async () => {
  const user = await waterfall.product.user();
  const [suppressed = '', kept = ''] = domains('mailto-home', 2);
  const listId = await buildListOf(
    waterfall.product.db,
    user.id,
    [...leads([suppressed]), { website: `https://${kept}/`, email: 'own@file.example', sources: { email: 'file' } }],
    ofKind(true),
  );
  await waterfall.product.db
    .insertInto('app.suppressions')
    .values({ kind: 'domain', key: `domain:${suppressed}`, source: 'hand' })
    .execute();
  visits.length = 0;
  await enrich(user, listId, ['website']);
  expect(visits).toEqual([]);
  expect((await readLeads(waterfall.product.db, listId)).map(({ email }) => email)).toEqual([null, 'own@file.example']);
});

test('a run that is canceled while it waits for its turn at a website ends as canceled, and keeps what it has found', async () => {
  const user = await waterfall.product.user();
  const [home = ''] = domains('mailto-home');
  const names = [home, ...domains('mailto-contact', 3)];
  const listId = await buildListOf(waterfall.product.db, user.id, leads(names), ofKind(true));
  visits.length = 0;
  const refused = expect(enrich(user, listId, ['website'])).rejects.toMatchObject({ code: 'RUN_CANCELLED' });
  await vi.waitFor(() => expect(visits.length).toBeGreaterThan(names.length), 15_000);
  const [run] = await readRuns(waterfall.product.db, user.id);
  await user.call(cancelRunEndpoint, undefined, { id: run?.id ?? '' });
  await refused;
  expect(await readRuns(waterfall.product.db, user.id)).toMatchObject([{ state: 'cancelled', error_code: null }]);
}, 30_000);
