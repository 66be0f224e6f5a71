import { expect, test } from 'vitest';
import { firstPhone } from '#server/calling/first-phone.ts';
import { readAddress } from './address.ts';
import { readEmail, readWebsite } from './contact.ts';
import { type MappedColumn, readRow } from './read-row.ts';

test.each([
  ['(312) 555-0142', '+1 312-555-0142'],
  ['312.555.0142 x9', '+1 312-555-0142 ext. 9'],
  ['3125550142.0', '+1 312-555-0142'],
  ['Tel: 312 555 0142', '+1 312-555-0142'],
  ['312-555-0142 / 312-555-0143', '+1 312-555-0142'],
  ['+44 20 7946 0018', '+44 20 7946 0018'],
  ['Fax: 312-555-0142', undefined],
  ['312-555-0142 (fax)', undefined],
  ['312-555-0142, Fax: 312-555-0143', '+1 312-555-0142'],
  ['Fax 312-555-0143; Tel. 312-555-0142', '+1 312-555-0142'],
  // Two lines of one cell, and what people write beside a number.
  ...[
    '312-555-0142 312-555-0143',
    '+1 (312) 555-0142 +1 (312) 555-0143',
    'Office: 312-555-0142 Cell: 312-555-0143',
    '(312) 555-0142 (cell), (312) 555-0143 (office)',
    '312-555-0142 & 312-555-0143',
    '312-555-0142 ::: 312-555-0143',
    '312-555-0142 Fax: 312-555-0143',
    '312-555-0143 (fax) 312-555-0142',
    '+1 (312) 555-0142 (Mobile)',
  ].map((text): [string, string] => [text, '+1 312-555-0142']),
  ...['1-800-FLOWERS', '(800) FLOWERS', '1800flowers', '1-800-FLOWERS-NOW'].map((text): [string, string] => [
    text,
    '+1 800-356-9377',
  ]),
  ['877-356-HATS', '+1 877-356-4287'],
  ['1-877-CARS-4-KIDS', '+1 877-227-7454'],
  // A masked number, and remarks.
  ...['800-XXX-XXXX', '800-555-XXXX', '800-555-0142DNC', '8005550142do', '217-UNKNOWN', '888-ABC', '800 CALL US'].map(
    (text): [string, undefined] => [text, undefined],
  ),
  ['F: 312-555-0143 O: 312-555-0142', undefined],
  ['312-555-0142 DO NOT CALL', undefined],
  ['0044 207 946 0018', undefined],
  ['+44 20 7946 0018 +44 20 7946 0019', undefined],
  ['3.12555E+09', undefined],
  ['12', undefined],
  ['2026-11-24', undefined],
  // What stands for no number is none.
  ...['000-000-0000', '(111) 111-1111', '123-456-7890', '5555555555', '+1 999 999 9999', '312-055-0142'].map(
    (text): [string, undefined] => [text, undefined],
  ),
])('phone %s', (text, phone) => expect(firstPhone(text)).toBe(phone));

test.each([
  ['Olive <Olive@ACME.Example>', 'Olive@acme.example'],
  ['mailto:a@b.example; c@d.example', 'a@b.example'],
  ['a at b.example', undefined],
  ['@b.example', undefined],
  // Not a part of another address, which may be someone's.
  ['jörg@acme.example', undefined],
  ['jo@acme.exañ', undefined],
  ['jo@acme.example.2', undefined],
  ['jo@li@acme.example', undefined],
  [`${'a'.repeat(70)}@acme.example`, undefined],
  ['jörg@acme.example, desk@acme.example', 'desk@acme.example'],
  ['Jo/jo@acme.example', 'jo@acme.example'],
  ['none@none.example', undefined],
  ['No-Email@acme.example', undefined],
  ['nonestop@acme.example', 'nonestop@acme.example'],
])('email %s', (text, email) => expect(readEmail(text)).toBe(email));

test.each([
  ['WWW.Acme.Example/Path', 'https://www.acme.example/Path'],
  ['http://acme.example', 'http://acme.example'],
  ['acme.example:8080/x', 'https://acme.example:8080/x'],
  ['Müller.example/Über-uns', 'https://müller.example/Über-uns'],
  ['javascript:alert(1)', undefined],
  ['ftp://acme.example', undefined],
  ['acme', undefined],
  ['user@acme.example', undefined],
])('website %s', (text, website) => expect(readWebsite(text)).toBe(website));

test.each([
  [
    { street: '1 Elm St', city: 'Boston', state: 'Massachusetts', zip: '2108' },
    '1 Elm St, Boston, MA 02108, USA',
    '02108',
  ],
  [{ address: '12 main st springfield il 62701' }, '12 main st, springfield, IL 62701, USA', '62701'],
  [{ address: '1 Elm St', city: 'Austin', state: 'TX' }, '1 Elm St, Austin, TX, USA', undefined],
  [{ address: '10 Invented Road, Leeds LS1 1AA' }, '10 Invented Road, Leeds LS1 1AA', undefined],
  [{ zip: '62701' }, 'Springfield, IL 62701', '62701'],
  [
    {
      address: '1 A St, Springfield, IL 62701',
      street: '1 A St',
      city: 'Springfield',
      state: 'Illinois',
      zip: '62701',
    },
    '1 A St, Springfield, IL 62701, USA',
    '62701',
  ],
  [
    {
      address: '1 A St, Springfield, Illinois, United States',
      street: '1 A St',
      city: 'Springfield',
      state: 'Illinois',
    },
    '1 A St, Springfield, IL, USA',
    undefined,
  ],
  [
    { address: 'Suite 5', street: '1 A St', city: 'Austin', state: 'TX' },
    '1 A St, Suite 5, Austin, TX, USA',
    undefined,
  ],
])('address %o', (parts, address, zip) => expect(readAddress(parts)).toEqual({ address, zip }));

