import { beforeAll, expect, test } from 'vitest';
import { enrichEmailsEndpoint, estimateEnrichmentEndpoint } from '#contract/work/enrichment.ts';
import { plantedSite } from '#sandbox/websites/planted-site.ts';
import { buildListOf, readLeads } from '#test/lists.ts';
import { type Product, startProduct } from '#test/product.ts';

/** What stands on the home page of a host. */
const homes = new Map<string, string>();
let product: Product;
beforeAll(async () => {
  product = await startProduct({
    pageAt: (host, path) => {
      const body = homes.get(host);
      if (body === undefined) return undefined;
      return path === '/' ? { kind: 'page', status: 200, body } : { kind: 'page', status: 404, body: '' };
    },
  });
});

/** Domains whose names and mail servers are known. */
const names = Array.from({ length: 200 }, (_, at) => `several-${at}.example`).filter(
  (domain) => plantedSite(domain).kind === 'mailto-home',
);
const site = (host: string) => ({ website: `https://${host}/` });

test('businesses that share a domain, each with a site below it, get what their own site says', async () => {
  const [domain = ''] = names;
  const [joe, mary, none] = [`joe.${domain}`, `www.mary.${domain}`, `none.${domain}`];
  homes.set(joe, 'joe@gmail.com').set(mary, `mary@${domain}`).set(none, 'Welcome.');
  const user = await product.user();
  const listId = await buildListOf(product.db, user.id, [site(joe), site(mary), site(none), site(joe)]);
  const steps = ['website' as const];
  expect(await user.call(estimateEnrichmentEndpoint, { list_id: listId, steps })).toMatchObject({ toVisit: 3 });
  expect(await user.call(enrichEmailsEndpoint, { list_id: listId, steps })).toMatchObject({ emails_added: 3 });
  const emails = (await readLeads(product.db, listId)).map(({ email }) => email);
  expect(emails).toEqual(['joe@gmail.com', `mary@${domain}`, null, 'joe@gmail.com']);

  const stranger = await product.user();
  const other = await buildListOf(product.db, stranger.id, [site(`mary.${domain}`), site(none)]);
  expect(await stranger.call(estimateEnrichmentEndpoint, { list_id: other, steps })).toMatchObject({ toVisit: 0 });
  await stranger.call(enrichEmailsEndpoint, { list_id: other, steps });
  expect((await readLeads(product.db, other)).map(({ email }) => email)).toEqual([`mary@${domain}`, null]);
}, 60_000);

test('what stands elsewhere on the domain counts for those that it names, and a notice for everyone', async () => {
  const domain = names[1] ?? '';
  const host = `agent.${domain}`;
  homes.set(host, `Quay Dental. <a href="https://www.${domain}/">Contact</a>`);
  homes.set(`www.${domain}`, `Sites for agents. <a href="mailto:support@${domain}">Contact</a> 217-555-0100`);
  const steps = ['website' as const];
  const look = async (business_name: string) => {
    const user = await product.user();
    const listId = await buildListOf(product.db, user.id, [{ ...site(host), business_name }]);
    await user.call(enrichEmailsEndpoint, { list_id: listId, steps });
    const [lead] = await readLeads(product.db, listId);
    return lead;
  };
  expect(await look('Quay Dental')).toMatchObject({ email: null, site_visit: { emails: [], phones: [] } });
  homes.set(`www.${domain}`, `Quay Dental. <a href="mailto:quay@${domain}">Contact</a>`);
  expect(await look('Harbor Motors')).toMatchObject({ email: null });
  expect(await look('Quay Dental')).toMatchObject({ email: `quay@${domain}` });
  homes.set(`www.${domain}`, 'You may not harvest email addresses from this site.');
  homes.set(host, `joe@gmail.com <a href="https://www.${domain}/">Contact</a>`);
  expect(await look('Quay Dental')).toMatchObject({
    email: null,
    site_visit: { notice: { words: expect.any(String) } },
  });
}, 60_000);

test('Hunter is asked about the domain where one of its sites told nothing, and not where one refuses', async () => {
  const user = await product.user();
  await user.connect('hunter_io', 'sandbox-several');
  const asked = () => product.sandbox.meter.callsBySubject('hunter', 'sandbox-several').size;
  // The sandbox's Hunter knows three domains in four.
  const several = names.slice(2, 6);
  for (const domain of several) homes.set(`a.${domain}`, 'a@gmail.com').set(`b.${domain}`, 'b@gmail.com');
  const build = (hosts: readonly string[]) =>
    buildListOf(
      product.db,
      user.id,
      several.flatMap((domain) => hosts.map((host) => site(`${host}.${domain}`))),
    );
  const enrich = (list_id: string) => user.call(enrichEmailsEndpoint, { list_id, steps: ['website', 'hunter'] });
  await enrich(await build(['a', 'b']));
  expect(asked()).toBe(0);
  for (const domain of several) homes.set(`c.${domain}`, 'You may not harvest email addresses from this site.');
  await enrich(await build(['a', 'b', 'c']));
  expect(asked()).toBe(0);
  const listId = await build(['a', 'd']);
  for (const domain of several) homes.set(`d.${domain}`, 'Welcome.');
  await enrich(listId);
  expect(asked()).toBeGreaterThan(0);
  const own = (await readLeads(product.db, listId)).filter((_, at) => at % 2 === 0);
  expect(own.map(({ email }) => email)).toEqual(several.map(() => 'a@gmail.com'));
}, 60_000);
