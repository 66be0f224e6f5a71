import { sql } from 'kysely';
import Papa from 'papaparse';
import { beforeAll, expect, test } from 'vitest';
import type { ImportField } from '#contract/imports/fields.ts';
import { startImportEndpoint, undoImportEndpoint } from '#contract/imports/imports.ts';
import { LICENSES_HEADER } from '#contract/work/exports/exports.ts';
import { productMigrations } from '#db/migrations/our-migrations.ts';
import { attributionText, exportRows, exportText } from '#test/exports.ts';
import { importEnd, importFile, uploadFile } from '#test/imports.ts';
import { buildList, buildListOf, readLeads, type ToldPlace, tellPlaces } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
  await sql`
    insert into app.open_releases (id, source, release, license, sandbox) values
      (1, 'overture', '2026-09-23.0', 'CDLA-Permissive-2.0', false), (2, 'openstreetmap', '2026-10-01', 'ODbL-1.0', false)
  `.execute(product.db);
});

const SAFE = { rights: 'export_safe' };

/** A list of places that Google told. */
async function tell(user: TestUser, places: readonly ToldPlace[]): Promise<string> {
  const listId = await buildList(product.db, user.id, { status: 'completed', sandbox: false });
  await tellPlaces(product.db, listId, places);
  return listId;
}

const backIn = (user: TestUser, file: string, mapping: Record<string, ImportField> = {}) =>
  importFile(product, user, file, { duplicates: 'add', mapping });

test('OpenStreetMap that comes back in a file stays OpenStreetMap, with its notice, and beside nothing else', async () => {
  const user = await product.user();
  const lead = { business_name: 'Map Bakery', phone: '+1 217-555-0170' };
  const sources = JSON.stringify({ business_name: 'open:2', phone: 'open:2' });
  const listId = await buildListOf(product.db, user.id, [{ ...lead, sources }], { sandbox: false });
  const file = await exportText(product, user, listId, SAFE);
  const back = await backIn(user, file, { [LICENSES_HEADER]: 'skip' });
  const [row] = await exportRows(product, user, back.list, SAFE);
  expect(row).toMatchObject({ 'Business Name': 'Map Bakery', Phone: '+1 217-555-0170' });
  expect(row?.[LICENSES_HEADER]).toBe(
    'Business Name: OpenStreetMap 2026-10-01 (ODbL-1.0); Phone: OpenStreetMap 2026-10-01 (ODbL-1.0)',
  );
  expect(await attributionText(product, user, back.list)).toContain('Open Database License');
  const mixed = await backIn(user, 'Business Name,Phone\nMap Bakery,217-555-0170\nMy Own Client,217-555-0171\n');
  expect((await exportRows(product, user, mixed.list, SAFE)).map((one) => one['Business Name'])).toEqual([
    'My Own Client',
  ]);
});

test('an address without a street of its own is known beside the name of its business', async () => {
  const user = await product.user();
  const told = [
    { name: 'Harbor Inn', address: 'Athol Street, Port Saint Mary, Isle of Man' },
    { name: 'Desert Motel', address: 'Marfa, TX 79843, USA' },
    { name: 'Town Plumber', address: 'Springfield, IL, USA' },
    { name: 'Osteria', address: 'Via Roma 12, 20121 Milano MI, Italy' },
  ];
  const listId = await tell(user, told);
  const back = await backIn(user, await exportText(product, user, listId));
  expect(await exportRows(product, user, back.list, SAFE)).toEqual([]);
  // In other columns and without its country it is the same. A town alone does not make it another business.
  const file = Papa.unparse([
    ['Company', 'Street', 'City', 'Notes'],
    ['HARBOR INN', 'Athol Street', 'Port Saint Mary', 'a regular'],
    ['Osteria', 'Via Roma 12', 'Milano', 'a regular'],
    ['Desert Motel', '', 'Alpine', 'a regular'],
    ['Mine', '', 'Marfa', 'not told'],
  ]);
  expect(
    (await exportRows(product, user, (await backIn(user, file)).list, SAFE)).map((row) => row['Business Name']),
  ).toEqual(['Mine']);
});

