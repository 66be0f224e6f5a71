import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import { plantedSite } from '#sandbox/websites/planted-site.ts';
import { buildListOf, readLeads } from '#test/lists.ts';
import { type Product, startProduct } from '#test/product.ts';

/** What stands on the home page of a domain. */
const homes = new Map<string, string>();
let product: Product;
beforeAll(async () => {
  product = await startProduct({
    pageAt(host, path) {
      const body = homes.get(host.replace(/^www\./, ''));
      if (body === undefined) return undefined;
      return path === '/' ? { kind: 'page', status: 200, body } : { kind: 'page', status: 404, body: '' };
    },
  });
});

/** Domains whose names and mail servers are known. */
let next = 0;
function domains(count: number): string[] {
  const found: string[] = [];
  for (; found.length < count; next += 1)
    if (plantedSite(`odd-${next}.example`).kind === 'mailto-home') found.push(`odd-${next}.example`);
  return found;
}

/** Enriches leads that have these home pages and one whose site is in order. */
async function enrich(pages: readonly string[]) {
  const user = await product.user();
  const names = domains(pages.length + 1);
  for (const [at, page] of pages.entries()) homes.set(names[at] ?? '', page);
  const websites = names.map((domain) => ({ website: `https://${domain}/` }));
  const list = await buildListOf(product.db, user.id, websites, { sandbox: true });
  const ended = await user.call(enrichEmailsEndpoint, { list_id: list, steps: ['website'] });
  return { names, ended, leads: await readLeads(product.db, list) };
}

const NOTICE = 'You may not harvest email addresses from this site';
test('what PostgreSQL cannot keep is left out of what websites say', async () => {
  const { names, ended, leads } = await enrich([
    `<p>${NOTICE}\0.</p>`,
    `<p>${NOTICE}: ${'a'.repeat(397 - NOTICE.length)}😀 and so on.</p>`,
    '<script type="application/ld+json">{"telephone": "217-555-0101 \\ud83d"}</script>',
    '<a href="tel:217-555\0-0102">Call us</a>',
  ]);
  expect(ended).toMatchObject({ total_domains_processed: 5, emails_added: 1 });
  expect(leads.at(-1)?.email).toBe(plantedSite(names.at(-1) ?? '').email);
  expect(leads.map(({ site_visit }) => site_visit)).toMatchObject([
    { notice: { words: `${NOTICE}.` } },
    { notice: { words: `${NOTICE}: ${'a'.repeat(397 - NOTICE.length)}` } },
    { phones: [{ phone: '217-555-0101 \ufffd' }] },
    { phones: [{ phone: '217-555-0102' }] },
    { status: 'found' },
  ]);
});

test('what one website says may be refused: the others are stored', async () => {
  await sql`alter table app.website_answers add constraint refused check (visit::text !~ 'refuse@')`.execute(
    product.db,
  );
  const { names, ended, leads } = await enrich(['refuse@odd-firm.example refuse@gmail.com']);
  expect(ended).toMatchObject({ total_domains_processed: 2, emails_added: 1 });
  expect(leads[0]).toMatchObject({ email: null, site_visit: { status: 'unreadable', emails: [] } });
  expect(leads[1]?.email).toBe(plantedSite(names[1] ?? '').email);
  const { rows } = await sql<{ days: number }>`
    select round(extract(epoch from expires_at - visited_at) / 86400)::integer as days from app.website_answers
    where domain = ${names[0]}`.execute(product.db);
  expect(rows).toEqual([{ days: 1 }]);
});
