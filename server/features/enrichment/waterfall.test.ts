import { sql } from 'kysely';
import { beforeAll, expect, test, vi } from 'vitest';
import { eraseContactEndpoint } from '#contract/calling/suppression-sources.ts';
import { enrichEmailsEndpoint, estimateEnrichmentEndpoint } from '#contract/work/enrichment.ts';
import type { EnrichmentStep } from '#contract/work/enrichment-steps.ts';
import { cancelRunEndpoint } from '#contract/work/runs.ts';
import { plantedSite, type SiteKind } from '#sandbox/websites/planted-site.ts';
import type { Visit } from '#sandbox/websites/serve-sites.ts';
import { buildListOf, readLeads, readList, readRuns } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let number = 0;
const visits: Visit[] = [];
beforeAll(async () => {
  product = await startProduct({ onVisit: (visit) => visits.push(visit) });
});

/** The domains of `count` sites of a kind that no other test has asked for. */
let next = 0;
function domains(kind: SiteKind, count = 1): string[] {
  const found: string[] = [];
  for (; found.length < count; next += 1)
    if (plantedSite(`waterfall-${next}.example`).kind === kind) found.push(`waterfall-${next}.example`);
  return found;
}
const leads = (names: readonly string[]) => names.map((domain) => ({ website: `https://www.${domain}/` }));
const ofKind = (sandbox: boolean) => ({ sandbox });
const enrich = (who: TestUser, listId: string, steps?: EnrichmentStep[]) =>
  who.call(enrichEmailsEndpoint, { list_id: listId, ...(steps ? { steps } : {}) });
async function connected(): Promise<{ user: TestUser; asked: () => number }> {
  const user = await product.user();
  number += 1;
  const key = `sandbox-waterfall${number}`;
  await user.connect('hunter_io', key);
  return { user, asked: () => product.sandbox.meter.callsBySubject('hunter', key).size };
}

test('without any key, a list is enriched from the websites', async () => {
  const user = await product.user();
  const [first = '', second = ''] = domains('mailto-contact', 2);
  const [refused = ''] = domains('robots-refuse');
  const listId = await buildListOf(product.db, user.id, leads([first, second, refused]), ofKind(true));
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
  const stored = await readLeads(product.db, listId);
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
  `.execute(product.db);
  expect(rows).toEqual([{ days: 1 }, { days: 30 }]);
  expect(await readList(product.db, listId)).toMatchObject({
    status: 'completed',
    tier2_complete: true,
    has_emails: true,
  });
  const [run] = await readRuns(product.db, user.id);
  expect(run).toMatchObject({ bound_micros: 0, totals: { sites: 3, sitesDone: 3, sitesFound: 2, sitesRefused: 1 } });
}, 30_000);

test('Hunter is asked only for what the websites did not tell, and only where it has something', async () => {
  const { user, asked } = await connected();
  const found = domains('mailto-home', 3);
  const without = domains('no-address', 8);
  const [deaf = ''] = domains('refuses-mail');
  const listId = await buildListOf(product.db, user.id, leads([...found, ...without, deaf]), ofKind(true));
  const estimate = await user.call(estimateEnrichmentEndpoint, { list_id: listId });
  expect(estimate).toMatchObject({ toVisit: 12, toLookUp: 12, boundMicros: 12 * 50_000 });
  const data = await enrich(user, listId);
  expect(data.total_domains_processed).toBe(12);
  // About one domain in four is unknown to the sandbox's Hunter; its count says so, and no search is sent.
  expect(asked()).toBeLessThanOrEqual(9);
  expect(asked()).toBeGreaterThan(2);
  expect(data.cost).toBeCloseTo(asked() * 0.05, 6);
  const stored = await readLeads(product.db, listId);
  for (const [index, domain] of found.entries())
    expect(stored[index]).toMatchObject({ email: plantedSite(domain).email, email_call_id: null });
  // An address to which no mail can come was seen, and not taken.
  expect(stored[11]?.site_visit).toMatchObject({ status: 'found', emails: [{ mail: 'refuses' }] });
  expect(stored[11]?.email).toBeNull();
  const again = await user.call(estimateEnrichmentEndpoint, { list_id: listId });
  expect(again).toMatchObject({ toVisit: 0, toLookUp: 0, foundFree: 3, boundMicros: 0 });
  visits.length = 0;
  expect(await enrich(user, listId)).toMatchObject({ total_domains_processed: 12, leads_updated: 0, cost: 0 });
  expect(visits).toEqual([]);
}, 30_000);

test('Hunter is not asked about domains that take no mail', async () => {
  const { user, asked } = await connected();
  const deaf = domains('refuses-mail', 6);
  const listId = await buildListOf(product.db, user.id, leads(deaf), ofKind(true));
  expect(await enrich(user, listId)).toMatchObject({ total_domains_processed: deaf.length, cost: 0 });
  expect(asked()).toBe(0);
  expect((await readLeads(product.db, listId)).map(({ email }) => email)).toEqual(deaf.map(() => null));
}, 30_000);

test('without steps Hunter is part of it, so its key is asked for', async () => {
  const user = await product.user();
  const listId = await buildListOf(product.db, user.id, leads(domains('mailto-home')), ofKind(true));
  await expect(enrich(user, listId)).rejects.toMatchObject({
    code: 'MISSING_API_KEY',
    message: 'Hunter.io API key is missing. Add it in Settings > API Providers.',
  });
});

test('with Hunter alone no website is visited', async () => {
  const { user, asked } = await connected();
  const listId = await buildListOf(product.db, user.id, leads(domains('mailto-home', 2)), ofKind(true));
  visits.length = 0;
  await enrich(user, listId, ['hunter']);
  expect(asked()).toBe(2);
  expect(visits).toEqual([]);
});

test('a page on a social network is not visited, and its lead says so once', async () => {
  const user = await product.user();
  const pages = [{ business_name: 'Social', website: 'https://www.facebook.com/social.invented' }];
  const listId = await buildListOf(product.db, user.id, [...pages, ...leads(domains('mailto-home'))], ofKind(true));
  const first = async () => (await readLeads(product.db, listId))[0];
  await enrich(user, listId, ['website']);
  const told = await first();
  expect(told?.site_visit).toMatchObject({ status: 'social_only', emails: [] });
  await enrich(user, listId, ['website']);
  expect(await first()).toEqual(told);
}, 30_000);

test('a notice against taking addresses is kept and respected', async () => {
  const user = await product.user();
  const [domain = ''] = domains('notice');
  const listId = await buildListOf(product.db, user.id, leads([domain]), ofKind(true));
  await enrich(user, listId, ['website']);
  const [lead] = await readLeads(product.db, listId);
  expect(lead).toMatchObject({
    email: null,
    site_visit: {
      emails: [],
      notice: { page: `https://www.${domain}/terms`, words: expect.stringContaining('harvest') },
    },
  });
}, 30_000);

