import { expect, test } from 'vitest';
import { openText } from '#server/features/imports/read/read-text.ts';
import type { RawRow } from '#server/features/imports/read/row.ts';
import { type ReadRow, readRow } from '#server/features/imports/values/read-row.ts';
import { UGLY_FILES, type UglyFile } from '#test/ugly-files.ts';
import { guessColumns } from './guess-columns.ts';

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 11) yield bytes.subarray(at, at + 11);
}

async function read({ bytes }: Pick<UglyFile, 'bytes'>) {
  const { batches } = await openText(inPieces(bytes));
  const rows: RawRow[] = [];
  for await (const batch of batches) rows.push(...batch);
  const guess = guessColumns(rows);
  const columns = guess.columns.map(({ header, guess: field }) => ({ header, field }));
  const leads = rows.filter(({ row }) => row >= guess.firstRow).flatMap(({ cells }) => readRow(cells, columns) ?? []);
  return { fields: columns.map(({ field }) => field), leads };
}

test('thirty ugly files: at least 95 percent of the columns are guessed, and no row is lost', async () => {
  expect(UGLY_FILES).toHaveLength(30);
  const wrong: string[] = [];
  let columns = 0;
  for (const file of UGLY_FILES) {
    const { fields, leads } = await read(file);
    columns += file.columns.length;
    for (const [at, field] of file.columns.entries())
      if (fields[at] !== field) wrong.push(`${file.what}, column ${at + 1}: ${fields[at]} for ${field}`);
    expect.soft(leads, file.what).toHaveLength(6);
    const spelt = (name: string) => name.replaceAll('"', '');
    expect
      .soft(
        leads.map(({ values }) => spelt(values.business_name)),
        file.what,
      )
      .toEqual(file.names.map(spelt));
    expect
      .soft(
        leads.every(({ values }) => values.phone?.startsWith('+1 312-555-01') ?? false),
        file.what,
      )
      .toBe(true);
  }
  expect(1 - wrong.length / columns, wrong.join('\n')).toBeGreaterThanOrEqual(0.95);
});

