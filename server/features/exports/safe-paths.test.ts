import { join } from 'node:path';
import fc from 'fast-check';
import { sql } from 'kysely';
import Papa from 'papaparse';
import { beforeAll, expect, test } from 'vitest';
import type { ImportField } from '#contract/imports/fields.ts';
import { LICENSES_HEADER } from '#contract/work/exports/exports.ts';
import { duplicateListEndpoint } from '#contract/work/lists.ts';
import { copyLeadsEndpoint } from '#contract/work/move-leads.ts';
import { backUp } from '#db/backup/back-up.ts';
import { restore } from '#db/backup/restore.ts';
import { installQueue } from '#jobs/install-queue.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { attributionText, exportRows, exportText } from '#test/exports.ts';
import { importFile } from '#test/imports.ts';
import { buildList, buildListOf, readLeads, tellPlaces } from '#test/lists.ts';
import { type Process, type Product, startProduct, type TestUser } from '#test/product.ts';
import { folderForFile } from '#test/runner/after-file.ts';

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
function toldBy(column: Column, origin: string, name: string): string {
  number += 1;
  const who = origin.replace(':', '');
  if (column === 'phone' && number % 4 === 0) return `+44 ${origin === 'google' ? '1624' : '1625'} ${660_000 + number}`;
  if (column === 'phone') return `+1 ${origin === 'google' ? '312' : '217'}-${200 + (number % 700)}-${1000 + number}`;
  if (column === 'website') return `https://www.${who}-${number}.example/${number % 2 === 0 ? who : ''}`;
  if (column === 'email') return `hello@${who}-${number}.example`;
  if (column === 'address') return addressOf(number, WORDS[origin] ?? origin, origin === name);
  return `${who} ${column.replace('_', ' ')} ${number}`;
}
/** Words without digits for each source: a digit would make a house number of it. */
const WORDS: Record<string, string> = { 'open:1': 'overture', 'open:2': 'map' };

/** Addresses of many shapes. Without house number and street only those that came with their name: they are known beside it. */
function addressOf(at: number, who: string, cameWithName: boolean): string {
  const unique = `${String(at).replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')}${who}`;
  const numbered = [`${at} ${who} Street, Springfield, IL 62701, USA`, `${at} ${who} Road, London SW1A 1AA, UK`];
  const others = [
    ...[`${unique} Street, Port Saint Mary, Isle of Man`, `${unique}, IL, USA`, `${unique}, TX 79843, USA`],
    `Via ${unique} ${at}, ${20_000 + at} Milano MI, Italy`,
  ];
  const shapes = cameWithName ? [...numbered, ...others] : numbered;
  return shapes[at % shapes.length] ?? '';
}

type Lead = Record<Column, string> & { sources: string };
const leadOf = (origin: Origins): Lead => ({
  ...(Object.fromEntries(
    COLUMNS.map((column) => [column, toldBy(column, origin[column], origin.business_name)]),
  ) as Record<Column, string>),
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
    return name || phone || address || website ? [{ name: name ?? '-', phone, address, website }] : [];
  });
  await tellPlaces(product.db, searched, places);
  await product.db.deleteFrom('lists').where('id', '=', searched).execute();
  return buildListOf(product.db, user.id, leads, {
    sandbox: false,
    tier2_complete: true,
    tier3_complete: true,
    tier4_complete: true,
  });
}

/** Makes a list of a file: as it is guessed, or with each column named as one of the reader's own. */
async function imported(process: Process, user: TestUser, file: string, mapping: Record<string, ImportField> = {}) {
  const { state, list } = await importFile(process, user, file, { duplicates: 'add', mapping });
  expect(state).toBe('completed');
  return list;
}

/** The same of these for the same number. */
const oneOf = (spellings: readonly string[], phone: string): string =>
  spellings[Number(phone.replace(/\D/g, '')) % spellings.length] ?? '';

