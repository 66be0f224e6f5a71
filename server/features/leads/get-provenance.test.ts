import { beforeAll, expect, test } from 'vitest';
import { addSuppressionEndpoint } from '#contract/calling/suppressions.ts';
import { checkComplianceEndpoint } from '#contract/work/compliance.ts';
import { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import { getProvenanceEndpoint } from '#contract/work/provenance.ts';
import { searchOpenEndpoint } from '#contract/work/search/search-open.ts';
import { importFile } from '#test/imports.ts';
import { buildList, buildListOf, readLeads } from '#test/lists.ts';
import { loadCsv } from '#test/open-data/load-csv.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let user: TestUser;
let first: string;
let second: string;
const LEADS = Array.from({ length: 6 }, (_, index) => ({
  website: `https://origin${index}.example/`,
  phone: `+1 512-555-016${index}`,
}));

beforeAll(async () => {
  product = await startProduct();
  user = await product.user();
  await user.connect('hunter_io', 'sandbox-origin');
  await user.connect('searchbug', 'sandbox-origin');
  first = await buildListOf(product.db, user.id, LEADS, { name: 'First' });
  second = await buildListOf(product.db, user.id, LEADS, { name: 'Second' });
  await user.call(enrichEmailsEndpoint, { list_id: first, steps: ['hunter'] });
  await user.call(enrichEmailsEndpoint, { list_id: second, steps: ['hunter'] });
  await user.call(checkComplianceEndpoint, { list_id: second });
});

/** The lead of a list that has everything. */
const fullLead = async (listId: string) => {
  const lead = (await readLeads(product.db, listId)).find(({ email, owner_name }) => email && owner_name);
  if (!lead) throw new Error('The sandbox found nothing.');
  return lead;
};
const provenanceOf = async (id: string, by = user) =>
  (await by.call(getProvenanceEndpoint, undefined, { id })).provenance;

test('each value names its provider, call, time and run', async () => {
  const lead = await fullLead(second);
  const found = await provenanceOf(lead.id);
  expect(found.map(({ part, provider, remembered }) => [part, provider, remembered])).toEqual([
    ['email', 'hunter_io', true],
    ['owner', 'hunter_io', true],
    ['verdict', 'searchbug', false],
  ]);
  expect(found[0]).toMatchObject({
    callId: lead.email_call_id,
    subject: new URL(lead.website ?? '').hostname,
    costMicros: 50_000,
    sandbox: true,
    run: { kind: 'enrichment', listId: first, listName: 'First' },
  });
  expect(Math.abs(Date.parse(found[2]?.at ?? '') - (lead.compliance_checked_at?.getTime() ?? 0))).toBeLessThan(5_000);
  expect((await provenanceOf((await fullLead(first)).id)).map((one) => one.remembered)).toEqual([false, false]);
});

test('the list that paid may be gone', async () => {
  const lead = await fullLead(second);
  await product.db.deleteFrom('lists').where('id', '=', first).execute();
  expect((await provenanceOf(lead.id))[0]).toMatchObject({
    remembered: true,
    run: { listId: null, listName: 'First' },
  });
});

test('a lead that no call brought anything to has none; those of others are not found', async () => {
  const listId = await buildListOf(product.db, user.id, [{}]);
  const [bare] = await readLeads(product.db, listId);
  expect(await provenanceOf(bare?.id ?? '')).toEqual([]);
  const other = await product.user();
  for (const id of [bare?.id ?? '', 'nonsense', '00000000-0000-4000-8000-000000000000'])
    await expect(provenanceOf(id, other)).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
});

test('what stands on the website comes with its page and time, and in an unknown shape it counts as not visited', async () => {
  const site = {
    status: 'found',
    email: { email: 'hello@origin9.example', mail: 'accepts', page: 'https://www.origin9.example/contact' },
    emails: [{ email: 'hello@origin9.example', mail: 'accepts', page: 'https://www.origin9.example/contact' }],
    phones: [],
    profiles: [],
    at: '2026-11-25T12:00:00.000Z',
  };
  const listId = await buildListOf(product.db, user.id, [
    {
      email: 'hello@origin9.example',
      sources: JSON.stringify({ email: 'website' }),
      site_visit: JSON.stringify(site),
    },
    { site_visit: JSON.stringify({ status: 'of another time' }) },
  ]);
  const [visited, odd] = await readLeads(product.db, listId);
  const detailsOf = (id = '') => user.call(getProvenanceEndpoint, undefined, { id });
  expect(await detailsOf(visited?.id)).toMatchObject({ site, sources: { email: 'website' }, provenance: [] });
  expect(await detailsOf(odd?.id)).toMatchObject({ site: null, sources: {} });
});

test('values of open data come with their release, and with what its source says of how sure the place is', async () => {
  const springfield = { category: 'dentist', latitude: 39.8, longitude: -89.65 };
  const places = [
    { ...springfield, id: '1', name: 'Open Dental', phone: '+1 217-555-0131', confidence: '0.87' },
    { ...springfield, id: '2', name: 'Other Dental' },
  ];
  await loadCsv(product.url, places);
  const list_id = await buildList(product.db, user.id);
  const asked = { source: 'open', query: 'dentist', location: 'Springfield, IL', radius: 20_000, list_id } as const;
  await user.call(searchOpenEndpoint, asked);
  const leads = await readLeads(product.db, list_id);
  const openOf = async (name: string) => {
    const id = leads.find((lead) => lead.business_name === name)?.id ?? '';
    return (await user.call(getProvenanceEndpoint, undefined, { id })).open;
  };
  const first = { title: 'city', release: '2026-10-01', license: 'CC-BY-4.0', goneOn: null };
  expect(await openOf('Open Dental')).toMatchObject([
    { ...first, confidence: expect.closeTo(0.87), stated: '2026-10-01' },
  ]);
  expect(await openOf('Other Dental')).toMatchObject([{ ...first, confidence: null, stated: null }]);

  // A later release states another one, and has one place no more. The values are still of the first.
  await loadCsv(product.url, [{ ...places[0], id: '1', name: 'Open Dental', ...springfield, confidence: '0.5' }], {
    release: '2026-11-01',
    missing: 'whole',
  });
  expect(await openOf('Open Dental')).toMatchObject([
    { ...first, confidence: expect.closeTo(0.5), stated: '2026-11-01' },
  ]);
  const [other] = await openOf('Other Dental');
  expect(other).toMatchObject({ release: '2026-10-01', goneOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) });
});