/** Headers of exports of usual programs with an invented row, and what that row must become. */
const EXPORTS: readonly (readonly [string, string, string, Partial<ReadRow['values']>, Record<string, string>])[] = [
  [
    'Salesforce leads',
    'Lead Owner,First Name,Last Name,Title,Company / Account,Phone,Mobile,Email,Street,City,State/Province (text only),Zip/Postal Code,Country,Lead Status,Created By',
    'Sam Seller,Jo,Li,Office Manager,Acme Dental LLC,(312) 555-0101,,jo@acme.example,1 A St,Springfield,IL,62701,US,Open,Pat Madeup',
    {
      business_name: 'Acme Dental LLC',
      owner_name: 'Jo Li',
      owner_title: 'Office Manager',
      phone: '+1 312-555-0101',
      address: '1 A St, Springfield, IL 62701, USA',
    },
    { 'Lead Owner': 'Sam Seller' },
  ],
  [
    'Salesforce leads without a company',
    'First Name,Last Name,Title,Email',
    'Jo,Li,Office Manager,jo@acme.example',
    { business_name: 'Jo Li', owner_name: 'Jo Li', owner_title: 'Office Manager' },
    {},
  ],
  [
    'Salesforce accounts',
    'Account Owner,Account Name,Billing Street,Billing City,Billing State/Province,Billing Zip/Postal Code,Phone,Website,Last Modified By',
    'Sam Seller,Acme Dental LLC,1 A St,Springfield,IL,62701,(312) 555-0101,acme.example,Pat Madeup',
    { business_name: 'Acme Dental LLC', address: '1 A St, Springfield, IL 62701, USA' },
    { 'Account Owner': 'Sam Seller', 'Last Modified By': 'Pat Madeup' },
  ],
  [
    'a scraper of maps',
    'query,name,name_for_emails,site,type,phone,full_address,borough,street,city,postal_code,state,us_state,country,reviews_link,street_view,owner_id,owner_title,owner_link,location_link',
    '"dentist, springfield",Acme Dental LLC,Acme Dental,https://acme.example,Dentist,+1 312-555-0101,"1 A St, Springfield, IL 62701",,1 A St,Springfield,62701,Illinois,Illinois,United States,https://search.example/r,https://lh5.example/v,117,Acme Dental,https://www.google.com/maps/contrib/117,https://www.google.com/maps/place/x',
    {
      business_name: 'Acme Dental LLC',
      website: 'https://acme.example',
      address: '1 A St, Springfield, IL 62701, USA',
    },
    { owner_title: 'Acme Dental' },
  ],
  [
    'Apollo',
    'First Name,Last Name,Title,Company Name,Company Name for Emails,Email,Email Status,Contact Owner,Work Direct Phone,Home Phone,Mobile Phone,Corporate Phone,Person Linkedin Url,Website,City,State,Country,Company Address,Company City,Company State,Company Country,Account Owner',
    'Jo,Li,Owner,Acme Dental LLC,Acme Dental,jo@acme.example,Verified,Sam Seller,,,,(312) 555-0101,http://www.linkedin.com/in/jo,https://acme.example,Denver,Colorado,United States,"1 A St, Springfield, Illinois, United States, 62701",Springfield,Illinois,United States,Sam Seller',
    {
      business_name: 'Acme Dental LLC',
      owner_name: 'Jo Li',
      owner_title: 'Owner',
      phone: '+1 312-555-0101',
      website: 'https://acme.example',
      address: '1 A St, Springfield, IL 62701, USA',
    },
    { 'Contact Owner': 'Sam Seller', 'Account Owner': 'Sam Seller', City: 'Denver' },
  ],
  [
    'HubSpot contacts',
    'Record ID,First Name,Last Name,Email,Phone Number,Contact owner,Associated Company,Job Title,State/Region,Marketing contact status',
    '51,Jo,Li,jo@acme.example,(312) 555-0101,Sam Seller,Acme Dental LLC,Office Manager,IL,Marketing contact',
    { business_name: 'Acme Dental LLC', owner_name: 'Jo Li', owner_title: 'Office Manager', phone: '+1 312-555-0101' },
    { 'Contact owner': 'Sam Seller' },
  ],
  [
    'HubSpot companies',
    'Record ID,Company name,Company owner,Create Date,Phone Number,City,Country/Region,Industry,Company Domain Name',
    '51,Acme Dental LLC,Sam Seller,2026-01-02,(312) 555-0101,Springfield,United States,Health Care,acme.example',
    { business_name: 'Acme Dental LLC', website: 'https://acme.example' },
    { 'Company owner': 'Sam Seller' },
  ],
  [
    'Zoho leads',
    'Record Id,Lead Owner,Company,First Name,Last Name,Full Name,Designation,Email,Phone,Asst Phone,Mobile,Website,Email Opt Out,Street,City,State,Zip Code,Created By,Secondary Email',
    'z_1,Sam Seller,Acme Dental LLC,Jo,Li,Jo Li,Office Manager,jo@acme.example,,,(312) 555-0102,acme.example,false,1 A St,Springfield,IL,62701,Sam Seller,li@acme.example',
    {
      business_name: 'Acme Dental LLC',
      owner_name: 'Jo Li',
      owner_title: 'Office Manager',
      email: 'jo@acme.example',
      phone: '+1 312-555-0102',
    },
    { 'Lead Owner': 'Sam Seller', 'Secondary Email': 'li@acme.example' },
  ],
  [
    'Google Business Profile',
    'Store code,Business name,Address line 1,Address line 2,Locality,Administrative area,Country / Region,Postal code,Primary phone,Additional phones,Website,Primary category',
    'A1,Acme Dental LLC,1 A St,Suite 5,Springfield,IL,US,62701,(312) 555-0101,(312) 555-0102,https://acme.example,Dentist',
    {
      business_name: 'Acme Dental LLC',
      phone: '+1 312-555-0101',
      address: '1 A St, Suite 5, Springfield, IL 62701, USA',
    },
    { 'Additional phones': '(312) 555-0102' },
  ],
  [
    'a directory, scraped',
    'businessName,businessUrl,rating,reviewCount,phone,address,neighborhood,categories,website',
    'Acme Dental LLC,https://www.yelp.com/biz/acme-dental,4.5,12,(312) 555-0101,"1 A St, Springfield, IL 62701",Downtown,Dentists,https://acme.example',
    { business_name: 'Acme Dental LLC', website: 'https://acme.example' },
    { businessUrl: 'https://www.yelp.com/biz/acme-dental' },
  ],
  [
    'a list with the salesperson beside the person',
    'Company,First Name,Last Name,Owner,Phone',
    'Acme Dental LLC,Jo,Li,Sam Seller,(312) 555-0101',
    { business_name: 'Acme Dental LLC', owner_name: 'Jo Li' },
    { Owner: 'Sam Seller' },
  ],
  [
    'a list with the owner alone',
    'Company,Owner,Phone',
    'Acme Dental LLC,Olive Invented,(312) 555-0101',
    { business_name: 'Acme Dental LLC', owner_name: 'Olive Invented' },
    {},
  ],
];

