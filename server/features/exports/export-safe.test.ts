import fc from 'fast-check';
import { sql } from 'kysely';
import Papa from 'papaparse';
import { beforeAll, expect, test } from 'vitest';
import { addressOf } from '#contract/address.ts';
import { exportAttributionEndpoint, exportLeadsEndpoint } from '#contract/work/exports/exports.ts';
import { duplicateListEndpoint } from '#contract/work/lists.ts';
import { copyLeadsEndpoint } from '#contract/work/move-leads.ts';
import { buildList, buildListOf, readLeads } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';
import { attributionLines } from './attribution.ts';

let product: Product;
let user: TestUser;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  user = await product.user();
  await sql`
    insert into app.open_releases (id, source, release, license, sandbox) values
      (1, 'overture', '2026-09-23.0', 'CDLA-Permissive-2.0', true), (2, 'openstreetmap', '2026-10-01', 'ODbL-1.0', true)
  `.execute(product.db);
});

const ask = async (path: string, listId: string, more = {}): Promise<string> => {
  const response = await product.request(addressOf(path, { listId }), {
    method: 'POST',
    headers: { authorization: await user.authorization(), 'content-type': 'application/json' },
    body: JSON.stringify({ filter: 'all', compliance: 'all_leads', rights: 'export_safe', ...more }),
  });
  expect(response.status).toBe(200);
  return response.text();
};
const exported = async (listId: string, more = {}) =>
  Papa.parse<Record<string, string>>((await ask(exportLeadsEndpoint.path, listId, more)).replace(/^\uFEFF/, ''), {
    header: true,
    skipEmptyLines: true,
  }).data;

const COLUMNS = ['business_name', 'phone', 'address', 'website', 'email', 'owner_name', 'owner_title'] as const;
const HEADERS = {
  business_name: 'Business Name',
  phone: 'Phone',
  address: 'Address',
  website: 'Website',
  email: 'Email',
  owner_name: 'Owner Name',
  owner_title: 'Title',
};

/** A lead of which each value is called after what brought it. */
const origins = fc.record(
  Object.fromEntries(
    COLUMNS.map((column) => [column, fc.constantFrom('open:1', 'file', 'website', 'google')]),
  ) as Record<(typeof COLUMNS)[number], fc.Arbitrary<string>>,
);
type Origins = typeof origins extends fc.Arbitrary<infer T> ? T : never;
const leadOf = (origin: Origins, index: number) => ({
  ...Object.fromEntries(COLUMNS.map((column) => [column, `${origin[column]} ${column} ${index}`])),
  sources: JSON.stringify(
    Object.fromEntries(COLUMNS.flatMap((column) => (origin[column] === 'google' ? [] : [[column, origin[column]]]))),
  ),
  phone_type: 'google phone_type',
});

test('whatever way a lead takes, no value of Google is in an export-safe file, and each value in it has its license', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(origins, { minLength: 1, maxLength: 12 }),
      fc.array(fc.constantFrom('copy', 'duplicate', 'merge'), { maxLength: 4 }),
      async (leads, ways) => {
        let listId = await buildListOf(product.db, user.id, leads.map(leadOf), {
          tier2_complete: true,
          tier3_complete: true,
          tier4_complete: true,
        });
        for (const way of ways) {
          if (way === 'duplicate') listId = (await user.call(duplicateListEndpoint, { list_id: listId })).list_id;
          else {
            const to =
              way === 'merge'
                ? await buildListOf(product.db, user.id, [{ business_name: 'google only', phone: 'google phone' }])
                : await buildList(product.db, user.id, { status: 'completed', sandbox: true });
            const ids = (await readLeads(product.db, listId)).map((lead) => lead.id);
            await user.call(copyLeadsEndpoint, { lead_ids: ids, to: { list_id: to } }, { listId });
            listId = to;
          }
        }
        const rows = await exported(listId);
        const named = leads.filter((origin) => origin.business_name !== 'google');
        expect(rows).toHaveLength(named.length);
        for (const row of rows) {
          expect(JSON.stringify(row)).not.toContain('google');
          const licenses = row['Sources and Licenses'] ?? '';
          for (const column of COLUMNS) {
            const header = HEADERS[column];
            expect(licenses.includes(`${header}: `)).toBe(row[header] !== '');
          }
        }
        // Read once more, it is the same.
        expect(await exported(listId)).toEqual(rows);
      },
    ),
    { numRuns: 25 },
  );
});

test('names whom it must, and says how many it leaves out', async () => {
  const listId = await buildListOf(product.db, user.id, [
    { business_name: 'Open', sources: JSON.stringify({ business_name: 'open:1' }) },
    { business_name: 'Bought' },
    { business_name: 'Map', sources: JSON.stringify({ business_name: 'open:2' }) },
  ]);
  expect((await exported(listId)).map((row) => row['Business Name'])).toEqual(['Open']);
  const text = await ask(exportAttributionEndpoint.path, listId);
  expect(text).toContain('Overture Maps Foundation');
  expect(text).toContain('Release 2026-09-23.0, CDLA-Permissive-2.0.');
  expect(text).not.toContain('OpenStreetMap');
  expect(text).toContain('2 leads are left out');
  const choice = { filter: 'all', compliance: 'all_leads', rights: 'export_safe' } as const;
  expect(await attributionLines(product.db, listId, choice)).toMatchObject({ exported: 1, leftOut: 2 });
});

test('OpenStreetMap is exported where nothing else is, with its own notice', async () => {
  const listId = await buildListOf(product.db, user.id, [
    { business_name: 'Map', sources: JSON.stringify({ business_name: 'open:2' }) },
  ]);
  expect((await exported(listId)).map((row) => row['Business Name'])).toEqual(['Map']);
  expect(await ask(exportAttributionEndpoint.path, listId)).toContain('Open Database License');
});

test('OpenStreetMap stands beside no value of the user’s own file', async () => {
  const sources = JSON.stringify({ business_name: 'open:2' });
  const mixed = [{ business_name: 'Map', sources, extra: JSON.stringify({ Note: 'a regular' }) }];
  expect(await exported(await buildListOf(product.db, user.id, mixed))).toEqual([]);
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
