// Pages of one host are asked for a second apart, and that second is a real one.
import { expect, test, vi } from 'vitest';
import { eraseContactEndpoint } from '#contract/calling/suppression-sources.ts';
import { estimateEnrichmentEndpoint } from '#contract/work/enrichment.ts';
import { plantedSite } from '#sandbox/websites/planted-site.ts';
import type { Visit } from '#sandbox/websites/serve-sites.ts';
import { enrich, leads, ofKind, setUpWaterfall } from '#test/enrichment/waterfall.ts';
import { buildListOf, readLeads, readRuns } from '#test/lists.ts';
import { startProduct } from '#test/product.ts';

const waterfall = setUpWaterfall();
const { domains, visits, connected } = waterfall;

test('Hunter is asked only for what the websites did not tell, and only where it has something', async () => {
  const { user, asked } = await connected();
  const found = domains('mailto-home', 3);
  const without = domains('no-address', 8);
  const [deaf = ''] = domains('refuses-mail');
  const listId = await buildListOf(waterfall.product.db, user.id, leads([...found, ...without, deaf]), ofKind(true));
  const estimate = await user.call(estimateEnrichmentEndpoint, { list_id: listId });
  expect(estimate).toMatchObject({ toVisit: 12, toLookUp: 12, boundMicros: 12 * 50_000 });
  const data = await enrich(user, listId);
  expect(data.total_domains_processed).toBe(12);
  // About one domain in four is unknown to the sandbox's Hunter; its count says so, and no search is sent.
  expect(asked()).toBeLessThanOrEqual(9);
  expect(asked()).toBeGreaterThan(2);
  expect(data.cost).toBeCloseTo(asked() * 0.05, 6);
  const stored = await readLeads(waterfall.product.db, listId);
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

test('a notice against taking addresses is kept and respected', async () => {
  const user = await waterfall.product.user();
  const [domain = ''] = domains('notice');
  const listId = await buildListOf(waterfall.product.db, user.id, leads([domain]), ofKind(true));
  await enrich(user, listId, ['website']);
  const [lead] = await readLeads(waterfall.product.db, listId);
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
  const first = await buildListOf(waterfall.product.db, user.id, leads(names), ofKind(true));
  expect(await user.call(estimateEnrichmentEndpoint, { list_id: first })).toMatchObject({ toLookUp: 4 });
  expect(await enrich(user, first), 'seen in this run').toMatchObject({ total_domains_processed: 4, cost: 0 });
  const other = await connected();
  const second = await buildListOf(waterfall.product.db, other.user.id, leads(names), ofKind(true));
  const alone = { list_id: second, steps: ['hunter' as const] };
  const free = { toLookUp: 0, known: 0, boundMicros: 0 };
  expect(await other.user.call(estimateEnrichmentEndpoint, alone), 'remembered').toMatchObject(free);
  await enrich(other.user, second, ['hunter']);
  await waterfall.product.db.deleteFrom('app.website_answers').where('domain', 'in', names).execute();
  expect(await other.user.call(estimateEnrichmentEndpoint, alone), 'kept with the lead').toMatchObject(free);
  await enrich(other.user, second, ['hunter']);
  for (const lead of [
    ...(await readLeads(waterfall.product.db, first)),
    ...(await readLeads(waterfall.product.db, second)),
  ])
    expect(lead).toMatchObject({ email: null, site_visit: { notice: { words: expect.stringContaining('harvest') } } });
  expect([asked(), other.asked()]).toEqual([0, 0]);
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
  const user = await waterfall.product.user();
  const names = domains('mailto-contact', 3);
  const lists = await Promise.all(
    [1, 2].map(() => buildListOf(waterfall.product.db, user.id, leads(names), ofKind(true))),
  );
  const other = await waterfall.product.process();
  await waterfall.product.process();
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
  const user = await waterfall.product.user();
  const admin = await waterfall.product.admin();
  const [domain = '', other = ''] = domains('mailto-home', 2);
  const { email } = plantedSite(domain);
  const listId = await buildListOf(waterfall.product.db, user.id, leads([domain, other]), ofKind(true));
  await enrich(user, listId, ['website']);
  const remembered = () =>
    waterfall.product.db.selectFrom('app.website_answers').selectAll().where('domain', 'in', [domain, other]).execute();
  expect(await remembered()).toHaveLength(2);
  await admin.call(eraseContactEndpoint, { kind: 'email', value: email });
  expect((await remembered()).map((row) => row.domain)).toEqual([other]);
  const again = await buildListOf(waterfall.product.db, user.id, leads([domain]), ofKind(true));
  await enrich(user, again, ['website']);
  const [lead] = await readLeads(waterfall.product.db, again);
  expect(lead).toMatchObject({ email: null, site_visit: { status: 'nothing', emails: [] } });
  expect(JSON.stringify(await remembered())).not.toContain(email);
}, 30_000);