test.each([
  ['City', 'Springfield'],
  ['State', 'IL'],
  ['ZIP', '62767'],
  ['Address', 'Springfield, IL 62767, USA'],
  ['Address', 'Springfield IL 62767-1234'],
  ['Address', '62767 Springfield IL'],
  ['Address', 'Springfield (62767)'],
  ['City', 'Springfield IL 62767 USA'],
  ['City', 'District 3'],
])('a name stays Google’s where no more than its %s is left: %s', async (column, value) => {
  const user = await product.user();
  await tell(user, [
    { name: 'Kept Dental', phone: '+1 217-555-0193', address: '12 Main St, Springfield, IL 62767, USA' },
  ]);
  const file = Papa.unparse([
    ['Company', column, 'Notes'],
    ['Kept Dental', value, 'a regular'],
    ['My Own Client', value, 'a regular'],
  ]);
  const { list } = await backIn(user, file);
  expect((await exportRows(product, user, list, SAFE)).map((row) => row['Business Name'])).toEqual(['My Own Client']);
});

test('OpenStreetMap keeps its notice where its addresses have no street of their own', async () => {
  const user = await product.user();
  const lead = { business_name: 'Map Inn', address: 'Athol Street, Port Saint Mary, Isle of Man' };
  const sources = JSON.stringify({ business_name: 'open:2', address: 'open:2' });
  const listId = await buildListOf(product.db, user.id, [{ ...lead, sources }], { sandbox: false });
  const back = await backIn(user, await exportText(product, user, listId));
  expect((await readLeads(product.db, back.list))[0]?.sources).toEqual({
    business_name: 'file:open:2',
    address: 'file:open:2',
  });
  expect(await attributionText(product, user, back.list)).toContain('Open Database License');
});

test('an address that Google told for a lead of one’s own stays Google’s', async () => {
  const user = await product.user();
  await tell(user, [{ name: 'Harbor Inn', phone: '+1 312-555-0192', address: 'Athol Street, Port Saint Mary' }]);
  const own = { business_name: 'Mine', phone: '+1 312-555-0192' };
  const sources = JSON.stringify({ business_name: 'file', phone: 'file' });
  const listId = await buildListOf(product.db, user.id, [{ ...own, sources }], { sandbox: false });
  const file = 'Company,Phone,Address\nHarbor Inn,312-555-0192,"Athol Street, Port Saint Mary"\n';
  await importFile(product, user, file, { duplicates: 'update' });
  expect(await readLeads(product.db, listId)).toMatchObject([{ sources: { address: 'file:google' } }]);
  const all = (await exportText(product, user, listId)).replace('+1 312-555-0192', '');
  expect(await exportRows(product, user, (await backIn(user, all)).list, SAFE)).toMatchObject([
    { 'Business Name': 'Mine', Address: '' },
  ]);
});

test('what others found out of a number is no column of one’s own when it comes back', async () => {
  const user = await product.user();
  const file =
    'Business Name,Phone,Phone Type,Compliance Status,call_status,Notes\nMine,217-555-0180,mobile,clean,callable,a regular\n';
  const { list } = await backIn(user, file, {
    'Phone Type': 'extra',
    'Compliance Status': 'extra',
    call_status: 'extra',
  });
  const [row] = await exportRows(product, user, list, SAFE);
  expect(row).toMatchObject({ 'Business Name': 'Mine', Notes: 'a regular' });
  expect(Object.keys(row ?? {}).filter((header) => /Type|Status|call_/.test(header))).toEqual([]);
  // Its other columns are not in the list, but they were in the file.
  const again = await backIn(user, file, {
    'Phone Type': 'extra',
    'Compliance Status': 'skip',
    call_status: 'skip',
  });
  expect(Object.keys((await exportRows(product, user, again.list, SAFE))[0] ?? {})).not.toContain('Phone Type');
});

test('a file fills a lead with values of Google as Google’s, and undoing leaves no trace of it', async () => {
  const user = await product.user();
  await tell(user, [{ name: 'Told Bakery', phone: '+1 312-555-0190', website: 'https://told-190.example/' }]);
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
      phone: '+1 312-555-0190',
      extra: { 'Old site': 'told-190.example' },
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
  await tell(user, [
    { name: '76', phone: '+1 312-555-0140', address: '1 Oak Street, Springfield, IL 62701, USA' },
    { name: 'Mobile Plumber', phone: '+1 312-555-0141', address: 'Springfield, IL, USA' },
    { name: 'Sandwich Chain', address: '12 Main Street, Springfield, IL 62701, USA' },
  ]);
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
  const { list } = await backIn(user, file, mapping as Record<string, ImportField>);
  expect(await exportRows(product, user, list, SAFE)).toMatchObject([
    {
      'Business Name': 'Sandwich Chain',
      Phone: '+1 217-555-0145',
      Address: '12 Main Street, Chicago, IL 60601, USA',
      Score: '76',
      Area: 'Springfield, IL',
      'Country of origin': 'USA',
      'Phone Type': 'mine',
      Brand: 'Sandwich Chain',
    },
  ]);
  expect((await readLeads(product.db, list)).map((lead) => lead.sources)).toMatchObject([
    { business_name: 'file', phone: 'file', address: 'file' },
    { business_name: 'file:google', phone: 'file:google' },
    { business_name: 'file:google' },
  ]);
});

