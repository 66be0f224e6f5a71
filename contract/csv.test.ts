import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { neutralizeFormula, toCsv } from './csv.ts';

const parse = (csv: string) =>
  Papa.parse<string[]>(csv.replace(/^\ufeff/, ''), { delimiter: ',', newline: '\r\n' }).data.slice(0, -1);

describe('toCsv', () => {
  test('begins with a byte order mark and ends each row with CRLF', () => {
    expect(
      toCsv([
        ['a', 'b'],
        ['1', '2'],
      ]),
    ).toBe('\ufeffa,b\r\n1,2\r\n');
  });

  test('quotes commas, quotes, line breaks and outer spaces', () => {
    expect(toCsv([['a,b', 'say "hi"', 'two\nlines', ' padded ']])).toBe(
      '\ufeff"a,b","say ""hi""","two\nlines"," padded "\r\n',
    );
  });

  test('whatever is written is read back by a parser, formulas with their apostrophe', () => {
    const cell = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string(),
      fc.constantFrom('', '"', ',', '\r\n', '=1', 'é🦜', 'مرحبا'),
    );
    const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(rows, (table) => {
        expect(parse(toCsv(table))).toEqual(table.map((row) => row.map(neutralizeFormula)));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('neutralizeFormula', () => {
  test.each([
    '=HYPERLINK("http://x.example")',
    '+1+cmd|calc',
    '-2+3+cmd',
    '@SUM(A1)',
    '\r=1',
    '  =1',
    '\u0000=1',
    '＝1+1',
    '＠SUM',
  ])('puts an apostrophe before %j', (cell) => {
    expect(neutralizeFormula(cell)).toBe(`'${cell}`);
  });

  test.each([
    '+44 1624 664411',
    '(512) 555-0142',
    '+1 (512) 555-0142',
    '512.555.0142',
    'A Café',
    '',
    '555-0100',
    "O'Neil",
  ])('leaves %j as it is', (cell) => {
    expect(neutralizeFormula(cell)).toBe(cell);
  });

  test.each([
    ['Foo;=HYPERLINK("http://x.example")', 'Foo;\'=HYPERLINK("http://x.example")'],
    ['a;  @SUM;b\t-1', "a;  '@SUM;b\t'-1"],
    ['\t=1', "'\t'=1"],
    ['Salt; Pepper', 'Salt; Pepper'],
    ['a;＝1', "a;'＝1"],
  ])('a formula behind another separator is neutralized, too: %j', (cell, neutral) => {
    expect(neutralizeFormula(cell)).toBe(neutral);
  });

  test('no cell that begins with an operator survives unless it is a phone number', () => {
    fc.assert(
      fc.property(fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n'), fc.string(), (operator, rest) => {
        const cell = neutralizeFormula(operator + rest);
        expect(cell.startsWith("'") || /^\+?[\d\s().-]+$/.test(cell)).toBe(true);
      }),
    );
  });
});