const columns: MappedColumn[] = [
  { header: 'Name', field: 'business_name' },
  { header: 'Phone', field: 'phone' },
  { header: 'First', field: 'first_name' },
  { header: 'Last', field: 'last_name' },
  { header: 'Notes', field: 'extra' },
  { header: 'Id', field: 'skip' },
];

test('a row with anything in it is a lead, and what could not be read is told and kept', () => {
  expect(readRow(['', '', '', '', '', '7'], columns)).toBeUndefined();
  expect(readRow(['', '12', 'Olive', 'Invented', '=1+1', '7'], columns)).toEqual({
    values: { business_name: 'Olive Invented', owner_name: 'Olive Invented' },
    zip: undefined,
    extra: { Notes: '=1+1' },
    originals: { phone: '12' },
    problems: [{ column: 'Phone', value: '12', why: expect.stringContaining('US number') }],
  });
  expect(readRow(['', '', '', '', 'only a note', ''], columns)?.values.business_name).toBe('only a note');
  expect(readRow(['A', '', '', '', '', '', 'behind'], columns)?.extra).toEqual({ 'Column 7': 'behind' });
});

test.each([
  ['01624 834040', 'This is not a US number, and it has no country code.'],
  ['+44 12', 'This is not a phone number.'],
  ['Telefax 312-555-0142', 'This is a fax number.'],
  ['3.12555E+09', 'A spreadsheet rounded this number. Make its column a text, and save the file again.'],
])('why %s is no phone number', (text, why) => {
  expect(readRow(['A', text, '', '', '', ''], columns)?.problems).toEqual([{ column: 'Phone', value: text, why }]);
});

test('a person beside the owner of a record is the owner of the lead, and no one of them is lost', () => {
  const people = (owner: string): MappedColumn[] => [
    { header: 'Company', field: 'business_name' },
    { header: 'First Name', field: 'first_name' },
    { header: 'Last Name', field: 'last_name' },
    { header: owner, field: 'owner_name' },
  ];
  const cells = ['Acme', 'Jo', 'Li', 'Sam Seller'];
  expect(readRow(cells, people('Owner'))).toMatchObject({
    values: { owner_name: 'Jo Li' },
    originals: { owner_name: 'Sam Seller' },
  });
  expect(readRow(cells, people('Main contact'))).toMatchObject({
    values: { owner_name: 'Sam Seller' },
    originals: { owner_name: 'Jo Li' },
  });
  expect(readRow(['Acme', 'Jo', 'Li', 'Jo Li'], people('Full Name'))?.originals).toEqual({});
  expect(readRow(['Acme', '', '', 'Sam Seller'], people('Owner'))?.values.owner_name).toBe('Sam Seller');
});

test('what is too long is cut, and said to be', () => {
  const read = readRow(['x'.repeat(400), '', '', '', 'y'.repeat(3_000), ''], columns);
  expect(read?.values.business_name).toHaveLength(300);
  expect(read?.extra.Notes).toHaveLength(2_000);
  expect(read?.problems).toHaveLength(2);
});

test('that a row must not be called has room behind columns that have none', () => {
  const headers = [...Array.from({ length: 5 }, (_, at) => `Notes ${at}`), 'Do Not Call'];
  const columns = [
    { header: 'Company', field: 'business_name' as const },
    ...headers.map((header) => ({ header, field: 'extra' as const })),
  ];
  const read = readRow(['Acme', ...Array.from({ length: 5 }, () => 'n'.repeat(2_000)), 'Yes'], columns);
  expect(read?.extra).toMatchObject({ 'Do Not Call': 'Yes', 'Notes 0': 'n'.repeat(2_000) });
});

test('what a spreadsheet shows for a formula that failed is no value', () => {
  const columns = [
    { header: 'Name', field: 'business_name' },
    { header: 'Email', field: 'email' },
    { header: 'Phone', field: 'phone' },
  ] as const;
  for (const error of ['#REF!', '#VALUE!', '#NAME?', '#DIV/0!', '#NUM!', '#NULL!', '#SPILL!', '#N/A']) {
    const read = readRow([error, error, '(312) 555-0101'], columns);
    expect(read?.values.business_name).not.toBe(error);
    expect(read?.problems).toEqual([]);
  }
  expect(readRow(['#1 Plumbing!', '', ''], columns)?.values.business_name).toBe('#1 Plumbing!');
});

test('joiners that spell a word or an emoji stay, and others that no one sees go', () => {
  const columns = [
    { header: 'Name', field: 'business_name' },
    { header: 'Email', field: 'email' },
    { header: 'Notes', field: 'extra' },
  ] as const;
  const read = readRow(
    [
      '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
      'a\u200db@olive.example',
      '👨\u200d👩\u200d👧 Ac\u200cme\u200b',
    ],
    columns,
  );
  expect(read?.values).toMatchObject({
    business_name: '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
    email: 'ab@olive.example',
  });
  expect(read?.extra).toEqual({ Notes: '👨\u200d👩\u200d👧 Acme' });
});
