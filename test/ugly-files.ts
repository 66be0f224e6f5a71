import type { ImportField } from '#contract/imports/fields.ts';

/** A file as people have them, all invented: its bytes, what its columns hold, and the names of its businesses. */
export type UglyFile = { what: string; bytes: Uint8Array; columns: ImportField[]; names: string[] };

const NAMES = [
  'Acme Dental LLC',
  'Bright Smiles & Co',
  'Corner Bakery',
  'Delta Plumbing Inc',
  'Echo Auto Repair',
  'Fox Roofing',
];
const TOWNS = [
  ['Springfield', 'IL', '62701'],
  ['Chicago', 'IL', '60601'],
  ['Boston', 'MA', '02108'],
  ['Austin', 'TX', '73301'],
  ['Denver', 'CO', '80202'],
  ['Portland', 'OR', '97201'],
] as const;
const PEOPLE = ['Olive Invented', 'Pat Madeup', 'Quinn Noone', 'Rae Fiction', 'Sam Unreal', 'Toni Nobody'];

type Row = Record<
  | 'name'
  | 'phone'
  | 'email'
  | 'web'
  | 'street'
  | 'city'
  | 'state'
  | 'zip'
  | 'full'
  | 'owner'
  | 'first'
  | 'last'
  | 'title'
  | 'note',
  string
>;

const rows: Row[] = NAMES.map((name, at) => {
  const [city, state, zip] = TOWNS[at] ?? TOWNS[0];
  const host = `${name
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '-')
    .replace(/-$/, '')}.example`;
  const street = `${at + 1}2 Main St`;
  const [first = '', last = ''] = (PEOPLE[at] ?? '').split(' ');
  return {
    name,
    phone: `(312) 555-010${at}`,
    email: `hello@${host}`,
    web: `https://www.${host}`,
    street,
    city,
    state,
    zip,
    full: `${street}, ${city}, ${state} ${zip}`,
    owner: `${first} ${last}`,
    first,
    last,
    title: at % 2 ? 'Owner' : 'Manager',
    note: `seen ${at} times`,
  };
});

type Key = keyof Row;
const FIELDS: Readonly<Record<Key, ImportField>> = {
  name: 'business_name',
  phone: 'phone',
  email: 'email',
  web: 'website',
  street: 'street',
  city: 'city',
  state: 'state',
  zip: 'zip',
  full: 'address',
  owner: 'owner_name',
  first: 'first_name',
  last: 'last_name',
  title: 'owner_title',
  note: 'extra',
};

type Style = {
  delimiter?: string;
  newline?: string;
  encode?: (text: string) => Uint8Array;
  quote?: (cell: string, delimiter: string) => string;
  cell?: (row: Row, key: Key, at: number) => string;
  before?: string[];
  columns?: ImportField[];
};

const properly = (cell: string, delimiter: string): string =>
  cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const utf16 =
  (swap: boolean, mark: boolean) =>
  (text: string): Uint8Array => {
    const bytes = Buffer.from((mark ? '\ufeff' : '') + text, 'utf16le');
    return new Uint8Array(swap ? bytes.swap16() : bytes);
  };
const western = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));

function file(what: string, header: string[] | undefined, keys: readonly Key[], style: Style = {}): UglyFile {
  const {
    delimiter = ',',
    newline = '\n',
    encode = utf8,
    quote = properly,
    cell = (row, key) => row[key],
    before = [],
  } = style;
  const write = (cells: readonly string[]) => cells.map((one) => quote(one, delimiter)).join(delimiter);
  const body = rows.map((row, at) => write(keys.map((key) => cell(row, key, at))));
  const lines = [...before, ...(header ? [write(header)] : []), ...body];
  const nameAt = keys.indexOf('name');
  return {
    what,
    bytes: encode(`${lines.join(newline)}${newline}`),
    columns: style.columns ?? keys.map((key) => FIELDS[key]),
    names: nameAt === -1 ? [] : rows.map((row, at) => cell(row, 'name', at)),
  };
}

const USUAL: Key[] = ['name', 'phone', 'email', 'web', 'street', 'city', 'state', 'zip'];
const USUAL_HEADER = ['Company', 'Phone', 'Email', 'Website', 'Street', 'City', 'State', 'Zip'];
const with_ =
  (change: (row: Row, key: Key, at: number) => string | undefined): NonNullable<Style['cell']> =>
  (row, key, at) =>
    change(row, key, at) ?? row[key];

/** A file that was put together from others: every third row has another delimiter. */
function mixed(what: string): UglyFile {
  const lines = rows.map((row, at) => USUAL.map((key) => row[key]).join(at % 3 === 2 ? ';' : ','));
  return { ...file(what, USUAL_HEADER, USUAL), bytes: utf8([USUAL_HEADER.join(','), ...lines].join('\n')) };
}