test('Hunter is not asked about a site with a notice, whichever step saw it and whenever', async () => {
  const { user, asked } = await connected();
  // The sandbox's Hunter knows three domains in four.
  const names = domains('notice', 4);
  const first = await buildListOf(product.db, user.id, leads(names), ofKind(true));
  expect(await user.call(estimateEnrichmentEndpoint, { list_id: first })).toMatchObject({ toLookUp: 4 });
  expect(await enrich(user, first), 'seen in this run').toMatchObject({ total_domains_processed: 4, cost: 0 });
  const other = await connected();
  const second = await buildListOf(product.db, other.user.id, leads(names), ofKind(true));
  const alone = { list_id: second, steps: ['hunter' as const] };
  const free = { toLookUp: 0, known: 0, boundMicros: 0 };
  expect(await other.user.call(estimateEnrichmentEndpoint, alone), 'remembered').toMatchObject(free);
  await enrich(other.user, second, ['hunter']);
  await product.db.deleteFrom('app.website_answers').where('domain', 'in', names).execute();
  expect(await other.user.call(estimateEnrichmentEndpoint, alone), 'kept with the lead').toMatchObject(free);
  await enrich(other.user, second, ['hunter']);
  for (const lead of [...(await readLeads(product.db, first)), ...(await readLeads(product.db, second))])
    expect(lead).toMatchObject({ email: null, site_visit: { notice: { words: expect.stringContaining('harvest') } } });
  expect([asked(), other.asked()]).toEqual([0, 0]);
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
  const listId = await buildListOf(product.db, user.id, told, ofKind(true));
  const both = ['website', 'hunter'] as const;
  await enrich(user, listId, [...both]);
  await enrich(user, listId, ['hunter']);
  expect(await user.call(estimateEnrichmentEndpoint, { list_id: listId, steps: [...both] })).toMatchObject({
    toVisit: 0,
    toLookUp: 0,
  });
  expect(asked()).toBe(0);
  for (const lead of await readLeads(product.db, listId)) expect(lead.site_visit).toEqual(site_visit);
}, 30_000);

test('sandbox and real websites are never mixed', async () => {
  const user = await product.user();
  const [domain = ''] = domains('mailto-home');
  const real = await buildListOf(product.db, user.id, leads([domain]), ofKind(false));
  await enrich(user, real, ['website']);
  const rows = await product.db
    .selectFrom('app.website_answers')
    .select(['sandbox'])
    .where('domain', '=', domain)
    .execute();
  expect(rows).toEqual([{ sandbox: false }]);
  const invented = await buildListOf(product.db, user.id, leads([domain]), ofKind(true));
  expect(await user.call(estimateEnrichmentEndpoint, { list_id: invented, steps: ['website'] })).toMatchObject({
    toVisit: 1,
  });
}, 30_000);