test('what Google told is known within a longer cell, too', async () => {
  const user = await product.user();
  await tell(user, [{ name: 'Within Bakery', phone: '+1 312-555-0177', website: 'https://within.example/' }]);
  const file = Papa.unparse([
    ['Company', 'E-mail', 'Info', 'Links', 'Remark'],
    [
      ...['My Client', 'me@mine.example', 'Phone: +1 312-555-0177'],
      ...['(312) 555-0177 / https://within.example/?utm_source=google', 'calls 312-555-0199, see mine.example'],
    ],
  ]);
  const { list } = await backIn(user, file);
  expect(await exportRows(product, user, list, SAFE)).toMatchObject([
    { 'Business Name': 'My Client', Info: '', Links: '', Remark: 'calls 312-555-0199, see mine.example' },
  ]);
  expect((await readLeads(product.db, list))[0]?.sources).toMatchObject({
    business_name: 'file',
    'extra.Info': 'file:google',
    'extra.Links': 'file:google',
  });
});

/** Numbers in the spellings that people give them, alone and in a sentence. */
const SPELLED = ['217–555–0115', '217 - 555 - 0115', '(217) − 555 − 0115', '1 / 217 / 555 / 0115'];
const SPELLED_ABROAD = [
  ...[
    '+44 (0)1624 664414',
    '+44 01624 664414',
    '01624 664414',
    '(01624) 664-414',
    '+44–1624–664414',
    '0044 1624 664414',
  ],
];

test('numbers that Google told are known in every spelling, with the country code and without', async () => {
  const user = await product.user();
  await tell(user, [
    { name: 'Near Bakery', phone: '+1 217-555-0115' },
    { name: 'Far Bakery', phone: '+44 1624 664414' },
    { name: 'Roman Bakery', phone: '+39 06 1234 5678' },
    { name: 'Madrid Bakery', phone: '+34 912 345 678' },
  ]);
  const spelled = [...SPELLED, ...SPELLED_ABROAD, '+39 06 12345678', '06 1234 5678', '912 345 678'];
  const others = ['217–555–0116', '+44 (0)1624 664415', '01624 664415', '06 1234 5679', '912 345 679', '2026-11-26'];
  const row = (number: string, at: number) => [`Client ${at}`, number, `call ${number} 5 times`];
  const file = Papa.unparse([['Company', 'Memo', 'Remark'], ...[...spelled, ...others].map(row)]);
  const { list } = await backIn(user, file, { Memo: 'extra', Remark: 'extra' });
  expect(
    (await exportRows(product, user, list, SAFE)).map((lead) => [lead['Business Name'], lead.Memo, lead.Remark]),
  ).toEqual([
    ...spelled.map((_, at) => [`Client ${at}`, '', '']),
    ...others.map((number, at) => row(number, spelled.length + at)),
  ]);
});

test('a foreign number that was told before this version is known without its country code', async () => {
  const user = await product.user();
  await buildListOf(product.db, user.id, [{ business_name: 'Old Bakery', phone: '+44 1624 664416' }], {
    sandbox: false,
  });
  await sql`select app.note_told(${user.id}::uuid, 'google', array['phone:+441624664416'])`.execute(product.db);
  for (const { file, sql: text } of productMigrations())
    if (file.endsWith('_told_numbers_before.sql')) await sql.raw(text).execute(product.db);
  const { list } = await backIn(user, 'Company,Memo\nMine,ring 01624 664416\n', { Memo: 'extra' });
  expect((await readLeads(product.db, list))[0]?.sources).toMatchObject({ 'extra.Memo': 'file:google' });
});

