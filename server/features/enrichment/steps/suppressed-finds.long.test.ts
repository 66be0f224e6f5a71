import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { eraseContactEndpoint } from '#contract/calling/suppression-sources.ts';
import { enrichEmailsEndpoint, estimateEnrichmentEndpoint } from '#contract/work/enrichment.ts';
import { exportRows } from '#test/exports.ts';
import { buildListOf, readLeads } from '#test/lists.ts';
import { loadCsv } from '#test/open-data/load-csv.ts';
import { type Product, startProduct } from '#test/product.ts';

const HERE = { latitude: 39.8, longitude: -89.65 };
const NAME = 'Held Dental';
const HELD = 'held.dental.desk@gmail.com';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
  await loadCsv(product.url, [
    { id: 'held', name: NAME, category: 'dentist', phone: '(217) 555-0101', ...HERE, email: HELD },
  ]);
});

const suppress = (email: string) =>
  sql`insert into app.suppressions (kind, key, source) values ('email', app.suppression_key('email', ${email}), 'hand')`.execute(
    product.db,
  );

test('of those whom Hunter knows, someone who is suppressed is not taken, and the lead stays', async () => {
  const user = await product.user();
  await user.connect('hunter_io', 'sandbox-suppressed-finds');
  const sites = Array.from({ length: 30 }, (_, at) => ({ website: `https://finds${at}.example/` }));
  const build = () => buildListOf(product.db, user.id, sites, {});
  const enrich = (list: string) => user.call(enrichEmailsEndpoint, { list_id: list, steps: ['hunter'] });
  const before = await build();
  await enrich(before);
  const chosen = (await readLeads(product.db, before)).flatMap(({ email }) => email ?? []);
  expect(chosen.length).toBeGreaterThan(9);
  for (const email of chosen) await suppress(email);

  const list = await build();
  const asked = { list_id: list, steps: ['hunter' as const, 'verifier' as const] };
  const { boundMicros } = await user.call(estimateEnrichmentEndpoint, asked);
  const { emails_added, cost } = await user.call(enrichEmailsEndpoint, asked);
  const leads = await readLeads(product.db, list);
  const others = leads.flatMap(({ email }) => email ?? []);
  expect(others.length).toBeGreaterThan(3);
  expect(emails_added).toBe(others.length);
  expect(others.filter((email) => chosen.includes(email))).toEqual([]);
  expect(cost).toBeGreaterThan(0);
  expect(Math.round(cost * 1_000_000)).toBeLessThanOrEqual(boundMicros);
  expect(await exportRows(product, user, list)).toHaveLength(sites.length);
});

test('of those whom Hunter knows, someone who was erased neither stays nor comes back as the owner of another address', async () => {
  const sites = Array.from({ length: 40 }, (_, at) => ({ website: `https://erased-finds${at}.example/` }));
  const enrich = async (name: string) => {
    const user = await product.user();
    await user.connect('hunter_io', `sandbox-erased-${name}`);
    const list = await buildListOf(product.db, user.id, sites, {});
    await user.call(enrichEmailsEndpoint, { list_id: list, steps: ['hunter'] });
    return readLeads(product.db, list);
  };
  const { rows: known } = await enrich('before').then((leads) =>
    sql<{ website: string; email: string; owner: string }>`
      select lead.website, one ->> 'email' as email, lead.owner_name as owner
      from public.leads as lead
        join app.answers as answer on answer.operation = 'domain_search' and strpos(lead.website, answer.subject || '/') > 0
        cross join jsonb_array_elements(answer.answer -> 'contacts') as one
      where lead.id = any(${leads.map(({ id }) => id)}::uuid[]) and concat_ws(' ', one ->> 'firstName', one ->> 'lastName') = lead.owner_name
        and one ->> 'email' <> lead.email
      order by lead.position limit 3
    `.execute(product.db),
  );
  expect(known).toHaveLength(3);
  const admin = await product.admin();
  for (const { email } of known) await admin.call(eraseContactEndpoint, { kind: 'email', value: email });
  // Nor do they stay as such.
  const { rows: owners } = await sql<{ owner: string | null }>`
    select owner_name as owner from public.leads where website = any(${known.map(({ website }) => website)}) and owner_name is not null
  `.execute(product.db);
  expect(owners).toEqual([]);
  const after = await enrich('after');
  for (const { website, owner } of known) {
    const lead = after.find((one) => one.website === website);
    expect(lead).toBeDefined();
    expect(lead?.owner_name).not.toBe(owner);
  }
});

test('an address of open data that is suppressed is not taken, and the lead stays', async () => {
  const user = await product.user();
  const leads = [
    { business_name: NAME, phone: '+1 217-555-0101', ...HERE, website: 'https://held-own.example/' },
    { business_name: NAME, phone: '+1 217-555-0101', ...HERE },
  ];
  const enrich = async () => {
    const list = await buildListOf(product.db, user.id, leads, { sandbox: false });
    await user.call(enrichEmailsEndpoint, { list_id: list, steps: ['open'] });
    return list;
  };
  const emailsOf = async (list: string) => (await readLeads(product.db, list)).map(({ email }) => email);
  expect(await emailsOf(await enrich())).toEqual([HELD, HELD]);
  await suppress(HELD);
  const list = await enrich();
  expect(await emailsOf(list)).toEqual([null, null]);
  expect(await exportRows(product, user, list)).toHaveLength(2);
});
