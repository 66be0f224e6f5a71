import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import { previewExportEndpoint } from '#contract/work/exports/exports.ts';
import { copyLeadsEndpoint } from '#contract/work/move-leads.ts';
import { attributionText, exportRows } from '#test/exports.ts';
import { buildListOf, readLeads } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';
import { attributionLines } from './attribution.ts';
import { licensesOf, toSafeRow } from './safe-row.ts';
import { safeTerms } from './safe-terms.ts';

let product: Product;
let user: TestUser;
beforeAll(async () => {
  product = await startProduct();
  user = await product.user();
  await sql`
    insert into app.open_releases (id, source, release, license, sandbox) values
      (1, 'overture', '2026-09-23.0', 'CDLA-Permissive-2.0', true), (2, 'openstreetmap', '2026-10-01', 'ODbL-1.0', true)
  `.execute(product.db);
});

const SAFE = { rights: 'export_safe' } as const;
const exported = (listId: string, more = {}) => exportRows(product, user, listId, { ...SAFE, ...more });
const attribution = (listId: string, more = {}) => attributionText(product, user, listId, more);

test('names whom it must, and says how many it leaves out', async () => {
  const listId = await buildListOf(product.db, user.id, [
    { business_name: 'Open', sources: JSON.stringify({ business_name: 'open:1' }) },
    { business_name: 'Bought' },
    { business_name: 'Map', sources: JSON.stringify({ business_name: 'open:2' }) },
  ]);
  expect((await exported(listId)).map((row) => row['Business Name'])).toEqual(['Open']);
  const text = await attribution(listId);
  expect(text).toContain('Overture Maps Foundation');
  expect(text).toContain('Release 2026-09-23.0, CDLA-Permissive-2.0.');
  expect(text).not.toContain('OpenStreetMap contributors');
  expect(text).toContain('Left out: 2 leads.');
  const choice = { filter: 'all', compliance: 'all_leads', ...SAFE } as const;
  expect(await attributionLines(product.db, listId, choice)).toMatchObject({ exported: 1, leftOut: 2 });
});

test('OpenStreetMap is exported where nothing else is, with its own notice', async () => {
  const listId = await buildListOf(product.db, user.id, [
    { business_name: 'Map', sources: JSON.stringify({ business_name: 'open:2' }) },
  ]);
  expect((await exported(listId)).map((row) => row['Business Name'])).toEqual(['Map']);
  expect(await attribution(listId)).toContain('Open Database License');
});

test('what a run adds to a lead while a file of OpenStreetMap is written stays out of it', async () => {
  const listId = await buildListOf(product.db, user.id, [
    {
      business_name: 'Map',
      phone: '+1 217-555-0101',
      sources: JSON.stringify({ business_name: 'open:2', phone: 'open:2' }),
    },
  ]);
  const terms = await safeTerms(product.db, listId, { filter: 'all', compliance: 'all_leads', ...SAFE });
  await sql`
    update public.leads set email = 'info@map.example', sources = sources || '{"email": "website"}', extra = '{"Note": "mine"}'
    where list_id = ${listId}
  `.execute(product.db);
  const [lead] = await sql<Parameters<typeof toSafeRow>[0]>`
    select *, gen_random_uuid() as email_check_call_id, 'valid' as email_status from public.leads where list_id = ${listId}
  `
    .execute(product.db)
    .then(({ rows }) => rows);
  const safe = lead && toSafeRow(lead, terms);
  expect(safe?.row).toMatchObject({ business_name: 'Map', phone: '+1 217-555-0101', email: null, email_status: null });
  expect([safe?.extra, safe?.leftOut]).toEqual([{}, 2]);
  expect(safe && licensesOf(safe)).not.toMatch(/Hunter|website|file/);
});

test('a file with all values names the open data in it, and no one where there is none', async () => {
  const all = { rights: 'all' };
  const leads = [
    { business_name: 'Open', sources: JSON.stringify({ business_name: 'open:1' }) },
    {
      business_name: 'Mine',
      extra: JSON.stringify({ Note: 'Map' }),
      sources: JSON.stringify({ business_name: 'file', 'extra.Note': 'file:open:2' }),
    },
    { business_name: 'Bought' },
  ];
  const text = await attribution(await buildListOf(product.db, user.id, leads), all);
  expect(text).toContain('open data of 2 leads');
  expect(text).toContain('Overture Maps Foundation');
  expect(text).toContain('Open Database License');
  expect(await attribution(await buildListOf(product.db, user.id, [{ business_name: 'Bought' }]), all)).toBe('');
});