test.each(EXPORTS)('%s are read', async (_what, header, row, values, extra) => {
  const [lead] = (await read({ bytes: new TextEncoder().encode(`${header}\n${row}\n`) })).leads;
  expect(lead?.values).toMatchObject(values);
  expect(lead?.values.owner_name).toBe(values.owner_name);
  expect(lead?.extra).toMatchObject(extra);
});

test('a German list keeps its streets', async () => {
  const text = 'Firma;Straße;PLZ;Ort\nMüller Dental;Alley 1;10115;Berlin\nCheese Palace;Way 2;80331;München\n';
  const { leads } = await read({ bytes: new TextEncoder().encode(text) });
  expect(leads.map(({ values }) => values.address)).toEqual(['Alley 1, Berlin, 10115', 'Way 2, München, 80331']);
});

test.each([
  ['postcode', 'IM3 4EZ', 'IM4 3HL'],
  ['Postal Code', 'K1A 0B1', 'M5V-3L9'],
  ['PLZ', '1012 AB', '3011 CD'],
])('a column %s is read with codes such as %s', async (header, one, other) => {
  const text = `name,street,city,${header},country\nShop,1 High Street,Douglas,${one},X\nInn,2 High Street,Peel,${other},X\n`;
  const { fields, leads } = await read({ bytes: new TextEncoder().encode(text) });
  expect(fields[3]).toBe('zip');
  expect(leads.map(({ values }) => values.address)).toEqual([
    `1 High Street, Douglas, ${one}, X`,
    `2 High Street, Peel, ${other}, X`,
  ]);
});

test('where a row has no phone in the first column, the next one counts', async () => {
  const text = 'Company,Phone,Mobile\nAcme Dental LLC,(312) 555-0101,(312) 555-0102\nCorner Bakery,,(312) 555-0103\n';
  const { leads } = await read({ bytes: new TextEncoder().encode(text) });
  expect(leads.map(({ values, extra }) => [values.phone, extra.Mobile])).toEqual([
    ['+1 312-555-0101', '(312) 555-0102'],
    ['+1 312-555-0103', undefined],
  ]);
});

test('a table of two columns begins below its title, at the words that columns are called', async () => {
  const guess = async (lines: string[]) => {
    const { batches } = await openText(inPieces(new TextEncoder().encode(lines.join('\n'))));
    const rows: RawRow[] = [];
    for await (const batch of batches) rows.push(...batch);
    const { firstRow, columns } = guessColumns(rows);
    return { firstRow, headers: columns.map(({ header }) => header) };
  };
  const table = ['Company,Phone', 'Acme Dental,312-555-0101', 'Bright Smiles,'];
  expect(await guess(['Our stop list', '', ...table])).toEqual({ firstRow: 4, headers: ['Company', 'Phone'] });
  // A number above it is no title, and a business that is called like a column is no header.
  expect(await guess(['312-555-0100', ...table])).toMatchObject({ firstRow: 1 });
  const bare = ['Acme Dental', 'Cell Phone Repair,Austin', 'Bright Smiles,Tulsa'];
  expect(await guess(bare)).toMatchObject({ firstRow: 1 });
});

test('a column of numbers that end in letters is one of phones, with a header and without', async () => {
  const rows = 'Bright Smiles LLC,1-800-FLOWERS\nOak Bakery,(888) PET-FOOD\n';
  for (const text of [rows, `Company,Phone\n${rows}`]) {
    const { leads } = await read({ bytes: new TextEncoder().encode(text) });
    expect(leads.map(({ values }) => values.phone)).toEqual(['+1 800-356-9377', '+1 888-738-3663']);
  }
});

