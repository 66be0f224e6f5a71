import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import papaparse from 'papaparse';
import { expect, test } from 'vitest';
import { openText } from './read-text.ts';

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string | Uint8Array, size = 7) {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const file = await openText(inPieces(bytes, size));
  const rows: string[][] = [];
  const numbers: number[] = [];
  for await (const batch of file.batches)
    for (const { row, cells } of batch) {
      rows.push(cells);
      numbers.push(row);
    }
  return { rows, numbers, encoding: file.encoding, delimiter: file.delimiter };
}

const cell = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'ab",;\t|\n\r \'é1'), maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => text.replaceAll(/[\0\ufeff]/g, '')),
);
const table = fc
  .integer({ min: 2, max: 5 })
  .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }));

test('whatever cells are written properly are read as they were, however the bytes are cut', async () => {
  await fc.assert(
    fc.asyncProperty(table, fc.integer({ min: 1, max: 50 }), async (rows, size) => {
      // A first row that tells the delimiter, as headers do.
      const head = rows[0]?.map((_, at) => `header ${at}`) ?? [];
      const csv = papaparse.unparse([head, ...rows], { quotes: true, newline: '\r\n' });
      const { rows: found } = await read(`${csv}\r\n`, size);
      expect(found).toEqual([head, ...rows]);
    }),
    { numRuns: 300 },
  );
});

test('stray quotes end with their line, and rows keep their numbers', async () => {
  expect((await read('name,phone\n"Open,1\n\n"Quoted, Inc",2\nc "d" e,3')).rows).toEqual([
    ['name', 'phone'],
    ['"Open', '1'],
    [''],
    ['Quoted, Inc', '2'],
    ['c "d" e', '3'],
  ]);
  expect((await read('sep=;\na;b\n1;2\n')).numbers).toEqual([1, 2]);
});

test.each([3, 7, 1_000])(
  'quotes around the first word of a cell take no cells behind it, read by %d bytes',
  async (size) => {
    const file =
      'name,phone,place\n"Acme" Inc,1,"Street 1, Room 2"\n"Joe "The Man" Smith, Jr",2,x\n"Bo" Ltd,3,"two\nlines"\nz,4,\n';
    expect((await read(file, size)).rows).toEqual([
      ['name', 'phone', 'place'],
      ['"Acme" Inc', '1', 'Street 1, Room 2'],
      ['Joe "The Man" Smith, Jr', '2', 'x'],
      ['"Bo" Ltd', '3', 'two\nlines'],
      ['z', '4', ''],
    ]);
  },
);

test.each<[string, Uint8Array, string]>([
  ['UTF-8', new TextEncoder().encode('café;ort\nÄ;Ö\n'), 'UTF-8'],
  ['Windows-1252', new Uint8Array(Buffer.from('café;ort\nÄ;Ö\n', 'latin1')), 'Windows-1252'],
  ['UTF-16LE', new Uint8Array(Buffer.from('\ufeffcafé;ort\nÄ;Ö\n', 'utf16le')), 'UTF-16LE'],
  ['UTF-16BE', new Uint8Array(Buffer.from('\ufeffcafé;ort\nÄ;Ö\n', 'utf16le').swap16()), 'UTF-16BE'],
])('%s is found', async (_name, bytes, encoding) => {
  expect(await read(bytes, 3)).toMatchObject({
    encoding,
    delimiter: ';',
    rows: [
      ['café', 'ort'],
      ['Ä', 'Ö'],
    ],
  });
});

test('spaces stand around quoted cells, and a mark before one, without breaking them', async () => {
  expect((await read('\ufeff\ufeff"a, b", "c"\n "1, 2" , "3"\n\ufeff"4, 5",6\n x "y", z\n')).rows).toEqual([
    ['a, b', 'c'],
    ['1, 2', '3'],
    ['4, 5', '6'],
    [' x "y"', ' z'],
  ]);
});