test('a column of a file that names someone who is suppressed is not shown', async () => {
  const file = 'Company,Phone,Cell Phone,Note\nColumn Roofing,217-555-0144,(217) 555-0145,regular\n';
  const { list } = await importFile(product, user, file);
  const [lead] = await readLeads(product.db, list);
  const shown = async () =>
    (await user.call(getProvenanceEndpoint, undefined, { id: lead?.id ?? '' })).file?.extra.map(({ value }) => value);
  expect(await shown()).toEqual(['(217) 555-0145', 'regular']);
  await user.call(addSuppressionEndpoint, { kind: 'phone', value: '+1 217 555 0145' });
  expect(await shown()).toEqual(['[suppressed]', 'regular']);
});

test('a number or address of the website that was suppressed since is not shown', async () => {
  const page = 'https://harbor.example/contact';
  const mail = 'accepts';
  const [kept, held] = ['office@harbor.example', 'ann@harbor.example'];
  const site_visit = JSON.stringify({
    status: 'found',
    email: { email: kept, mail, page },
    emails: [kept, held].map((email) => ({ email, mail, page })),
    phones: ['+1 217-555-0151', '(217) 555-0152'].map((phone) => ({ phone, page })),
    profiles: [],
    at: '2026-11-20T10:00:00.000Z',
  });
  const list = await buildListOf(product.db, user.id, [{ email: kept, phone: '+1 217-555-0150', site_visit }], {});
  const [lead] = await readLeads(product.db, list);
  const site = async () => (await user.call(getProvenanceEndpoint, undefined, { id: lead?.id ?? '' })).site;
  expect(await site()).toMatchObject({ emails: [{ email: kept }, { email: held }], phones: [{}, {}] });
  await user.call(addSuppressionEndpoint, { kind: 'email', value: held });
  await user.call(addSuppressionEndpoint, { kind: 'phone', value: '217.555.0152' });
  expect(await site()).toMatchObject({
    email: { email: kept },
    emails: [{ email: kept }],
    phones: [{ phone: '+1 217-555-0151' }],
  });
});
