import { expect, test } from 'vitest';
import { type ReadRow, readRow } from '#server/features/imports/values/read-row.ts';
import { guessColumns } from './guess-columns.ts';

/** A row as a program for contacts writes it, by its headers. */
type Row = Readonly<Record<string, string>>;

function readAs(row: Row): ReadRow | undefined {
  const head = [Object.keys(row), Object.values(row)].map((cells, at) => ({ row: at + 1, cells }));
  const columns = guessColumns(head).columns.map(({ header, guess }) => ({ header, field: guess }));
  return readRow(Object.values(row), columns);
}

const GOOGLE: Row = {
  'First Name': 'Jo',
  'Last Name': 'Li',
  Nickname: '',
  'Organization Name': 'Acme Dental LLC',
  'Organization Title': 'Owner',
  Photo: 'https://lh3.googleusercontent.com/a',
  Labels: '* myContacts',
  'E-mail 1 - Label': '* Work',
  'E-mail 1 - Value': 'jo@acme.example',
  'Phone 1 - Label': 'Work Fax',
  'Phone 1 - Value': '(312) 555-0109',
  'Phone 2 - Label': 'Home',
  'Phone 2 - Value': '(217) 555-0199',
  'Phone 3 - Label': 'Work',
  'Phone 3 - Value': '(312) 555-0101 ::: (312) 555-0102',
  'Address 1 - Label': 'Work',
  'Address 1 - Formatted': '',
  'Address 1 - Street': '1 A St',
  'Address 1 - City': 'Springfield',
  'Address 1 - Region': 'IL',
  'Address 1 - Postal Code': '62701',
  'Address 1 - Country': 'US',
  'Website 1 - Label': 'Work',
  'Website 1 - Value': 'http://acme.example',
};
const OUTLOOK: Row = {
  'First Name': 'Jo',
  'Last Name': 'Li',
  Title: 'Dr.',
  'E-mail Address': 'jo@acme.example',
  'Home Phone': '(217) 555-0199',
  'Business Phone': '(312) 555-0101',
  Pager: '312-555-0166',
  'Business Fax': '(312) 555-0109',
  'TTY/TDD Phone': '312-555-0155',
  'Job Title': 'Owner',
  Company: 'Acme Dental LLC',
  'Manager’s Name': 'Pat Boss',
  'Assistant’s Name': 'Al Help',
  'Business Street': '1 A St',
  'Business City': 'Springfield',
  'Business State': 'IL',
  'Business Postal Code': '62701',
  'Home City': 'Peoria',
  'Web Page': 'http://acme.example',
};
const FORM: Row = {
  id: 'l:120210',
  created_time: '2026-11-01T10:00:00-05:00',
  ad_id: 'ag:12021',
  platform: 'fb',
  full_name: 'Jo Li',
  phone_number: 'p:+13125550101',
  email: 'jo@acme.example',
  job_title: 'Owner',
  company_name: 'Acme Dental LLC',
  website: 'acme.example',
  street_address: '1 A St',
  city: 'Springfield',
  state: 'IL',
  zip_code: 'z:62701',
};

test.each([
  ['Google Contacts', GOOGLE],
  ['Outlook', OUTLOOK],
  ['forms of Facebook ads', FORM],
])('a contact of %s is the business, its person and its number', (_what, row) => {
  const { website, ...values } = readAs(row)?.values ?? {};
  expect(values).toEqual({
    business_name: 'Acme Dental LLC',
    phone: '+1 312-555-0101',
    email: expect.stringMatching(/^jo@acme/),
    address: '1 A St, Springfield, IL 62701, USA',
    owner_name: 'Jo Li',
    owner_title: 'Owner',
  });
  expect(website).toMatch(/acme\.example$/);
});

test.each([
  ['image_url', 'https://s3-media.yelpcdn.com/a.jpg'],
  ['Logo link', 'https://cdn.example/logo'],
  ['Thumbnail', 'https://pictures.example/a.png?width=90'],
  ['Google Maps URL', 'https://maps.example/?cid=1'],
])('what %s holds is not the website of the business', (header, cell) => {
  expect(readAs({ Company: 'Acme', Phone: '312-555-0101', [header]: cell })).toMatchObject({
    values: { business_name: 'Acme' },
    extra: { [header]: cell },
  });
});

test('a flag beside a number is no name of a business', () => {
  const row = { 'Owner First Name': 'Jo', 'Owner Last Name': 'Li', 'Phone 1': '312-555-0101' };
  for (const header of ['Phone 1 DNC', 'Phone 1 connected'])
    expect(readAs({ ...row, [header]: 'FALSE' })).toMatchObject({
      values: { business_name: 'Jo Li' },
      extra: { [header]: 'FALSE' },
    });
});

const TWO_ADDRESSES = {
  'Physical Address': '1 A St',
  'Physical City': 'Springfield',
  'Physical State': 'IL',
  'Physical Zip': '62701',
  'Mailing Address': 'PO Box 5',
  'Mailing City': 'Peoria',
  'Mailing State': 'IL',
  'Mailing Zip': '61601',
};
test.each([
  [{ 'Listing URL': 'https://directory.example/acme', Website: 'https://acme.example' }, 'https://acme.example'],
  [{ 'Page Domain': 'directory.example', 'Company Domain': 'acme.example' }, 'https://acme.example'],
  [TWO_ADDRESSES, '1 A St, Springfield, IL 62701, USA'],
])(
  'a column that is called by a whole word goes before one of longer words, but an address stays one: %o',
  (row, value) => {
    expect(Object.values(readAs({ Company: 'Acme', ...(row as Row) })?.values ?? {})).toEqual(['Acme', value]);
  },
);