test.each(['', '\ufeff'])(
  'a line in another encoding than the others is read by itself (%j before all)',
  async (mark) => {
    const bytes = new Uint8Array(Buffer.concat([Buffer.from(`${mark}a,b\né,1\n`), Buffer.from('é,2\n', 'latin1')]));
    const marked = new Uint8Array(Buffer.concat([Buffer.from(mark), Buffer.from('é,2\n', 'latin1')]));
    expect((await read(marked)).rows).toEqual([['é', '2']]);
    expect((await read(bytes)).rows).toEqual([
      ['a', 'b'],
      ['é', '1'],
      ['é', '2'],
    ]);
  },
);

/** Longer than the reader looks at as one line. */
const LONG = 1_200_000;
/** In bytes. One of them ends within a character of three bytes. */
const SIZES = [65_535, 65_536, 65_537];

test.each([
  ['lines that end with a carriage return alone', '\r'],
  ['lines that end with a line feed', '\n'],
])('a large file of UTF-8 is read to the letter: %s', async (_name, end) => {
  const rows = Array.from({ length: LONG / 60 }, (_, at) => [`${'€'.repeat(20)}${at % 7}`, `ü${at}`]);
  for (const size of SIZES) {
    const { rows: found, encoding } = await read(['a,b', ...rows.map((row) => row.join(','))].join(end), size);
    expect(encoding).toBe('UTF-8');
    expect(found).toHaveLength(rows.length + 1);
    expect(found.slice(1).findIndex((row, at) => row.join() !== rows[at]?.join())).toBe(-1);
  }
});

test('of a large file with carriage returns alone, a line in another encoding is read by itself', async () => {
  const line = 'é,1\r'.repeat(LONG / 5);
  const bytes = new Uint8Array(
    Buffer.concat([Buffer.from(`a,b\r${line}`), Buffer.from('ö,2\r', 'latin1'), Buffer.from(line)]),
  );
  const { rows, encoding } = await read(bytes, 65_537);
  expect(encoding).toBe('Windows-1252');
  expect([...new Set(rows.map((row) => row.join()))]).toEqual(['a,b', 'é,1', 'ö,2']);
});

test('a line without an end is cut between characters', async () => {
  const cell = '€'.repeat(LONG / 2);
  for (const size of SIZES)
    expect((await read(`a,b\n${cell},1`, size)).rows).toEqual([
      ['a', 'b'],
      [cell, '1'],
    ]);
});

test.each(['\ufeff <html><body><table>', '<?xml version="1.0"?><Workbook>', '<TABLE border=1><tr>', '%PDF-1.7\n'])(
  'what other programs call a spreadsheet is refused with words: %j',
  async (start) => expect(read(`${start}\nAcme,3125550101\n`)).rejects.toThrow('not a table'),
);

test.each(['BEGIN:VCARD\nVERSION:3.0\nFN:Acme\n', '[{"name":"Acme"},', '{"leads": []}', ' [ ]'])(
  'contacts of a phone and JSON are refused with words: %j',
  async (start) => expect(read(`${start}\nAcme,3125550101\n`)).rejects.toThrow('vCard or JSON'),
);

test('a packed file or a picture is refused with words, and a stray sign in a text is not', async () => {
  const packed = new Uint8Array(gzipSync(Buffer.from('Company,Phone\nAcme,3125550101\n')));
  await expect(read(packed)).rejects.toThrow('not a table');
  expect((await read('a\x1db,c\n1,2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9\n')).rows).toHaveLength(2);
});

/** Once it took hours for texts of ten times this length, and stood in everyone's way. */
test.each(['"a,', '"a"b,', '"a""b,', ',', '"\n,a', '"a,\n'])(
  'a file of nothing but %j is read in no time',
  async (piece) => {
    const began = performance.now();
    await read(piece.repeat(16_000 / piece.length), 16_384);
    expect(performance.now() - began).toBeLessThan(3_000);
  },
);
