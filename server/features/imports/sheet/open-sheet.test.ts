import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UnreadableFile } from '#server/features/imports/read/row.ts';
import { spreadsheet, zip } from '#test/spreadsheet.ts';
import { openSheet } from './open-sheet.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sheet-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function read(bytes: Uint8Array) {
  const path = join(folder, 'file.xlsx');
  await writeFile(path, bytes);
  const { batches } = await openSheet(path);
  const rows: unknown[] = [];
  for await (const batch of batches) for (const { row, cells } of batch) rows.push([row, ...cells]);
  return rows;
}

test('texts, numbers, days, padded codes and formulas are read as they show', async () => {
  const bytes = spreadsheet(
    [
      ['Name & co', 'Since', 'Zip', 'Phone', 'Sum'],
      ['<Acme>', 45_000, 2108, 3125550101, { formula: 'A1+1', result: '7' }],
      [null, 45_000.5, null, null, { formula: 'NOW()' }],
    ],
    [0, 1, 2, 0, 0],
  );
  expect(await read(bytes)).toEqual([
    [1, 'Name & co', 'Since', 'Zip', 'Phone', 'Sum'],
    [2, '<Acme>', '2023-03-15', '02108', '3125550101', '7'],
    [3, '', '2023-03-15 12:00', '', '', '=NOW()'],
  ]);
});