test('values under the ODbL stay apart whatever their source is called', async () => {
  await sql`insert into app.open_releases (id, source, release, license, sandbox) values (3, 'city-map', '2026-10-01', 'ODbL-1.0', true)`.execute(
    product.db,
  );
  const listId = await buildListOf(product.db, user.id, [
    { business_name: 'Open', sources: JSON.stringify({ business_name: 'open:1' }) },
    { business_name: 'Map', sources: JSON.stringify({ business_name: 'open:3' }) },
  ]);
  expect((await exported(listId)).map((row) => row['Business Name'])).toEqual(['Open']);
});

test.each(['CC-BY-NC-4.0', 'Not for reuse, all rights reserved', 'Internal use only'])(
  'values under “%s” are in no export-safe file, and are named beside one with all values',
  async (license) => {
    const { rows } = await sql<{ id: number }>`
      insert into app.open_releases (id, source, release, license, sandbox)
      select max(id) + 1, 'chamber', '2026-10-01', ${license}, true from app.open_releases returning id`.execute(
      product.db,
    );
    const listId = await buildListOf(product.db, user.id, [
      { business_name: 'Open', sources: JSON.stringify({ business_name: 'open:1' }) },
      { business_name: 'Chamber', sources: JSON.stringify({ business_name: `open:${rows[0]?.id}` }) },
    ]);
    expect((await exported(listId)).map((row) => row['Business Name'])).toEqual(['Open']);
    expect(await attribution(listId, { rights: 'all' })).toContain(license);
  },
);

test('OpenStreetMap stands beside no value of the user’s own file', async () => {
  const sources = JSON.stringify({ business_name: 'open:2' });
  const mixed = [{ business_name: 'Map', sources, extra: JSON.stringify({ Note: 'a regular' }) }];
  expect(await exported(await buildListOf(product.db, user.id, mixed))).toEqual([]);
});

test('one email of another source keeps OpenStreetMap out, and both the preview and the file beside say so', async () => {
  const map = (name: string) => ({ business_name: name, phone: '+1 217-555-0101', address: '1 Main St' });
  const sources = { business_name: 'open:2', phone: 'open:2' };
  const listId = await buildListOf(product.db, user.id, [
    { ...map('Mixed'), email: 'own@file.example', sources: JSON.stringify({ ...sources, email: 'file' }) },
    { ...map('Map'), sources: JSON.stringify(sources) },
  ]);
  const asked = { filter: 'all', compliance: 'all_leads', ...SAFE } as const;
  const whole = { leads: 0, leftOut: 2, valuesLeftOut: 0, apartLeftOut: 4 };
  expect(await user.call(previewExportEndpoint, asked, { listId })).toEqual(whole);
  expect(await attribution(listId)).toContain('The license of OpenStreetMap (ODbL) keeps out 4 values');
  // Without the lead that has other values, the rest may leave.
  const [, other] = await readLeads(product.db, listId);
  const only = { ...asked, lead_ids: [other?.id ?? ''] };
  expect(await user.call(previewExportEndpoint, only, { listId })).toMatchObject({ leads: 1, apartLeftOut: 0 });
});

test('what is said of calls has no license, and stays out', async () => {
  const listId = await buildListOf(product.db, user.id, [
    { business_name: 'Open', sources: JSON.stringify({ business_name: 'open:1' }) },
  ]);
  const [row] = await exported(listId, { call_times: true });
  expect(row).toMatchObject({ 'Business Name': 'Open' });
  expect(Object.keys(row ?? {}).filter((header) => /call_|zone|rule/.test(header))).toEqual([]);
});

test('a number that must not be called is left out, because its verdict is', async () => {
  const sources = JSON.stringify({ business_name: 'file', phone: 'file' });
  const listId = await buildListOf(
    product.db,
    user.id,
    [{ business_name: 'Flagged', phone: '+1 217-555-0101', compliance_status: 'dnc', sources }],
    { compliance_checked: true },
  );
  const [row] = await exported(listId);
  expect(row).toMatchObject({ 'Business Name': 'Flagged', Phone: '' });
  expect(Object.keys(row ?? {})).not.toContain('Compliance Status');
});

