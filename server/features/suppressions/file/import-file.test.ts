import { sql } from 'kysely';
import { beforeAll, expect, test, vi } from 'vitest';
import {
  importSuppressionFileEndpoint,
  importSuppressionsEndpoint,
  listSuppressionsEndpoint,
  MOST_IMPORTED,
} from '#contract/calling/suppressions.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { sendFile } from '#test/imports.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';
import { spreadsheet } from '#test/spreadsheet.ts';

type Imported = DataOf<typeof importSuppressionFileEndpoint>;

let product: Product;
let user: TestUser;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  user = await product.user();
});

const send = (file: string | Uint8Array<ArrayBuffer>, by = user): Promise<Imported> =>
  sendFile(product, by, { path: importSuppressionFileEndpoint.path, file, type: 'application/octet-stream' });
const latin = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
const utf16 = (text: string) => new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'));
const found = async (q: string) =>
  (await user.call(listSuppressionsEndpoint, undefined, { q })).items.map(({ value }) => value);

test.each([
  ['Windows-1252', latin, 'Café Süd'],
  ['UTF-16', utf16, 'Café North'],
  ['UTF-8', (text: string) => text, 'Café West'],
])('a file in %s is read to the letter', async (_encoding, encode, company) => {
  const read = await send(encode(`phone,company\r\n,${company}\r\n`));
  expect(read).toMatchObject({ added: 1, wrong: 0 });
  expect(await found(company)).toHaveLength(1);
});

test('a spreadsheet is read as a file of text is', async () => {
  const read = await send(
    spreadsheet([
      ['Company', 'Phone'],
      ['Sheet Invented Works', '312-555-0161'],
      [null, 'call office'],
    ]),
  );
  expect(read).toMatchObject({
    added: 2,
    wrong: 1,
    errors: [{ line: 3, text: 'call office', why: expect.stringContaining('not a US number') }],
  });
});

test('sheets of which nothing is read are named', async () => {
  const by = await product.user();
  const rows = [['Phone'], ['(312) 555-0171']];
  expect(await send(spreadsheet(rows, [], 'More'), by)).toMatchObject({ added: 1, otherSheets: ['More'] });
  expect(await send(spreadsheet(rows), by)).toMatchObject({ known: 1, otherSheets: [] });
});

test('a long file loses no row in quotes over several lines, and is read by one header', async () => {
  const rows = Array.from({ length: MOST_IMPORTED + 20 }, (_, at) => `"said\nno, ${at} times",Invented ${at} Works`);
  expect(await send(['Note,Company', ...rows].join('\n'))).toMatchObject({ added: rows.length, wrong: 0 });
  expect(await found(`Invented ${rows.length - 1} Works`)).toHaveLength(1);
  const { rows: known } = await sql<{ entries: number }>`
    select reltuples as entries from pg_catalog.pg_class where oid = 'app.suppressions'::regclass`.execute(product.db);
  expect(known[0]?.entries, 'PostgreSQL knows how many there are').toBeGreaterThanOrEqual(MOST_IMPORTED);
});

test.each([
  ['sep=;', 'sep=;\nCompany;E-Mail\n', ';'],
  ['a header like a domain', 'Company,E.Mail\n', ','],
  ['a title', 'Our stop list\n\nCompany,Phone\n', ','],
])('%s holds for all of a long file', async (_name, head, delimiter) => {
  const rows = Array.from({ length: MOST_IMPORTED + 20 }, (_, at) => `Header ${head.length} works ${at}${delimiter}`);
  expect(await send(head + rows.join('\n'))).toMatchObject({ added: rows.length, wrong: 0, errors: [] });
});

test('rows keep their numbers in a long file', async () => {
  const rows = Array.from({ length: MOST_IMPORTED }, () => 'stop@long-file.example');
  const { errors } = await send(['Email', ...rows, 'nobody'].join('\n'));
  expect(errors).toEqual([{ line: rows.length + 2, text: 'nobody', why: expect.any(String) }]);
});