test.each([
  ['City Dental,Jane Smith\nBright Smiles LLC,John Doe\nOak Bakery,Ann Lee\n'],
  ['Main Street Dental\nBright Smiles\nOak Bakery\n'],
  ['Web Wizards,Chicago\nBright Smiles,Chicago\nOak Bakery,Springfield\n'],
  ['Cell Phone Repair,Chicago,IL\nBright Smiles,Chicago,IL\nOak Bakery,Springfield,IL\n'],
  ['Country Kitchen\nBright Smiles\nOak Bakery\nElm Diner\n'],
])('the first business of a file without a header is no header: %j', async (text) => {
  expect((await read({ bytes: new TextEncoder().encode(text) })).leads.length).toBe(text.trim().split('\n').length);
});

test.each([
  ['Our company full name,Owner full name\nBright Smiles,Jo Li\nOak Bakery,Ann Lee\n', ['business_name', 'owner_name']],
  ['Shop city,Shop street\nChicago,1 Oak St\nPeoria,2 Elm St\n', ['city', 'street']],
  ['Country of shop\nUSA\nUSA\nUSA\n', ['country']],
])('a header in longer words is one: %j', async (text, fields) => {
  expect((await read({ bytes: new TextEncoder().encode(text) })).fields).toEqual(fields);
});

test.each(['Do Not Contact', 'Do not allow Phone Calls', 'DND', 'DNC Note'])(
  'a column %j of a list of people names no business',
  async (header) => {
    const text = `First Name,Last Name,Phone,${header}\nJo,Li,312-555-0101,Do Not Allow\nAnn,Lee,312-555-0102,Allow\n`;
    const { fields } = await read({ bytes: new TextEncoder().encode(text) });
    expect(fields).toEqual(['first_name', 'last_name', 'phone', 'extra']);
  },
);

test('a column of phones that a spreadsheet rounded stays one, and each row says so', async () => {
  const { fields, leads } = await read({
    bytes: new TextEncoder().encode(
      'Company,Phone,Called on\nOak,2.17555E+09,2026-11-24\nElm,3.12555E+09,2026-11-25\n',
    ),
  });
  expect(fields).toEqual(['business_name', 'phone', 'extra']);
  expect(leads.map(({ problems }) => problems.length)).toEqual([1, 1]);
});

test.each([
  ['Account Number', '10011'],
  ['Employees', '20500'],
  ['Rep', 'Jackson'],
  ['Color', 'Orange'],
])('a header such as %j is believed, though its cells look like parts of an address', async (header, cell) => {
  const text = `Company,Address,Phone,${header}\nOak,"1 Main St, Los Angeles, CA",213-555-0101,${cell}\n`;
  const { fields, leads } = await read({ bytes: new TextEncoder().encode(text) });
  expect(fields).toEqual(['business_name', 'address', 'phone', 'extra']);
  expect(leads.map(({ extra }) => extra)).toEqual([{ [header]: cell }]);
});

test.each([
  ['Account,Description,Phone\nA1029,Oak Dental LLC,312-555-0101\n', ['extra', 'business_name', 'phone']],
  ['Company,Phone,Owner\nOak Dental,312-555-0101,Y\n', ['business_name', 'phone', 'extra']],
  ['Company,Contact,First Name,Last Name\nOak3,A1,Bob,Smith\n', ['business_name', 'extra', 'first_name', 'last_name']],
])('letters and numbers are no name where another column has one: %j', async (text, fields) => {
  expect((await read({ bytes: new TextEncoder().encode(text) })).fields).toEqual(fields);
});

test('a column "Name" of letters and numbers names businesses', async () => {
  const text = 'Name,Phone\nM1,312-555-0101\nK9,312-555-0102\n7,312-555-0103\n';
  const { fields, leads } = await read({ bytes: new TextEncoder().encode(text) });
  expect(fields).toEqual(['business_name', 'phone']);
  expect(leads.map(({ values }) => values.business_name)).toEqual(['M1', 'K9', '7']);
});

/** Once it took hours for texts of ten times this length, and stood in everyone's way. */
test.each([
  ['Company,About', `Oak,${'1'.repeat(1_500)}${' a'.repeat(750)}`],
  ['owner '.repeat(50_000), 'Oak,312-555-0101'],
])('columns of long texts are guessed in no time', (header, line) => {
  const began = performance.now();
  guessColumns([header, line].map((text, at) => ({ row: at + 1, cells: text.split(',') })));
  expect(performance.now() - began).toBeLessThan(3_000);
});
