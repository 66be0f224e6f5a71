import { join } from 'node:path';
import fc from 'fast-check';
import { sql } from 'kysely';
import Papa from 'papaparse';
import { beforeAll, expect, test } from 'vitest';
import type { ImportField } from '#contract/imports/fields.ts';
import { startImportEndpoint, undoImportEndpoint } from '#contract/imports/imports.ts';
import { LICENSES_HEADER } from '#contract/work/exports/exports.ts';
import { duplicateListEndpoint } from '#contract/work/lists.ts';
import { copyLeadsEndpoint } from '#contract/work/move-leads.ts';
import { backUp } from '#db/backup/back-up.ts';
import { restore } from '#db/backup/restore.ts';
import { inTransaction } from '#db/connection/tx.ts';
import { productMigrations } from '#db/migrations/our-migrations.ts';
import { installQueue } from '#jobs/install-queue.ts';
import { addLeads } from '#server/features/search/lead-rows.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { temporaryFolder } from '#test/databases/postgres.ts';
import { attributionText, exportRows, exportText } from '#test/exports.ts';
import { importEnd, uploadFile } from '#test/imports.ts';
import { buildList, buildListOf, readLeads } from '#test/lists.ts';
import { type Process, type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
  await sql`
    insert into app.open_releases (id, source, release, license, sandbox) values
      (1, 'overture', '2026-09-23.0', 'CDLA-Permissive-2.0', false), (2, 'openstreetmap', '2026-10-01', 'ODbL-1.0', false)
  `.execute(product.db);
});

const COLUMNS = ['business_name', 'phone', 'address', 'website', 'email', 'owner_name', 'owner_title'] as const;
type Column = (typeof COLUMNS)[number];
const HEADERS: Record<Column, string> = {
  business_name: 'Business Name',
  phone: 'Phone',
  address: 'Address',
  website: 'Website',
  email: 'Email',
  owner_name: 'Owner Name',
  owner_title: 'Title',
};
const SAFE = { rights: 'export_safe' };
const GOOGLES: ReadonlySet<Column> = new Set(['business_name', 'phone', 'address', 'website']);

/** Which source brought each value of a lead. Google never tells a name alone. */
const origins = fc
  .record(
    Object.fromEntries(
      COLUMNS.map((column) => [
        column,
        fc.constantFrom('open:1', 'open:2', 'file', 'website', ...(GOOGLES.has(column) ? ['google', 'google'] : [])),
      ]),
    ) as Record<Column, fc.Arbitrary<string>>,
  )
  .map((one) =>
    one.business_name === 'google' && ![one.phone, one.website].includes('google')
      ? { ...one, address: 'google' }
      : one,
  );
type Origins = typeof origins extends fc.Arbitrary<infer T> ? T : never;

let number = 0;
/** A value that no other lead has, as people write such values, and that says who told it. */
function toldBy(column: Column, origin: string): string {
  number += 1;
  const who = origin.replace(':', '');
  if (column === 'phone') return `+1 ${origin === 'google' ? '312' : '217'}-${200 + (number % 700)}-${1000 + number}`;
  if (column === 'website') return `https://www.${who}-${number}.example/${who}`;
  if (column === 'email') return `hello@${who}-${number}.example`;
  if (column === 'address') return `${number} ${who} Street, Springfield, IL 62701, USA`;
  return `${who} ${column.replace('_', ' ')} ${number}`;
}
type Lead = Record<Column, string> & { sources: string };
const leadOf = (origin: Origins): Lead => ({
  ...(Object.fromEntries(COLUMNS.map((column) => [column, toldBy(column, origin[column])])) as Record<Column, string>),
  sources: JSON.stringify(
    Object.fromEntries(COLUMNS.flatMap((column) => (origin[column] === 'google' ? [] : [[column, origin[column]]]))),
  ),
});

