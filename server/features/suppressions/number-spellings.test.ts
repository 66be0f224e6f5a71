import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { checkCallabilityEndpoint } from '#contract/calling/callability.ts';
import { eraseContactEndpoint } from '#contract/calling/suppression-sources.ts';
import { addSuppressionEndpoint } from '#contract/calling/suppressions.ts';
import { estimateComplianceEndpoint } from '#contract/work/compliance.ts';
import { searchOpenEndpoint } from '#contract/work/search/search-open.ts';
import { firstPhone } from '#server/calling/first-phone.ts';
import { readPhone } from '#server/calling/us-number.ts';
import { e164Of } from '#server/calling/us-phone.ts';
import { phoneSubject } from '#server/evidence/phone-subject.ts';
import { openPhone } from '#server/open-data/open-contacts.ts';
import { exportText } from '#test/exports.ts';
import { importFile } from '#test/imports.ts';
import { buildList, buildListOf, readLeads } from '#test/lists.ts';
import { loadCsv } from '#test/open-data/load-csv.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';
import { patternOf } from './erasure/erased-subject.ts';
import { readEntry } from './read-entry.ts';

let product: Product;
let user: TestUser;
beforeAll(async () => {
  product = await startProduct();
  user = await product.user();
});

const AMERICAN = '+13035550142';
const EXTENSIONS = [
  'x12',
  'x: 12',
  'ext 5',
  'ext. 5',
  'ext-5',
  'ext 5#',
  'extn 5',
  'xt 5',
  '~ 12',
  '#5',
  'anexo 5',
  'int 5',
  'extension 5',
  'extensión 5',
  'extensio\u0301n 5',
  'доб. 5',
  'Доб 5',
  ', 5',
  '- 5#',
];
const SPELLINGS: [text: string, key: string][] = [
  ...EXTENSIONS.map((said): [string, string] => [`303-555-0142 ${said}`, AMERICAN]),
  ...[
    '303-555-0142',
    '(303) 555-0142',
    '303.555.0142',
    '3035550142',
    '1 303 555 0142',
    '+1 303-555-0142',
    '+1 1 303-555-0142',
    '303 / 555-0142',
    '\u202a+1 303-555-0142\u202c',
    '３０３-５５５-０１４２',
    '٣٠٣-٥٥٥-٠١٤٢',
    '+١ ٣٠٣ ٥٥٥ ٠١٤٢',
    '۳۰۳۵۵۵۰۱۴۲',
    '303–555–0142',
    '303·555·0142',
    '303\u00ad555\u00ad0142',
    '303\u00a0555\u20110142',
    'tel:+1-303-555-0142',
    'Tel. 303-555-0142',
    'call 303-555-0142',
    '303-555-0142 (office)',
    '+1 303-555-0142 cell',
  ].map((text): [string, string] => [text, AMERICAN]),
  ...[
    '303-555-0142#',
    '303-555-0142 #',
    '1-303-555-0142#',
    '+1 303 555 0142#',
    '303-555-0142 #12#',
    '303-555-0142 # 1234',
  ].map((text): [string, string] => [text, AMERICAN]),
  ['+44 20 7946 0958#', '+442079460958'],
  ['+33 1 42 68 53 00#', '+33142685300'],
  ...[
    '+52 55 1234 5678',
    '+52 1 55 1234 5678',
    '+52 (1) 55 1234 5678',
    '+52 01 55 1234 5678',
    '+52 044 55 1234 5678',
  ].map((text): [string, string] => [text, '+525512345678']),
  ...['+36 30 123 4567', '+36 06 30 123 4567', '+36 (06) 30 123 4567'].map((text): [string, string] => [
    text,
    '+36301234567',
  ]),
  ['+36 06 1 234 5678', '+3612345678'],
  ...['+7 495 123 45 67', '+7 8 495 123 45 67', '+7 (8) 495 123-45-67'].map((text): [string, string] => [
    text,
    '+74951234567',
  ]),
  ['+7 (812) 123-45-67', '+78121234567'],
  ['+7 8 727 250 1234', '+77272501234'],
  ...['+375 29 123 45 67', '+375 80 29 123 45 67', '+375 8 029 123 45 67', '+375 (0)29 123 45 67'].map(
    (text): [string, string] => [text, '+375291234567'],
  ),
  ...['+370 612 34567', '+370 8 612 34567', '+370 (8) 612 34567', '+370 0 612 34567'].map((text): [string, string] => [
    text,
    '+37061234567',
  ]),
  ['+993 8 12 345678', '+99312345678'],
  ['303-KLM-0142', '+13035560142'],
  ['+442079460958', '+442079460958'],
  ['+44 20 7946 0958', '+442079460958'],
  ['+44 (0)20 7946 0958', '+442079460958'],
  ['+44(0)2079460958', '+442079460958'],
  ['+44 020 7946 0958', '+442079460958'],
  ['+44 (0)20 7946 0958 ext 5', '+442079460958'],
  ['+44 (0)1624 664414', '+441624664414'],
  ['+44 1624 664414 (office)', '+441624664414'],
  ['+49 (0) 30 901820', '+4930901820'],
  ['+33 (0)1 42 68 53 00', '+33142685300'],
  ['011 44 20 7946 0958', '+442079460958'],
  ['+353 (0)1 555 0101', '+35315550101'],
  // In Italy, it is part of the number.
  ['+39 06 6982 0001', '+390669820001'],
  ['+39 (0)6 6982 0001', '+390669820001'],
];

// In texts, they are two numbers, or one with other digits behind it.
const AMONG_OTHERS: [text: string, key: string][] = [
  ['+44 20 7946 0958 - 5#', '+442079460958'],
  ['+44 20 7946, 0958', '+442079460958'],
  ['011 36 06 30 123 4567', '+36301234567'],
];