test('what stays out is told before the file is made', async () => {
  const listId = await buildListOf(product.db, user.id, [
    {
      business_name: 'Open',
      phone: '+1 217-555-0101',
      address: '1 Main St',
      sources: JSON.stringify({ business_name: 'open:1' }),
    },
    {
      business_name: 'Mine',
      extra: JSON.stringify({ Note: 'a regular' }),
      sources: JSON.stringify({ business_name: 'file' }),
    },
    { business_name: 'Bought', phone: '+1 217-555-0102' },
  ]);
  const asked = { filter: 'all', compliance: 'all_leads', ...SAFE } as const;
  expect(await user.call(previewExportEndpoint, asked, { listId })).toEqual({
    leads: 2,
    leftOut: 1,
    valuesLeftOut: 2,
    apartLeftOut: 0,
  });
  expect(await exported(listId)).toHaveLength(2);
  // Of leads that may be called soon: none of these, whose numbers no one has checked.
  expect(await user.call(previewExportEndpoint, { ...asked, call_within: 8 }, { listId })).toEqual({
    leads: 0,
    leftOut: 0,
    valuesLeftOut: 0,
    apartLeftOut: 0,
  });
});

test('the file beside it names only sources of rows that are in the file', async () => {
  const listId = await buildListOf(
    product.db,
    user.id,
    [
      { business_name: 'Open', sources: JSON.stringify({ business_name: 'open:1' }) },
      {
        business_name: 'Mine',
        phone: '+1 217-555-0103',
        address: '1 Main St, Springfield, IL 62701, USA',
        compliance_status: 'dnc',
        compliance_checked_at: new Date(),
        sources: JSON.stringify({ business_name: 'file', phone: 'file', address: 'file' }),
      },
    ],
    { sandbox: false, compliance_checked: true },
  );
  expect(await attribution(listId)).toContain('Your file');
  const blocked = { matching: { call: 'blocked' } };
  expect((await exported(listId, blocked)).map((row) => row['Business Name'])).toEqual(['Mine']);
  expect(await attribution(listId, blocked)).toMatch(
    /^Sources and licenses of 1 lead\n\nYour file\. Your own data\.\n\nLeft out of the other leads: 1 value,/,
  );
});

test('the file beside it names Hunter for what only the verifier said, and the file for its other columns', async () => {
  await user.connect('hunter_io', 'sandbox-export-safe');
  const listId = await buildListOf(product.db, user.id, [
    {
      business_name: 'Open',
      email: 'hello@open.example',
      extra: JSON.stringify({ Note: 'a regular' }),
      sources: JSON.stringify({ business_name: 'open:1', email: 'open:1' }),
    },
  ]);
  await user.call(enrichEmailsEndpoint, { list_id: listId, steps: ['verifier'] });
  const [row] = await exported(listId);
  expect(row?.['Email Check']).toBeTruthy();
  const overture = 'Overture Places 2026-09-23.0 (CDLA-Permissive-2.0)';
  expect(row?.['Sources and Licenses']).toBe(
    `Business Name: ${overture}; Email: ${overture}; Email Check: Hunter (Hunter’s terms of service); Other columns: Your file (Your own data)`,
  );
  const text = await attribution(listId);
  expect(text).toContain('Hunter. Hunter’s terms of service.');
  expect(text).toContain('Your file. Your own data.');
});

test('the file beside it names Hunter for its confidence in an email of a file, which a merged lead brought', async () => {
  const email = 'hello@mine.example';
  const mine = { business_name: 'Mine', phone: '+1 217-555-0104', email };
  const to = await buildListOf(product.db, user.id, [
    { ...mine, sources: JSON.stringify({ business_name: 'file', phone: 'file', email: 'file' }) },
  ]);
  const from = await buildListOf(product.db, user.id, [mine]);
  const call = await product.db
    .insertInto('app.paid_calls')
    .values({
      user_id: user.id,
      provider: 'hunter_io',
      operation: 'domain_search',
      sandbox: true,
      subject: 'mine.example',
      state: 'answered',
      idempotency_key: from,
      estimate_micros: 50_000,
      cost_micros: 50_000,
      attempts: 1,
      sent_at: new Date(),
      settled_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await product.db
    .updateTable('leads')
    .set({ email_call_id: call.id, email_confidence: 91 })
    .where('list_id', '=', from)
    .execute();
  const lead_ids = (await readLeads(product.db, from)).map(({ id }) => id);
  await user.call(copyLeadsEndpoint, { lead_ids, to: { list_id: to } }, { listId: from });
  const [row] = await exported(to);
  expect(row?.['Email Confidence']).toBe('91');
  expect(row?.['Sources and Licenses']).toContain('Email Confidence: Hunter (Hunter’s terms of service)');
  expect(await attribution(to)).toContain('Hunter. Hunter’s terms of service.');
});