/** A list of these leads. What Google says of them was told by a search, whose own list is gone since. */
async function listOf(user: TestUser, leads: readonly Lead[], given: readonly Origins[]): Promise<string> {
  const searched = await buildList(product.db, user.id, { sandbox: false });
  const places = leads.flatMap((lead, index) => {
    const told = (column: Column) => (given[index]?.[column] === 'google' ? lead[column] : undefined);
    const [name, phone, address, website] = [told('business_name'), told('phone'), told('address'), told('website')];
    return name || phone || address || website
      ? [
          {
            place: placeOf(`${user.id}-${number}-${index}`, { name: name ?? '-', phone, address, website }),
            callId: null,
          },
        ]
      : [];
  });
  await inTransaction(product.db, (tx) => addLeads(tx, searched, places));
  await product.db.deleteFrom('lists').where('id', '=', searched).execute();
  return buildListOf(product.db, user.id, leads, {
    sandbox: false,
    tier2_complete: true,
    tier3_complete: true,
    tier4_complete: true,
  });
}
type Told = { name: string; phone?: string | undefined; address?: string | undefined; website?: string | undefined };
const placeOf = (id: string, { name, phone, address, website }: Told) => ({
  ...{ id, name, serviceArea: false, closedPermanently: false },
  ...(phone ? { phone } : {}),
  ...(address ? { address } : {}),
  ...(website ? { website } : {}),
});

/** Makes a list of a file: as it is guessed, or with each column named as one of the reader's own. */
async function imported(process: Process, user: TestUser, file: string, mapping: Record<string, ImportField> = {}) {
  const { importId } = await uploadFile(process, user, file);
  const body = { duplicates: 'add' as const, listName: 'From a file', mapping };
  const { listId } = await user.call(startImportEndpoint, body, { id: importId });
  expect(await importEnd(user, importId)).toMatchObject({ state: 'completed' });
  return { importId, listId };
}

/** What someone does to a file in a spreadsheet: other headers, other order, other spellings, and "other" columns. */
function edited(text: string): { file: string; mapping: Record<string, ImportField> } {
  const [head = [], ...rows] = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { skipEmptyLines: true }).data;
  const headers = head.map((_, at) => `Mine ${at}`).toReversed();
  const spelled = (cell: string) =>
    cell
      .replace(/^'?\+1 (\d{3})-(\d{3})-(\d{4})$/, '($1) $2 $3')
      .replace(/^https:\/\/www\./, '')
      .replace(/, USA$/, '')
      .replace(/^google business/, 'GOOGLE  Business');
  return {
    file: Papa.unparse([headers, ...rows.map((row) => row.map(spelled).toReversed())]),
    mapping: Object.fromEntries(headers.map((header) => [header, 'extra' as const])),
  };
}

/** The same with the address in columns of its parts: as the street with its town, or with its ZIP code. */
function inParts(text: string, way: 'town' | 'zip'): { file: string; mapping: Record<string, ImportField> } {
  const rows = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { skipEmptyLines: true }).data;
  const at = rows[0]?.indexOf('Address') ?? -1;
  const parted = rows.map((row, index) => {
    const [street = '', city = '', region = ''] = (row[at] ?? '').split(', ');
    const [state = '', zip = ''] = region.split(' ');
    const parts =
      index === 0 ? ['Part 1', 'Part 2', 'Part 3'] : way === 'town' ? [street, city, state] : [street, zip, ''];
    return [...row.toSpliced(at, 1), ...parts];
  });
  const [second, third] = way === 'town' ? (['city', 'state'] as const) : (['zip', 'skip'] as const);
  return { file: Papa.unparse(parted), mapping: { 'Part 1': 'street', 'Part 2': second, 'Part 3': third } };
}

const WAYS = [
  ...(['copy', 'merge', 'duplicate', 'archive', 're-import', 're-import safe', 're-import edited'] as const),
  ...(['re-import with towns', 're-import with ZIP codes'] as const),
];

