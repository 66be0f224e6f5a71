import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { enrichEmailsEndpoint, estimateEnrichmentEndpoint } from '#contract/work/enrichment.ts';
import type { EnrichmentStep } from '#contract/work/enrichment-steps.ts';
import { plantedSite } from '#sandbox/websites/planted-site.ts';
import { forgetExpired } from '#server/features/retention/forget-expired.ts';
import { buildListOf, readLeads } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

const NOTICE = '<p>You may not harvest email addresses from this site.</p><a href="tel:217-555-0101">Call</a>';
const notice = { words: 'You may not harvest email addresses from this site.' };
/** What every home page says; undefined while all sites are down. */
let body: string | undefined;
/** What the pages of terms of all sites say; undefined while they cannot be read. */
let terms: string | undefined = '';
/** Domains that lead to another one. */
const moved = new Map<string, string>();
let product: Product;
beforeAll(async () => {
  product = await startProduct({
    pageAt: (host, path) => {
      if (body === undefined) return { kind: 'page', status: 500, body: '' };
      if (path === '/terms' && terms !== '')
        return { kind: 'page', status: terms === undefined ? 500 : 200, body: terms ?? '' };
      const to = moved.get(host);
      if (to !== undefined && path === '/') return { kind: 'redirect', to: `https://${to}/` };
      return path === '/' ? { kind: 'page', status: 200, body } : { kind: 'page', status: 404, body: '' };
    },
  });
});

/** Names that are known. The sandbox's Hunter knows three domains in four. */
const names = Array.from({ length: 400 }, (_, at) => `kept-${at}.example`).filter(
  (domain) => plantedSite(domain).kind === 'mailto-home',
);

let number = 0;
async function someone(domains: readonly string[], lead: object = {}) {
  const user = await product.user();
  number += 1;
  const key = `sandbox-notices${number}`;
  await user.connect('hunter_io', key);
  const websites = domains.map((domain) => ({ website: `https://${domain}/`, ...lead }));
  const listId = await buildListOf(product.db, user.id, websites);
  return { user, listId, asked: () => product.sandbox.meter.callsBySubject('hunter', key).size };
}
const enrich = (who: TestUser, list_id: string, steps: EnrichmentStep[]) =>
  who.call(enrichEmailsEndpoint, { list_id, steps });
const quote = (who: TestUser, list_id: string, steps: EnrichmentStep[]) =>
  who.call(estimateEnrichmentEndpoint, { list_id, steps });

/** As if 31 days had gone by, with their sweeps. */
async function monthLater(): Promise<void> {
  await sql`update app.website_answers set visited_at = visited_at - interval '31 days', expires_at = expires_at - interval '31 days'`.execute(
    product.db,
  );
  await forgetExpired(product.workerDeps.db, new AbortController().signal);
}

test('a notice that someone saw holds for the new lists of everyone, until the site can be read again', async () => {
  const domains = names.slice(0, 4);
  body = NOTICE;
  const first = await someone(domains);
  await enrich(first.user, first.listId, ['website']);
  await monthLater();
  const { rows } = await sql<{ visit: unknown }>`select visit from app.website_answers`.execute(product.db);
  const page = expect.stringContaining('https://');
  const kept = { visit: { status: 'nothing', emails: [], phones: [], profiles: [], notice: { ...notice, page } } };
  expect(rows, 'of what the site said, the notice alone').toEqual(domains.map(() => kept));

  body = undefined;
  const alone = await someone(domains);
  expect(await quote(alone.user, alone.listId, ['hunter'])).toMatchObject({ toLookUp: 0, boundMicros: 0 });
  await enrich(alone.user, alone.listId, ['hunter']);
  const both: EnrichmentStep[] = ['website', 'hunter'];
  const second = await someone(domains);
  expect(await quote(second.user, second.listId, both), 'they may say something else').toMatchObject({ toLookUp: 4 });
  await enrich(second.user, second.listId, both);
  await monthLater();
  const third = await someone(domains);
  await enrich(third.user, third.listId, both);
  expect([alone.asked(), second.asked(), third.asked()]).toEqual([0, 0, 0]);
  for (const { listId } of [alone, second, third])
    for (const lead of await readLeads(product.db, listId))
      expect(lead).toMatchObject({ email: null, site_visit: { notice } });

  body = '<p>Welcome.</p>';
  await monthLater();
  const fourth = await someone(domains);
  await enrich(fourth.user, fourth.listId, both);
  expect(fourth.asked()).toBeGreaterThan(0);
}, 60_000);

test('of a site that leads to another domain, others get its notice and nothing else', async () => {
  const [old = '', now = ''] = names.slice(4, 6);
  moved.set(old, now);
  body = `<h1>Quay Dental</h1>${NOTICE}`;
  const first = await someone([old], { business_name: 'Quay Dental' });
  await enrich(first.user, first.listId, ['website']);
  const second = await someone([old], { business_name: 'Harbor Motors' });
  await enrich(second.user, second.listId, ['website']);
  const [[one], [other]] = [await readLeads(product.db, first.listId), await readLeads(product.db, second.listId)];
  expect(one?.site_visit).toMatchObject({ notice, phones: [{ phone: '217-555-0101' }] });
  expect(other?.site_visit).toMatchObject({ notice, phones: [] });
  // Without a notice where it leads to, the one that was remembered is over.
  body = '<h1>Quay Dental</h1>';
  await monthLater();
  const third = await someone([old], { business_name: 'Quay Dental' });
  await enrich(third.user, third.listId, ['website']);
  expect(await quote(third.user, third.listId, ['hunter'])).toMatchObject({ toLookUp: 1 });
}, 60_000);

test('a notice stays until its own page can be read again without it', async () => {
  const domains = names.slice(6, 10);
  const both: EnrichmentStep[] = ['website', 'hunter'];
  body = '<a href="/terms">Terms</a>';
  terms = NOTICE;
  const first = await someone(domains);
  await enrich(first.user, first.listId, both);
  const visit = async () => {
    await monthLater();
    const one = await someone(domains);
    await enrich(one.user, one.listId, both);
    return { ...one, leads: await readLeads(product.db, one.listId) };
  };
  // The page is down, and then no longer linked; the home page shows an address.
  body = '<a href="/terms">Terms</a><a href="mailto:joesplumbing@gmail.com">Write</a>';
  terms = undefined;
  const down = await visit();
  body = 'Write to us';
  terms = NOTICE;
  const unlinked = await visit();
  for (const { leads, asked } of [down, unlinked]) {
    for (const lead of leads) expect(lead).toMatchObject({ email: null, site_visit: { notice } });
    expect(asked()).toBe(0);
  }
  terms = '<p>Welcome.</p>';
  const free = await visit();
  for (const lead of free.leads) expect(lead.site_visit).not.toHaveProperty('notice');
  expect(free.asked()).toBeGreaterThan(0);
  terms = '';
}, 60_000);