/** Thirty of them. */
export const UGLY_FILES: readonly UglyFile[] = [
  file('plain', USUAL_HEADER, USUAL),
  file('headers of a mapping tool', ['title', 'phoneNumber', 'website', 'address'], ['name', 'phone', 'web', 'full']),
  file(
    'headers of a CRM',
    [
      'Account Name',
      'Primary Phone',
      'E-mail Address',
      'Mailing Street',
      'Mailing City',
      'Mailing State',
      'Mailing Zip',
    ],
    ['name', 'phone', 'email', 'street', 'city', 'state', 'zip'],
  ),
  file(
    'headers of a program',
    ['business_name', 'phone_number', 'email_address', 'website_url', 'full_address', 'contact_name', 'job_title'],
    ['name', 'phone', 'email', 'web', 'full', 'owner', 'title'],
  ),
  file('German', ['Firma', 'Telefonnummer', 'E-Mail', 'Webseite', 'Straße', 'Ort', 'Bundesland', 'PLZ'], USUAL, {
    delimiter: ';',
  }),
  file(
    'Spanish',
    ['Nombre de la empresa', 'Teléfono', 'Correo electrónico', 'Página web', 'Dirección'],
    ['name', 'phone', 'email', 'web', 'full'],
  ),
  file(
    'French, Windows-1252',
    ['Société', 'Téléphone', 'Courriel', 'Site internet', 'Ville', 'Code postal'],
    ['name', 'phone', 'email', 'web', 'city', 'zip'],
    { encode: western, delimiter: ';', cell: with_((row, key) => (key === 'name' ? `Café ${row.name}` : undefined)) },
  ),
  file('no header', undefined, USUAL),
  file('no header, another order', undefined, ['phone', 'name', 'full', 'email'], { delimiter: '\t' }),
  file('no header, an owner', undefined, ['name', 'owner', 'phone', 'web']),
  file('headers that mean nothing', ['A', 'B', 'C', 'D'], ['name', 'phone', 'email', 'web']),
  file('semicolons', USUAL_HEADER, USUAL, { delimiter: ';' }),
  file('tabs, UTF-16LE', USUAL_HEADER, USUAL, { delimiter: '\t', encode: utf16(false, true) }),
  file('UTF-16BE', USUAL_HEADER, USUAL, { encode: utf16(true, true), newline: '\r\n' }),
  file('UTF-16LE without a mark', USUAL_HEADER, USUAL, { encode: utf16(false, false) }),
  file('bars', USUAL_HEADER, USUAL, { delimiter: '|' }),
  file('a byte order mark', USUAL_HEADER, USUAL, { encode: (text) => utf8(`\ufeff${text}`) }),
  file('old line ends', USUAL_HEADER, USUAL, { newline: '\r' }),
  file('everything quoted', USUAL_HEADER, USUAL, { quote: (cell) => `"${cell}"`, newline: '\r\n' }),
  file('quotes inside that are not doubled', USUAL_HEADER, USUAL, {
    quote: (cell) => `"${cell}"`,
    cell: with_((row, key) => (key === 'name' ? `${row.name} "The Best" Ever` : undefined)),
  }),
  file('quotes that are never closed', USUAL_HEADER, USUAL, {
    quote: (cell) => cell,
    cell: with_((row, key, at) => (key === 'name' && at % 2 === 1 ? `"${row.name}` : undefined)),
  }),
  file('one quote, and quoted cells behind it', USUAL_HEADER, USUAL, {
    quote: (cell) => cell,
    cell: with_((row, key, at) =>
      key !== 'name' ? undefined : at === 1 ? `"${row.name}` : at === 4 ? `"${row.name}"` : undefined,
    ),
  }),
  file('inches', ['Name', 'Phone', 'Notes'], ['name', 'phone', 'note'], {
    quote: (cell) => cell,
    cell: with_((row, key) =>
      key === 'note' ? `5" pipe, 6" pipe`.replace(',', '') : key === 'name' ? row.name : undefined,
    ),
  }),
  mixed('several delimiters'),
  file('formulas', USUAL_HEADER, USUAL, {
    cell: with_((row, key) =>
      key === 'phone' ? `="${row.phone.replaceAll(/\D/g, '')}"` : key === 'zip' ? `="${row.zip}"` : undefined,
    ),
  }),
  file('formulas that do harm', ['Company', 'Phone', 'Remarks'], ['name', 'phone', 'note'], {
    cell: with_((_row, key) => (key === 'note' ? '=HYPERLINK("https://bad.example","look")' : undefined)),
  }),
  file('lines above the table', USUAL_HEADER, USUAL, { before: ['Export of 2026-11-24', ''] }),
  file('several lines in a cell', ['Name', 'Address', 'Phone', 'Comments'], ['name', 'full', 'phone', 'note'], {
    cell: with_((row, key) => (key === 'note' ? `${row.note}\nand, then "again"` : undefined)),
  }),
  file(
    'zeros lost, and other spellings',
    ['BUSINESS', 'TEL.', 'WWW', 'CITY ', 'ST', 'ZIP5'],
    ['name', 'phone', 'web', 'city', 'state', 'zip'],
    {
      cell: with_((row, key, at) =>
        key === 'zip'
          ? row.zip.replace(/^0/, '')
          : key === 'phone'
            ? [
                '312-555-0100',
                '312.555.0101',
                '+1 312 555 0102',
                '13125550103',
                '3125550104 ext 7',
                'Tel: 312 555 0105',
              ][at]
            : undefined,
      ),
    },
  ),
  file(
    'names of people, and words of one’s own',
    ['Lead Source', 'Company Name', 'First Name', 'Last Name', 'Direct Phone Number', 'Email 1', 'Annual Revenue'],
    ['note', 'name', 'first', 'last', 'phone', 'email', 'note'],
    { delimiter: ';', cell: with_((_row, key) => (key === 'note' ? 'Fair' : undefined)) },
  ),
];