async function take(way: (typeof WAYS)[number], user: TestUser, from: string): Promise<string> {
  if (way === 'duplicate') return (await user.call(duplicateListEndpoint, { list_id: from })).list_id;
  if (way === 'archive') {
    for (const lifecycle_status of ['archived', 'active'])
      await product.db.updateTable('lists').set({ lifecycle_status }).where('id', '=', from).execute();
    return from;
  }
  if (way === 're-import') return (await imported(product, user, await exportText(product, user, from))).listId;
  if (way === 're-import safe') {
    const text = await exportText(product, user, from, SAFE);
    return text.trim().includes('\n') ? (await imported(product, user, text)).listId : from;
  }
  if (way === 're-import edited') {
    const { file, mapping } = edited(await exportText(product, user, from));
    return (await imported(product, user, file, mapping)).listId;
  }
  if (way === 're-import with towns' || way === 're-import with ZIP codes') {
    const parted = inParts(await exportText(product, user, from), way === 're-import with towns' ? 'town' : 'zip');
    return (await imported(product, user, parted.file, parted.mapping)).listId;
  }
  const to =
    way === 'merge'
      ? await buildListOf(product.db, user.id, [{ business_name: 'google only' }], { sandbox: false })
      : await buildList(product.db, user.id, { status: 'completed', sandbox: false });
  const lead_ids = (await readLeads(product.db, from)).map((lead) => lead.id);
  await user.call(copyLeadsEndpoint, { lead_ids, to: { list_id: to } }, { listId: from });
  return to;
}