test('who is suppressed is not visited, and an email that someone has stays', async () => {
  const user = await product.user();
  const [suppressed = '', kept = ''] = domains('mailto-home', 2);
  const listId = await buildListOf(
    product.db,
    user.id,
    [...leads([suppressed]), { website: `https://${kept}/`, email: 'own@file.example', sources: { email: 'file' } }],
    ofKind(true),
  );
  await product.db
    .insertInto('app.suppressions')
    .values({ kind: 'domain', key: `domain:${suppressed}`, source: 'hand' })
    .execute();
  visits.length = 0;
  await enrich(user, listId, ['website']);
  expect(visits).toEqual([]);
  expect((await readLeads(product.db, listId)).map(({ email }) => email)).toEqual([null, 'own@file.example']);
});

test('a run that is canceled while it waits for its turn at a website ends as canceled, and keeps what it has found', async () => {
  const user = await product.user();
  const [home = ''] = domains('mailto-home');
  const names = [home, ...domains('mailto-contact', 3)];
  const listId = await buildListOf(product.db, user.id, leads(names), ofKind(true));
  visits.length = 0;
  const refused = expect(enrich(user, listId, ['website'])).rejects.toMatchObject({ code: 'RUN_CANCELLED' });
  await vi.waitFor(() => expect(visits.length).toBeGreaterThan(names.length), 15_000);
  const [run] = await readRuns(product.db, user.id);
  await user.call(cancelRunEndpoint, undefined, { id: run?.id ?? '' });
  await refused;
  expect(await readRuns(product.db, user.id)).toMatchObject([{ state: 'cancelled', error_code: null }]);
}, 30_000);

test('a run whose process stops while it waits for its turn goes on in another', async () => {
  const asked: Visit[] = [];
  const web = await startProduct({ worker: false, onVisit: (visit) => asked.push(visit) });
  const first = await web.process();
  const user = await web.user();
  const [name = ''] = domains('nested-contact');
  const listId = await buildListOf(web.db, user.id, leads([name]), ofKind(true));
  const ended = enrich(user, listId, ['website']);
  await vi.waitFor(() => expect(asked.length).toBeGreaterThan(1), 15_000);
  await web.process();
  await first.stop();
  expect(await ended).toMatchObject({ emails_added: 1 });
  expect(await readRuns(web.db, user.id)).toMatchObject([{ state: 'completed' }]);
}, 60_000);

test('two lists at once ask a host once a second, one request at a time', async () => {
  const user = await product.user();
  const names = domains('mailto-contact', 3);
  const lists = await Promise.all([1, 2].map(() => buildListOf(product.db, user.id, leads(names), ofKind(true))));
  const other = await product.process();
  await product.process();
  visits.length = 0;
  await Promise.all(lists.map((listId, index) => enrich(index === 0 ? user : other.as(user), listId, ['website'])));
  const byHost = Map.groupBy(visits, ({ host }) => host);
  expect(byHost.size).toBe(3);
  for (const requests of byHost.values()) {
    const inOrder = requests.toSorted((a, b) => a.startedAt - b.startedAt);
    for (const [index, one] of inOrder.entries()) {
      const before = inOrder[index - 1];
      if (before) expect(one.startedAt - before.endedAt).toBeGreaterThanOrEqual(990);
    }
  }
}, 60_000);

test('what was erased leaves what websites told, and is not taken from them again', async () => {
  const user = await product.user();
  const admin = await product.admin();
  const [domain = '', other = ''] = domains('mailto-home', 2);
  const { email } = plantedSite(domain);
  const listId = await buildListOf(product.db, user.id, leads([domain, other]), ofKind(true));
  await enrich(user, listId, ['website']);
  const remembered = () =>
    product.db.selectFrom('app.website_answers').selectAll().where('domain', 'in', [domain, other]).execute();
  expect(await remembered()).toHaveLength(2);
  await admin.call(eraseContactEndpoint, { kind: 'email', value: email });
  expect((await remembered()).map((row) => row.domain)).toEqual([other]);
  const again = await buildListOf(product.db, user.id, leads([domain]), ofKind(true));
  await enrich(user, again, ['website']);
  const [lead] = await readLeads(product.db, again);
  expect(lead).toMatchObject({ email: null, site_visit: { status: 'nothing', emails: [] } });
  expect(JSON.stringify(await remembered())).not.toContain(email);
}, 30_000);