/** What someone does to a file in a spreadsheet: other headers, other order, other spellings, and "other" columns. */
function edited(text: string): { file: string; mapping: Record<string, ImportField> } {
  const [head = [], ...rows] = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { skipEmptyLines: true }).data;
  // The last one shows that the first row names columns, whatever is left in the others.
  const headers = [...head, 'Mark'].map((_, at) => `Mine ${at}`).toReversed();
  const phones = ['($1) $2 $3', '$1–$2–$3', 'call $1 - $2 - $3', 'tel.$1−$2−$3'];
  const abroad = ['+44 (0)$1 $2', '0$1 $2', 'ring 0$1 $2', '+44–$1–$2', '0044 $1 $2'];
  const spelled = (cell: string) =>
    cell
      .replace(/^'?\+1 (\d{3})-(\d{3})-(\d{4})$/, oneOf(phones, cell))
      .replace(/^'?\+44 (\d{4}) (\d{6})$/, oneOf(abroad, cell))
      .replace(/^https:\/\/www\./, Number(cell.replace(/\D/g, '')) % 3 === 0 ? 'https://' : '')
      .replace(/\.example\/$/, '.example')
      .replace(/, USA$/, '')
      .replace(/^google business/, 'GOOGLE  Business');
  return {
    file: Papa.unparse([
      headers,
      ...rows.map((row, at) => [...row.map(spelled), `mark${at}@mine.example`].toReversed()),
    ]),
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
  if (way === 're-import') return imported(product, user, await exportText(product, user, from));
  if (way === 're-import safe') {
    const text = await exportText(product, user, from, SAFE);
    return text.trim().includes('\n') ? imported(product, user, text) : from;
  }
  if (way === 're-import edited') {
    const { file, mapping } = edited(await exportText(product, user, from));
    return imported(product, user, file, mapping);
  }
  if (way === 're-import with towns' || way === 're-import with ZIP codes') {
    const parted = inParts(await exportText(product, user, from), way === 're-import with towns' ? 'town' : 'zip');
    return imported(product, user, parted.file, parted.mapping);
  }
  const to =
    way === 'merge'
      ? await buildListOf(product.db, user.id, [{ business_name: 'google only' }], { sandbox: false })
      : await buildList(product.db, user.id, { status: 'completed', sandbox: false });
  const lead_ids = (await readLeads(product.db, from)).map((lead) => lead.id);
  await user.call(copyLeadsEndpoint, { lead_ids, to: { list_id: to } }, { listId: from });
  return to;
}

/** What a value is, however it is written: letters and digits, of a page its domain, and of a number what stands behind its country code. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^https?:\/\/(www\.)?|(?<=\.example)\/.*$/g, '')
    .replace(/^'?\+(?:1|44)|, usa$|[^a-z0-9]/g, '');

const MIXED = {
  business_name: 'file',
  phone: 'google',
  address: 'google',
  website: 'google',
  email: 'file',
  owner_name: 'website',
  owner_title: 'open:1',
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
        const valuesOf = (origin: string) =>
          leads.flatMap((lead, index) =>
            COLUMNS.flatMap((column) => {
              if (given[index]?.[column] !== origin) return [];
              return [
                { column, value: plain(column === 'address' ? (lead.address.split(',')[0] ?? '') : lead[column]) },
              ];
            }),
          );
        const googles = valuesOf('google').map(({ value }) => value);
        // A name alone is not known: others have the same.
        const maps = valuesOf('open:2').flatMap(({ column, value }) => (column === 'business_name' ? [] : [value]));
        const rows = await exportRows(product, user, listId, SAFE);
        files += 1;
        for (const row of rows) {
          const licenses = row[LICENSES_HEADER] ?? '';
          for (const [header, cell] of Object.entries(row)) {
            if (cell === '' || header === LICENSES_HEADER) continue;
            cells += 1;
            for (const value of googles) expect(plain(cell)).not.toContain(value);
            if (maps.some((value) => plain(cell).includes(value))) expect(licenses).toContain('OpenStreetMap');
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
          expect(await attributionText(product, user, listId)).not.toContain('OpenStreetMap contributors');
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
  await tellPlaces(product.db, listId, [
    {
      name: 'Google Open Bakery',
      phone: '+1 217-555-0160',
      address: '1 Google Street, Springfield, IL 62701, USA',
      website: 'https://google-160.example/',
    },
  ]);
  expect(await readLeads(product.db, listId)).toMatchObject(
    [{ ...open, place_id: `${listId}-0`, sources: {} }].map(({ sources: _, ...lead }) => lead),
  );
  const [row, ...more] = await exportRows(product, user, listId, SAFE);
  expect(more).toEqual([]);
  expect(row).toMatchObject({ 'Business Name': 'Open Bakery', Phone: '+1 217-555-0160', Address: '', Website: '' });
  expect(await product.db.selectFrom('app.open_matches').selectAll().where('user_id', '=', user.id).execute()).toEqual([
    expect.objectContaining({ place_id: `${listId}-0`, open_id: 'overture:160', reason: 'phone' }),
  ]);
  // Nothing of it is known by what Google said, either.
  expect(
    await exportRows(
      product,
      user,
      await imported(product, user, 'Business Name,Phone,City\nGoogle Open Bakery,217-555-0161,Springfield\n'),
      SAFE,
    ),
  ).toMatchObject([{ 'Business Name': 'Google Open Bakery' }]);
});

test('a restored backup gives the same file, and knows what Google had told', async () => {
  const user = await product.user();
  const given = [MIXED, BOUGHT];
  const leads = given.map(leadOf);
  const listId = await listOf(user, leads, given);
  const all = await exportText(product, user, listId);
  const safe = await exportRows(product, user, listId, SAFE);
  const backup = join(folderForFile(), 'backup');
  await backUp(product.url, backup, folderForFile());
  const url = await freshDatabase('empty');
  await restore(url, backup, { folder: folderForFile(), replace: false });
  await installQueue(url);
  const restored = await product.process({ url });
  const same = restored.as(user);
  expect(await exportRows(restored, same, listId, SAFE)).toEqual(safe);
  const back = await imported(restored, same, all);
  expect(await exportRows(restored, same, back, SAFE)).toMatchObject([
    { 'Business Name': leads[0]?.business_name, Phone: '', Address: '', Website: '' },
  ]);
});