const PARTS = {
  'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="One" sheetId="1" r:id="rId1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels':
    '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
};
const withRows = (...numbers: string[]) =>
  zip({
    ...PARTS,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${numbers
      .map((r) => `<row r="${r}"><c><v>1</v></c></row>`)
      .join('')}</sheetData></worksheet>`,
  });

test.each([
  ['99999999999', 1],
  ['1e400', 1],
  ['2.5', 1],
  ['-3', 1],
  ['x', 1],
  ['1048577', 1],
  ['7', 7],
  ['1048576', 1_048_576],
])('a row that says it is row %s is row %i', async (written, row) => {
  expect(await read(withRows(written))).toEqual([[row, '1']]);
});

test('a cell that is only colored is no column, and how a text is pronounced is none of it', async () => {
  const cells =
    '<c t="inlineStr"><is><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><r><t> Dental</t></r></is></c><c r="XFD1" s="1"/>';
  const sheet = `<worksheet><sheetData><row r="1">${cells}</row></sheetData></worksheet>`;
  expect(await read(zip({ ...PARTS, 'xl/worksheets/sheet1.xml': sheet }))).toEqual([[1, '東京 Dental']]);
});

test('a cell that does not say where it stands is behind the one before, though that is empty', async () => {
  const cells = '<c><v>1</v></c><c/><c><v>3</v></c><c r="F1"><v>6</v></c><c s="1"/><c><v>8</v></c>';
  const sheet = `<worksheet><sheetData><row><c/><c><v>2</v></c></row><row>${cells}</row></sheetData></worksheet>`;
  expect(await read(zip({ ...PARTS, 'xl/worksheets/sheet1.xml': sheet }))).toEqual([
    [1, '', '2'],
    [2, '1', '', '3', '', '', '6', '', '8'],
  ]);
});

const TYPES = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A workbook whose sheets and other parts stand where it says. `related`: target and type of each, the sheets first. `hidden`: a sheet that is. */
const workbook = (
  sheets: number,
  related: readonly (readonly [string, string])[],
  parts: Record<string, string>,
  hidden?: number,
) =>
  zip({
    'xl/workbook.xml': `<workbook xmlns:r="r"><sheets>${related
      .slice(0, sheets)
      .map((_, at) => `<sheet name="S${at}" r:id="r${at}"${at === hidden ? ' state="veryHidden"' : ''}/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${related
      .map(([target, type], at) => `<Relationship Id="r${at}" Target="${target}" Type="${TYPES}/${type}"/>`)
      .join('')}</Relationships>`,
    ...parts,
  });
const sheetOf = (cells: string) => `<worksheet><sheetData><row r="1">${cells}</row></sheetData></worksheet>`;

test('the first sheet that is shown and has cells is read, wherever its parts stand', async () => {
  const sheets = [
    ['chartsheets/sheet1.xml', 'chartsheet'],
    ['worksheets/empty.xml', 'worksheet'],
    ['./Worksheets/Data%201.xml', 'worksheet'],
  ] as const;
  const bytes = workbook(3, [...sheets, ['/xl/Texts.xml', 'sharedStrings'], ['Look.xml', 'styles']], {
    'xl/chartsheets/sheet1.xml': '<chartsheet/>',
    'xl/worksheets/empty.xml': sheetOf('<c s="1"/>'),
    'xl/worksheets/data 1.xml': sheetOf('<c t="s"><v>0</v></c><c s="0"><v>45000</v></c>'),
    'xl/texts.xml': '<sst><si><t><![CDATA[Acme & <Co>]]></t></si></sst>',
    'xl/look.xml': '<styleSheet><cellXfs><xf numFmtId="14"/></cellXfs></styleSheet>',
  });
  expect(await read(bytes)).toEqual([[1, 'Acme & <Co>', '2023-03-15']]);
});

test('other sheets that have cells are named, also where they are hidden', async () => {
  const names = ['hidden', 'read', 'more', 'empty', 'damaged'];
  const related = names.map((name) => [`worksheets/${name}.xml`, 'worksheet'] as const);
  const path = join(folder, 'sheets.xlsx');
  const parts = {
    'xl/worksheets/hidden.xml': sheetOf('<c><v>0</v></c>'),
    'xl/worksheets/read.xml': sheetOf('<c><v>1</v></c>'),
    'xl/worksheets/more.xml': sheetOf('<c><v>2</v></c>'),
    'xl/worksheets/empty.xml': sheetOf('<c s="1"/>'),
    'xl/worksheets/damaged.xml': '<worksheet><sheetData><row>',
  };
  await writeFile(path, workbook(5, related, parts, 0));
  const { batches, otherSheets } = await openSheet(path);
  for await (const batch of batches) expect(batch).toEqual([{ row: 1, cells: ['1'] }]);
  expect(otherSheets).toEqual(['S2', 'S4', 'S0']);
});

test('a hidden sheet is read where none that is shown has cells', async () => {
  const related = ['hidden', 'empty'].map((name) => [`worksheets/${name}.xml`, 'worksheet'] as const);
  const parts = {
    'xl/worksheets/hidden.xml': sheetOf('<c><v>7</v></c>'),
    'xl/worksheets/empty.xml': sheetOf('<c s="1"/>'),
  };
  expect(await read(workbook(2, related, parts, 0))).toEqual([[1, '7']]);
});

test('the summary that Numbers puts before its tables is passed over, where there are any', async () => {
  const summary =
    'This document was exported from Numbers. Each table was converted to an Excel worksheet. All other objects were placed on separate worksheets.';
  const bytes = spreadsheet([[summary], [null, 'Numbers Sheet Name'], [null, 'Sheet 1']], [], 'Sheet 1');
  expect(await read(bytes)).toEqual([[1, '1']]);
  expect(await read(spreadsheet([[summary]]))).toEqual([[1, summary]]);
});

test('codes keep the zeros that their format gives them', async () => {
  const formats = ['00000\\-0000', '[$-409]00000', '00000;@', '[&lt;=9999999]###\\-####;\\(###\\)\\ ###\\-####'];
  const bytes = workbook(1, [['worksheets/sheet1.xml', 'worksheet']], {
    'xl/worksheets/sheet1.xml': sheetOf(
      [21341234, 2134, 2134, 3125550101].map((number, at) => `<c s="${at}"><v>${number}</v></c>`).join(''),
    ),
    'xl/styles.xml': `<styleSheet><numFmts>${formats
      .map((code, at) => `<numFmt numFmtId="${170 + at}" formatCode="${code}"/>`)
      .join(
        '',
      )}</numFmts><cellXfs>${formats.map((_, at) => `<xf numFmtId="${170 + at}"/>`).join('')}</cellXfs></styleSheet>`,
  });
  expect(await read(bytes)).toEqual([[1, '02134-1234', '02134', '02134', '3125550101']]);
});

test('times show without a day, and durations with all of their hours', async () => {
  const formats = [
    'h:mm AM/PM',
    '[h]:mm:ss',
    'mm:ss',
    'yyyy\\-mm\\-dd hh:mm',
    'mmmm',
    '[$-409]h:mm',
    '[m]',
    'h:mm',
    '0.00_D_M',
  ];
  const bytes = workbook(1, [['worksheets/sheet1.xml', 'worksheet']], {
    'xl/worksheets/sheet1.xml': sheetOf(
      [0.5, 1.5, 0.0059, 45000.5, 45000, 45000.25, 0.5, 0.999999, 1.5]
        .map((number, at) => `<c s="${at}"><v>${number}</v></c>`)
        .join(''),
    ),
    'xl/styles.xml': `<styleSheet><numFmts>${formats
      .map((code, at) => `<numFmt numFmtId="${170 + at}" formatCode="${code}"/>`)
      .join(
        '',
      )}</numFmts><cellXfs>${formats.map((_, at) => `<xf numFmtId="${170 + at}"/>`).join('')}</cellXfs></styleSheet>`,
  });
  expect(await read(bytes)).toEqual([
    [1, '12:00', '36:00:00', '00:08:30', '2023-03-15 12:00', '2023-03-15', '06:00', '12:00', '00:00', '1.5'],
  ]);
});

test('rows go on where they were, and none stands behind the last row of a sheet', async () => {
  expect(await read(withRows('5', '5', '2', '9'))).toEqual([5, 6, 7, 9].map((row) => [row, '1']));
  await expect(read(withRows('1048576', '1048577'))).rejects.toThrow(UnreadableFile);
});

test('what is damaged, or unpacks to more than it says or may, is refused with words', async () => {
  const sheet = 'xl/worksheets/sheet1.xml';
  const refused = (bytes: Uint8Array) => expect(read(bytes)).rejects.toThrow(UnreadableFile);
  await refused(new TextEncoder().encode('PK\x03\x04 nothing of the kind'));
  await refused(zip({ 'word/document.xml': '<document/>' }));
  await refused(zip({ ...PARTS, [sheet]: '<worksheet><sheetData><row>' }));
  const bomb = '<worksheet><sheetData>'.padEnd(1_000_000, ' ');
  await refused(zip({ ...PARTS, [sheet]: bomb }, { [sheet]: 100 }));
  await refused(zip({ ...PARTS, [sheet]: bomb }, { [sheet]: 2 ** 31 }));
  await refused(
    zip({ ...PARTS, [sheet]: '<worksheet><sheetData><row><c r="ZZZ1"><v>1</v></c></row></sheetData></worksheet>' }),
  );
});