test.each(['Phone,Company\n', '\n\n'])('a file without entries adds none: %j', async (file) => {
  expect(await send(file)).toMatchObject({ added: 0, known: 0, wrong: 0 });
});

test('what is no file of text or spreadsheet is refused in words', async () => {
  const old = new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0, 0]);
  await expect(send(old)).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    message: expect.stringContaining('Save it as XLSX or CSV'),
  });
});

test('an address in brackets, quotes or with signs behind it is held back, and none counts as known that is not', async () => {
  const names = [
    '(one@x)',
    '<two@x>',
    '[three@x]',
    "'four@x'",
    'five@x/',
    'six@x:',
    'seven@x.',
    'mailto:eight@x',
    'ni\u00adne@x',
  ];
  const rows = names.map((name) => name.replace('@x', '@brackets.example'));
  const csv = ['email', ...rows, 'ten@brackets_..example', 'eleven@[192.0.2.1]', ''].join('\n');
  expect(await send(csv)).toMatchObject({ added: 9, known: 0, wrong: 2 });
  expect((await found('@brackets.example')).toSorted()).toEqual(
    ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
      .map((name) => `${name}@brackets.example`)
      .toSorted(),
  );
});

test('a value of no kind is told how to be read', async () => {
  expect((await send('Ann Lee\n')).errors).toEqual([
    { line: 1, text: 'Ann Lee', why: expect.stringContaining('Companies need a column named “company”') },
  ]);
  expect((await send('kind,value\nplanet,Mars\n')).errors).toEqual([
    { line: 2, text: 'Mars', why: 'Its kind must be phone, email, domain, business or company.' },
  ]);
});

test('a text of too many lines is refused before anything is stored', async () => {
  const csv = Array.from({ length: MOST_IMPORTED + 2 }, (_, at) => `s${at}@too-long.example`).join('\n');
  await expect(user.call(importSuppressionsEndpoint, { csv })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  expect(await found('s0@too-long.example')).toEqual([]);
});

/** Sends a file of which the second half comes when asked to. */
async function sendSlowly(sender: TestUser, rows: readonly [string, string]) {
  const body = new TransformStream<Uint8Array, Uint8Array>();
  const writer = body.writable.getWriter();
  const answer = product.request(importSuppressionFileEndpoint.path, {
    method: 'POST',
    headers: { authorization: await sender.authorization(), 'content-type': 'text/csv' },
    body: body.readable,
    duplex: 'half',
  });
  // It is taken once the file is being read.
  await writer.write(new TextEncoder().encode(rows[0]));
  return {
    answer,
    async end() {
      await writer.write(new TextEncoder().encode(rows[1]));
      await writer.close();
    },
  };
}

test('one person has one file read at a time, and keeps no one else from theirs', async () => {
  const slow = await sendSlowly(user, ['email\none@turns.example\n', 'two@turns.example\n']);
  await expect(send('email\nthree@turns.example\n')).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    message: 'Another file of yours is being read. Try again when that is done.',
  });
  const other = await product.user();
  const path = importSuppressionFileEndpoint.path;
  await sendFile(product, other, { path, file: 'email\nfour@turns.example\n', type: 'text/csv' });
  await slow.end();
  expect((await slow.answer).status).toBe(200);
  expect((await found('@turns.example')).toSorted()).toEqual(['four', 'one', 'two'].map((n) => `${n}@turns.example`));
  expect(await send('email\nthree@turns.example\n')).toMatchObject({ added: 1 });
});

test('a file of which nothing more comes is given up, and stands in the way of no other', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const slow = await sendSlowly(user, ['email\none@silent.example\n', '']);
    let isAnswered = false;
    void slow.answer.finally(() => (isAnswered = true));
    await vi.waitUntil(() => {
      vi.advanceTimersByTime(30_000);
      return isAnswered;
    });
    const answer = await slow.answer;
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({ message: expect.stringContaining('Choose the file again') });
  } finally {
    vi.useRealTimers();
  }
  expect(await send('email\ntwo@silent.example\n')).toMatchObject({ added: 1 });
});