const keyOf = async (text: string): Promise<string | null | undefined> =>
  (await sql<{ key: string | null }>`select app.phone_key(${text}) as key`.execute(product.db)).rows[0]?.key;

test.each([...SPELLINGS, ...AMONG_OTHERS])('all that read the number %s read the same', async (text, key) => {
  expect(await keyOf(text)).toBe(key);
  const entry = readEntry('phone', text);
  const us = readPhone(text);
  const read = {
    entry: entry.state === 'read' ? entry.value : undefined,
    check: us.kind === 'us' ? `+1${us.number}` : undefined,
    question: e164Of(text),
    evidence: phoneSubject(text)?.slice('phone:'.length),
    file: await keyOf(firstPhone(text) ?? ''),
    open: await keyOf(openPhone(text) ?? ''),
  };
  // What one cannot read it leaves out.
  for (const [reader, number] of Object.entries(read)) expect([reader, number ?? key]).toEqual([reader, key]);
});

test.each([
  ['+54 9 11 2345 6789', '+5491123456789'],
  ['+54 11 15 2345 6789', '+5491123456789'],
  ['+54 (0)221 15 512 3456', '+5492215123456'],
  ['+54 2966 15 412345', '+5492966412345'],
])('a mobile number of Argentina has one key: %s', async (text, key) => {
  expect(await keyOf(text)).toBe(key);
  expect(await keyOf(e164Of(text) ?? '')).toBe(key);
});

test.each(SPELLINGS.filter(([text]) => !/[klm]{3}/i.test(text)))('%s is found in texts', async (text, key) => {
  for (const said of [text, `ask for ${text}`, `${text}; or write`]) {
    const { rows } = await sql<{ keys: (string | null)[]; found: boolean }>`
      select array(select found.key from app.contacts_in(array[${said}]) as found) as keys,
        ${said}::text ~* ${patternOf({ kind: 'phone', key: `phone:${key}`, value: key, hash: '' })} as found
    `.execute(product.db);
    expect([said, rows[0]?.keys, rows[0]?.found]).toEqual([said, expect.arrayContaining([`phone:${key}`]), true]);
  }
});

test.each(['', '12', '217-555', '+1234567890123456789', 'call us', '(217) 555-0112 - 0113 - 0114 - 0115 x'])(
  '"%s" is sent to no one as a number unless it has a key',
  async (text) => {
    const us = readPhone(text);
    if ((await keyOf(text)) === null) expect([us.kind, e164Of(text)]).not.toContain('us');
  },
);

test('a suppressed number is not paid for, however a lead spells it', async () => {
  await user.connect('searchbug', 'sandbox-odd');
  await user.call(addSuppressionEndpoint, { kind: 'phone', value: AMERICAN });
  const spelled = SPELLINGS.filter(([, key]) => key === AMERICAN).map(([phone]) => ({ phone }));
  const id = await buildListOf(product.db, user.id, spelled);
  expect(await user.call(estimateComplianceEndpoint, { list_id: id })).toMatchObject({ toCheck: 0 });
});

test.each(['1-800-FLOWERS', '(800) FLOWERS', '800-356-9377 / 217-555-0199', '00 1 800 356 9377'])(
  'a question about %s is answered by what is suppressed of it',
  async (phone) => {
    await user.call(addSuppressionEndpoint, { kind: 'phone', value: '1-800-FLOWERS' });
    expect(await user.call(checkCallabilityEndpoint, { phone, state: 'IL' })).toMatchObject({ verdict: 'blocked' });
  },
);

test('a number in another column of a file does not leave once it is suppressed', async () => {
  const other = SPELLINGS.filter(([text]) => text.includes('(0)') && !text.startsWith('+39'));
  for (const [, value] of other) await user.call(addSuppressionEndpoint, { kind: 'phone', value });
  const rows = other.map(([text], at) => `Business ${at},217-555-01${10 + at},"${text}"`);
  const { list } = await importFile(product, user, ['Business Name,Phone,Second Phone', ...rows, ''].join('\n'));
  const text = await exportText(product, user, list);
  for (const [spelled] of other) expect(text).not.toContain(spelled);
});

test('a number in a file of places is held back and erased like others, whatever stands around it', async () => {
  const spelled: [string, string][] = [
    ['Tel. 217-555-0108', '217-555-0108'],
    ['call 217-555-0109', '217-555-0109'],
    ['217-555-0111 (office)', '217-555-0111'],
    ['+44 (0)1624 664499', '+441624664499'],
    ['217-555-0113 / 217-555-0114', '217-555-0113'],
  ];
  const at = { category: 'dentist', latitude: 39.8, longitude: -89.65 };
  const phones = [...spelled.map(([phone]) => phone), '(217) 555-0112 - 0113'];
  const places = phones.map((phone, id) => ({ ...at, id: String(id), name: `Business ${id}`, phone }));
  await loadCsv(product.url, places);
  const search = async (): Promise<string> => {
    const list_id = await buildList(product.db, user.id);
    await user.call(searchOpenEndpoint, {
      source: 'open',
      query: 'dentist',
      location: 'Springfield, IL',
      radius: 20_000,
      list_id,
    });
    return list_id;
  };
  for (const [, value] of spelled) await user.call(addSuppressionEndpoint, { kind: 'phone', value });
  const list = await search();
  expect((await exportText(product, user, list)).match(/Business \d/g)).toEqual(['Business 5']);
  const admin = await product.admin();
  for (const [, value] of spelled) await admin.call(eraseContactEndpoint, { kind: 'phone', value });
  await loadCsv(product.url, places, { release: '2026-11-01' });
  const again = await readLeads(product.db, await search());
  expect(again.filter(({ phone }) => phone !== null)).toEqual([]);
});
