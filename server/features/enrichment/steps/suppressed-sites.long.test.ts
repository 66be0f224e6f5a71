import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import type { SuppressionKind } from '#contract/calling/suppressions.ts';
import { enrichEmailsEndpoint, estimateEnrichmentEndpoint } from '#contract/work/enrichment.ts';
import { plantedSite } from '#sandbox/websites/planted-site.ts';
import type { Visit } from '#sandbox/websites/serve-sites.ts';
import { exportRows } from '#test/exports.ts';
import { buildListOf, readLeads } from '#test/lists.ts';
import { type Product, startProduct } from '#test/product.ts';

/** Where the addresses of a domain lead, or what stands there. */
const moved = new Map<string, string>();
const homes = new Map<string, string>();
const visits: Visit[] = [];
let product: Product;
beforeAll(async () => {
  product = await startProduct({
    onVisit: (visit) => visits.push(visit),
    pageAt(host, path) {
      const domain = host.replace(/^www\./, '');
      const to = moved.get(domain);
      if (to !== undefined) return { kind: 'redirect', to: `https://www.${to}${path}` };
      const body = path === '/' ? homes.get(domain) : undefined;
      return body === undefined ? undefined : { kind: 'page', status: 200, body };
    },
  });
});

let next = 0;
function domainOf(): string {
  for (; ; next += 1) {
    const domain = `kept-out-${next}.example`;
    if (plantedSite(domain).kind !== 'mailto-home') continue;
    next += 1;
    return domain;
  }
}
const suppress = (kind: SuppressionKind, value: string) =>
  sql`insert into app.suppressions (kind, key, source) values (${kind}, app.suppression_key(${kind}, ${value}), 'hand')`.execute(
    product.db,
  );
/** A list of one lead with this website. */
async function listWith(domain: string, business_name = 'Kept Dental') {
  const user = await product.user();
  const lead = { business_name, phone: '+1 217-555-0101', website: `https://${domain}/` };
  const list = await buildListOf(product.db, user.id, [lead], { sandbox: true });
  return {
    estimate: () => user.call(estimateEnrichmentEndpoint, { list_id: list, steps: ['website', 'hunter'] }),
    enrich: () => user.call(enrichEmailsEndpoint, { list_id: list, steps: ['website'] }),
    lead: async () => (await readLeads(product.db, list))[0],
    exported: async () => (await exportRows(product, user, list)).length,
  };
}

test('a suppressed domain is not asked where a site leads to it, and the lead stays', async () => {
  const [own, held] = [domainOf(), domainOf()];
  moved.set(own, held);
  await suppress('domain', held);
  const list = await listWith(own);
  expect(await list.enrich()).toMatchObject({ emails_added: 0 });
  expect(visits.filter(({ host }) => host.includes(held))).toEqual([]);
  expect(await list.lead()).toMatchObject({ email: null, site_visit: { status: 'suppressed', emails: [] } });
  expect(await list.exported()).toBe(1);
});

test.each(['email', 'domain'] as const)('an address that is suppressed by its %s is not taken', async (kind) => {
  const [own, other] = [domainOf(), domainOf()];
  homes.set(own, `<script type="application/ld+json">{"email": "desk@${other}"}</script>`);
  await suppress(kind, kind === 'email' ? `desk@${other}` : other);
  const list = await listWith(own);
  expect(await list.enrich()).toMatchObject({ emails_added: 0 });
  expect(await list.lead()).toMatchObject({ email: null, site_visit: { status: 'nothing', emails: [] } });
  expect(await list.exported()).toBe(1);
});

test('an address that is suppressed since the visit is not taken from what is remembered, nor counted on', async () => {
  const own = domainOf();
  homes.set(own, `<p>old@${own}</p>`);
  const first = await listWith(own);
  expect(await first.enrich()).toMatchObject({ emails_added: 1 });
  const second = await listWith(own);
  expect(await second.estimate()).toMatchObject({ toVisit: 0, toLookUp: 0 });
  await suppress('email', `old@${own}`);
  expect(await second.estimate()).toMatchObject({ toVisit: 0, toLookUp: 1 });
  expect(await second.enrich()).toMatchObject({ emails_added: 0 });
  expect(await second.lead()).toMatchObject({ email: null, site_visit: { status: 'nothing', emails: [] } });
  expect([await first.exported(), await second.exported()]).toEqual([0, 1]);
});

test('what a domain to which a site leads says of one business is not told to another', async () => {
  const [own, bought] = [domainOf(), domainOf()];
  moved.set(own, bought);
  homes.set(bought, `<p>Quay Dental Group</p><p>desk@${bought}</p>`);
  const other = await listWith(own, 'Kept Dental');
  expect(await other.enrich()).toMatchObject({ emails_added: 0 });
  const theirs = await listWith(own, 'Quay Dental Group');
  expect(await theirs.enrich()).toMatchObject({ emails_added: 1 });
  expect(await theirs.lead()).toMatchObject({ email: `desk@${bought}`, site_visit: { status: 'found' } });
  const third = await listWith(own, 'Kept Dental');
  expect(await third.estimate()).toMatchObject({ toVisit: 1 });
  expect(await third.enrich()).toMatchObject({ emails_added: 0 });
  expect(await third.lead()).toMatchObject({ email: null, site_visit: { status: 'nothing' } });
});