/** What a value is, however it is written: letters and digits, and of a page its domain. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^https?:\/\/(www\.)?|(?<=\.example)\/.*$/g, '')
    .replace(/^'?\+1|, usa$|[^a-z0-9]/g, '');

const MIXED = {
  ...{ business_name: 'file', phone: 'google', address: 'google', website: 'google' },
  ...{ email: 'file', owner_name: 'website', owner_title: 'open:1' },
};
const BOUGHT = { ...MIXED, business_name: 'google' };

test('whatever way a lead takes, no value of Google is in an export-safe file, and each value in it has its license', async () => {
  let [files, cells] = [0, 0];
  await fc.assert(
    fc.asyncProperty(
      fc.array(origins, { minLength: 1, maxLength: 6 }),
      fc.array(fc.constantFrom(...WAYS), { maxLength: 4 }),
      async (given, ways) => {
        const user = await product.user();
        const leads = given.map(leadOf);
        let listId = await listOf(user, leads, given);
        for (const way of ways) listId = await take(way, user, listId);
        const googles = leads.flatMap((lead, index) =>
          COLUMNS.flatMap((column) => {
            if (given[index]?.[column] !== 'google') return [];
            return [plain(column === 'address' ? (lead.address.split(',')[0] ?? '') : lead[column])];
          }),
        );
        const rows = await exportRows(product, user, listId, SAFE);
        files += 1;
        for (const row of rows) {
          const licenses = row[LICENSES_HEADER] ?? '';
          for (const [header, cell] of Object.entries(row)) {
            if (cell === '' || header === LICENSES_HEADER) continue;
            cells += 1;
            for (const value of googles) expect(plain(cell)).not.toContain(value);
            const named = Object.values(HEADERS).includes(header) ? header : 'Other columns';
            expect(licenses).toContain(`${named}: `);
          }
        }
        // OpenStreetMap stands beside nothing else.
        const all = rows.map((row) => row[LICENSES_HEADER]).join('; ');
        if (all.includes('ODbL')) for (const one of all.split('; ')) if (one) expect(one).toContain('OpenStreetMap');
        // What may be kept is there, where no spreadsheet has changed it.
        if (!ways.includes('re-import edited'))
          for (const [index, lead] of leads.entries())
            if (['open:1', 'file', 'website'].includes(given[index]?.business_name ?? ''))
              expect(rows.map((row) => row['Business Name'])).toContain(lead.business_name);
        // Read once more, it is the same, and the file beside it names no one else.
        expect(await exportRows(product, user, listId, SAFE)).toEqual(rows);
        if (!all.includes('OpenStreetMap'))
          expect(await attributionText(product, user, listId)).not.toContain('OpenStreetMap');
      },
    ),
    { numRuns: 30, examples: WAYS.map((way) => [[BOUGHT, MIXED], [way]]) },
  );
  expect(files).toBe(30);
  expect(cells).toBeGreaterThan(50);
});

test('a place of Google that is one of open data brings its id, and none of its values to a file', async () => {
  const user = await product.user();
  const sources = JSON.stringify({ business_name: 'open:1', phone: 'open:1' });
  const open = { business_name: 'Open Bakery', phone: '+1 217-555-0160', open_id: 'overture:160', sources };
  const listId = await buildListOf(product.db, user.id, [open], { sandbox: false });
  const place = placeOf('google-160', {
    ...{ name: 'Google Open Bakery', phone: '+1 217-555-0160' },
    ...{ address: '1 Google Street, Springfield, IL 62701, USA', website: 'https://google-160.example/' },
  });
  await inTransaction(product.db, (tx) => addLeads(tx, listId, [{ place, callId: null }]));
  expect(await readLeads(product.db, listId)).toMatchObject(
    [{ ...open, place_id: 'google-160', sources: {} }].map(({ sources: _, ...lead }) => lead),
  );
  const [row, ...more] = await exportRows(product, user, listId, SAFE);
  expect(more).toEqual([]);
  expect(row).toMatchObject({ 'Business Name': 'Open Bakery', Phone: '+1 217-555-0160', Address: '', Website: '' });
  expect(await product.db.selectFrom('app.open_matches').selectAll().where('user_id', '=', user.id).execute()).toEqual([
    expect.objectContaining({ place_id: 'google-160', open_id: 'overture:160', reason: 'phone' }),
  ]);
  // Nothing of it is known by what Google said, either.
  expect(
    await exportRows(
      product,
      user,
      (await imported(product, user, 'Business Name,Phone,City\nGoogle Open Bakery,217-555-0161,Springfield\n')).listId,
      SAFE,
    ),
  ).toMatchObject([{ 'Business Name': 'Google Open Bakery' }]);
});

test('OpenStreetMap that comes back in a file stays OpenStreetMap, with its notice, and beside nothing else', async () => {
  const user = await product.user();
  const lead = { business_name: 'Map Bakery', phone: '+1 217-555-0170' };
  const sources = JSON.stringify({ business_name: 'open:2', phone: 'open:2' });
  const listId = await buildListOf(product.db, user.id, [{ ...lead, sources }], { sandbox: false });
  const file = await exportText(product, user, listId, SAFE);
  const back = await imported(product, user, file, { [LICENSES_HEADER]: 'skip' });
  const [row] = await exportRows(product, user, back.listId, SAFE);
  expect(row).toMatchObject({ 'Business Name': 'Map Bakery', Phone: '+1 217-555-0170' });
  expect(row?.[LICENSES_HEADER]).toBe(
    'Business Name: OpenStreetMap 2026-10-01 (ODbL-1.0); Phone: OpenStreetMap 2026-10-01 (ODbL-1.0)',
  );
  expect(await attributionText(product, user, back.listId)).toContain('Open Database License');
  const mixed = await imported(
    product,
    user,
    'Business Name,Phone\nMap Bakery,217-555-0170\nMy Own Client,217-555-0171\n',
  );
  expect((await exportRows(product, user, mixed.listId, SAFE)).map((one) => one['Business Name'])).toEqual([
    'My Own Client',
  ]);
});

test('what others found out of a number is no column of one’s own when it comes back', async () => {
  const user = await product.user();
  const file =
    'Business Name,Phone,Phone Type,Compliance Status,call_status,Notes\nMine,217-555-0180,mobile,clean,callable,a regular\n';
  const { listId } = await imported(product, user, file, {
    'Phone Type': 'extra',
    'Compliance Status': 'extra',
    call_status: 'extra',
  });
  const [row] = await exportRows(product, user, listId, SAFE);
  expect(row).toMatchObject({ 'Business Name': 'Mine', Notes: 'a regular' });
  expect(Object.keys(row ?? {}).filter((header) => /Type|Status|call_/.test(header))).toEqual([]);
  // Its other columns are not in the list, but they were in the file.
  const again = await imported(product, user, file, {
    'Phone Type': 'extra',
    'Compliance Status': 'skip',
    call_status: 'skip',
  });
  expect(Object.keys((await exportRows(product, user, again.listId, SAFE))[0] ?? {})).not.toContain('Phone Type');
});

test('a file fills a lead with values of Google as Google’s, and undoing leaves no trace of it', async () => {
  const user = await product.user();
  const searched = await listOf(
    user,
    [{ ...leadOf(BOUGHT), phone: '+1 312-555-0190', website: 'https://told-190.example/' }],
    [BOUGHT],
  );
  await product.db.deleteFrom('lists').where('id', '=', searched).execute();
  const own = {
    business_name: 'Mine',
    email: 'me@mine.example',
    sources: JSON.stringify({ business_name: 'file', email: 'file' }),
  };
  const listId = await buildListOf(product.db, user.id, [own], { sandbox: false });
  const before = await readLeads(product.db, listId);
  const { importId } = await uploadFile(
    product,
    user,
    'Company,E-mail,Telephone,Old site\nMine,me@mine.example,(312) 555-0190,told-190.example\n',
  );
  await user.call(
    startImportEndpoint,
    { duplicates: 'update', listName: 'Fill', mapping: { 'Old site': 'extra' } },
    { id: importId },
  );
  await importEnd(user, importId);
  expect(await readLeads(product.db, listId)).toMatchObject([
    {
      ...{ phone: '+1 312-555-0190', extra: { 'Old site': 'told-190.example' } },
      sources: { business_name: 'file', phone: 'file:google', 'extra.Old site': 'file:google' },
    },
  ]);
  expect(await exportRows(product, user, listId, SAFE)).toMatchObject([
    { 'Business Name': 'Mine', Phone: '', 'Old site': '' },
  ]);
  await user.call(undoImportEndpoint, undefined, { id: importId });
  expect(await readLeads(product.db, listId)).toEqual(before);
});

test('one’s own values are one’s own, also where Google told something like them', async () => {
  const user = await product.user();
  const list = await buildList(product.db, user.id, { sandbox: false });
  const told = [
    placeOf('station', { name: '76', phone: '+1 312-555-0140', address: '1 Oak Street, Springfield, IL 62701, USA' }),
    placeOf('plumber', { name: 'Mobile Plumber', phone: '+1 312-555-0141', address: 'Springfield, IL, USA' }),
    placeOf('branch', { name: 'Sandwich Chain', address: '12 Main Street, Springfield, IL 62701, USA' }),
  ];
  await inTransaction(product.db, (tx) =>
    addLeads(
      tx,
      list,
      told.map((place) => ({ place, callId: null })),
    ),
  );
  const file = Papa.unparse([
    [
      'Company',
      'Telephone',
      'Street',
      'City',
      'State',
      'ZIP',
      'Score',
      'Area',
      'Country of origin',
      'Phone Type',
      'Brand',
    ],
    // Another branch, in the same street of another town.
    [
      ...['Sandwich Chain', '217-555-0145', '12 Main Street', 'Chicago', 'IL', '60601'],
      ...['76', 'Springfield, IL', 'USA', 'mine', 'Sandwich Chain'],
    ],
    // Google's gas station, with a score that is someone's own.
    ['76', '312-555-0140', '', '', '', '', '76', '', '', '', '76 '],
    // Nothing but a name that Google told.
    ['Sandwich Chain', '', '', '', '', '', '', '', '', '', ''],
  ]);
  const mapping = {
    'Phone Type': 'extra',
    Score: 'extra',
    Area: 'extra',
    'Country of origin': 'extra',
    Brand: 'extra',
  };
  const { listId } = await imported(product, user, file, mapping as Record<string, ImportField>);
  expect(await exportRows(product, user, listId, SAFE)).toMatchObject([
    {
      ...{ 'Business Name': 'Sandwich Chain', Phone: '+1 217-555-0145' },
      Address: '12 Main Street, Chicago, IL 60601, USA',
      ...{
        Score: '76',
        Area: 'Springfield, IL',
        'Country of origin': 'USA',
        'Phone Type': 'mine',
        Brand: 'Sandwich Chain',
      },
    },
  ]);
  expect((await readLeads(product.db, listId)).map((lead) => lead.sources)).toMatchObject([
    { business_name: 'file', phone: 'file', address: 'file' },
    { business_name: 'file:google', phone: 'file:google' },
    { business_name: 'file:google' },
  ]);
});

test('what Google told is known within a longer cell, too', async () => {
  const user = await product.user();
  const list = await buildList(product.db, user.id, { sandbox: false });
  const place = placeOf('within', {
    name: 'Within Bakery',
    phone: '+1 312-555-0177',
    website: 'https://within.example/',
  });
  await inTransaction(product.db, (tx) => addLeads(tx, list, [{ place, callId: null }]));
  const file = Papa.unparse([
    ['Company', 'E-mail', 'Info', 'Links', 'Remark'],
    [
      ...['My Client', 'me@mine.example', 'Phone: +1 312-555-0177'],
      ...['(312) 555-0177 / https://within.example/?utm_source=google', 'calls 312-555-0199, see mine.example'],
    ],
  ]);
  const { listId } = await imported(product, user, file);
  expect(await exportRows(product, user, listId, SAFE)).toMatchObject([
    { 'Business Name': 'My Client', Info: '', Links: '', Remark: 'calls 312-555-0199, see mine.example' },
  ]);
  expect((await readLeads(product.db, listId))[0]?.sources).toMatchObject({
    business_name: 'file',
    'extra.Info': 'file:google',
    'extra.Links': 'file:google',
  });
});

test('only what leaves counts as told, and once', async () => {
  const user = await product.user();
  const said = async () =>
    (await sql`select hashes from app.told_values where user_id = ${user.id}`.execute(product.db)).rows.length;
  const sources = JSON.stringify({ business_name: 'file', phone: 'open:2', website: 'open:1' });
  const lead = { business_name: 'Mine', phone: '+1 217-555-0148', website: 'https://open-148.example/', sources };
  const listId = await buildListOf(product.db, user.id, [lead], { sandbox: false });
  await exportText(product, user, listId, SAFE);
  const { rows } = await sql<{ origin: string }>`
    select origin from app.told_values where user_id = ${user.id}`.execute(product.db);
  expect(rows).toEqual([{ origin: 'open:1' }]);
  await exportText(product, user, listId);
  expect(await said()).toBe(2);
  await exportText(product, user, listId);
  expect(await said()).toBe(2);
});

test('what Google told before this version is known too', async () => {
  const user = await product.user();
  const lead = { business_name: 'Old Bakery', phone: '+1 312-555-0149', email: 'me@mine.example' };
  const sources = JSON.stringify({ email: 'file' });
  await buildListOf(product.db, user.id, [{ ...lead, sources }], { sandbox: false });
  for (const { file, sql: text } of productMigrations())
    if (file.endsWith('_told_before.sql')) await sql.raw(text).execute(product.db);
  const { listId } = await imported(
    product,
    user,
    'Business Name,Phone,Email\nOld Bakery,312-555-0149,me@mine.example\n',
  );
  expect((await readLeads(product.db, listId))[0]?.sources).toEqual({
    ...{ business_name: 'file:google', phone: 'file:google', email: 'file' },
  });
});

test('another person’s files are their own', async () => {
  const [ann, ben] = [await product.user('ann'), await product.user('ben')];
  const lead = leadOf(BOUGHT);
  await listOf(ann, [lead], [BOUGHT]);
  const file = `Business Name,Phone\n${lead.business_name},${lead.phone}\n`;
  expect(await exportRows(product, ann, (await imported(product, ann, file)).listId, SAFE)).toEqual([]);
  expect(await exportRows(product, ben, (await imported(product, ben, file)).listId, SAFE)).toHaveLength(1);
});

test('a restored backup gives the same file, and knows what Google had told', async () => {
  const user = await product.user();
  const given = [MIXED, BOUGHT];
  const leads = given.map(leadOf);
  const listId = await listOf(user, leads, given);
  const all = await exportText(product, user, listId);
  const safe = await exportRows(product, user, listId, SAFE);
  const backup = join(temporaryFolder(), 'backup');
  await backUp(product.url, backup, temporaryFolder());
  const url = await freshDatabase('empty');
  await restore(url, backup, { folder: temporaryFolder(), replace: false });
  await installQueue(url);
  const restored = await product.process({ url });
  const same = restored.as(user);
  expect(await exportRows(restored, same, listId, SAFE)).toEqual(safe);
  const { listId: back } = await imported(restored, same, all);
  expect(await exportRows(restored, same, back, SAFE)).toMatchObject([
    { 'Business Name': leads[0]?.business_name, Phone: '', Address: '', Website: '' },
  ]);
});