test('what Google told is known behind any number of contacts of one’s own', async () => {
  const user = await product.user();
  const address = '8155 Washington Ave, Springfield, IL 62786, USA';
  await tell(user, [{ name: 'Deep Bakery', phone: '+1 312-555-0176', website: 'https://deep-176.example/', address }]);
  const emails = Array.from({ length: 60 }, (_, at) => `a${at}@own.example`).join(' ');
  const streets = Array.from({ length: 40 }, (_, at) => `${at + 1} Oak St, Peoria, IL;`).join(' ');
  const memos = [
    ...[`${emails} https://deep-176.example/`, `${streets} ${address}`, `${'x '.repeat(990)}312-555-0176`],
    ...[`https://deep-176.example/?from=${'x'.repeat(900)}`, emails],
  ];
  const file = Papa.unparse([['Company', 'Memo'], ...memos.map((memo, at) => [`Client ${at}`, memo])]);
  const { list } = await backIn(user, file, { Memo: 'extra' });
  expect((await exportRows(product, user, list, SAFE)).map((row) => row.Memo)).toEqual(['', '', '', '', emails]);
});

test('streets that Google told are known within a longer cell, and the name of a business in its own row', async () => {
  const user = await product.user();
  const name = 'Three Pines Dental of Springfield';
  const address = '8154 Washington Ave, Springfield, IL 62786, USA';
  await tell(user, [{ name, phone: '+1 312-555-0178', address }]);
  const file = Papa.unparse([
    ['Company', 'Phone', 'Full', 'Way', 'Who', 'Other', 'Own'],
    [
      ...[name, '312-555-0178', `${name} (${address})`, 'Located at 8154 Washington Ave, second floor'],
      ...[`Talk to THREE PINES Dental of Springfield.`, '8154 washington ave springfield IL 62786', 'three pines'],
    ],
    [
      ...['Mine', '312-555-0179', 'Mine (12 Oak St)', 'Near 8154 Washington Ave, Chicago, IL 60601'],
      ...['Talk to Olive', '81 Washington Ave', 'call 2 times'],
    ],
  ]);
  const { list } = await backIn(user, file, { Other: 'extra' });
  expect((await readLeads(product.db, list)).map((lead) => lead.sources)).toEqual([
    {
      business_name: 'file:google',
      phone: 'file:google',
      'extra.Full': 'file:google',
      'extra.Way': 'file:google',
      'extra.Who': 'file:google',
      'extra.Other': 'file:google',
    },
    { business_name: 'file', phone: 'file' },
  ]);
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
  const { list } = await backIn(user, 'Business Name,Phone,Email\nOld Bakery,312-555-0149,me@mine.example\n');
  expect((await readLeads(product.db, list))[0]?.sources).toEqual({
    business_name: 'file:google',
    phone: 'file:google',
    email: 'file',
  });
});

test('addresses beside their names are known too, where Google or an export told them before this version', async () => {
  const user = await product.user();
  const address = 'Athol Street, Port Saint Mary, Isle of Man';
  const sources = JSON.stringify({ business_name: 'open:2', address: 'open:2' });
  const never = { business_name: 'Never Left', address, sources };
  const leads = [{ business_name: 'Old Inn', address }, { business_name: 'Map Cafe', address, sources }, never];
  await buildListOf(product.db, user.id, leads, { sandbox: false });
  await sql`
    select app.note_told(${user.id}::uuid, 'google', array[app.name_key('Old Inn')]),
      app.note_told(${user.id}::uuid, 'open:2', array[app.name_key('Map Cafe')])
  `.execute(product.db);
  for (const { file, sql: text } of productMigrations())
    if (file.endsWith('_told_beside_before.sql')) await sql.raw(text).execute(product.db);
  const file = Papa.unparse([['Company', 'Address'], ...leads.map((lead) => [lead.business_name, address])]);
  const { list } = await backIn(user, file);
  expect((await readLeads(product.db, list)).map((lead) => lead.sources)).toEqual([
    { business_name: 'file:google', address: 'file:google' },
    { business_name: 'file:open:2', address: 'file:open:2' },
    { business_name: 'file', address: 'file' },
  ]);
});

test('another person’s files are their own', async () => {
  const [ann, ben] = [await product.user('ann'), await product.user('ben')];
  const lead = { name: 'Told Bakery', phone: '+1 312-555-0191' };
  await tell(ann, [lead]);
  const file = `Business Name,Phone\n${lead.name},${lead.phone}\n`;
  expect(await exportRows(product, ann, (await backIn(ann, file)).list, SAFE)).toEqual([]);
  expect(await exportRows(product, ben, (await backIn(ben, file)).list, SAFE)).toHaveLength(1);
});
