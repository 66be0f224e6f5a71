import { crc32, deflateRawSync } from 'node:zlib';

/** A cell: a text, a number, a formula with or without its last result, or nothing. */
export type SheetCell = string | number | { formula: string; result?: string } | null;

/** A spreadsheet with one sheet, as a program writes it. `styles`: of the cells of each column. `other`: the name of a second sheet, which has a cell. */
export function spreadsheet(
  rows: readonly (readonly SheetCell[])[],
  styles: readonly number[] = [],
  other?: string,
): Uint8Array<ArrayBuffer> {
  const texts: string[] = [];
  const body = rows
    .map((cells, at) => {
      const written = cells.map((cell, column) =>
        cellXml(cell, `${String.fromCharCode(65 + column)}${at + 1}`, styles[column] ?? 0, texts),
      );
      return `<row r="${at + 1}">${written.join('')}</row>`;
    })
    .join('');
  return zip({
    'xl/workbook.xml': `<workbook xmlns:r="r"><sheets><sheet name="One" sheetId="1" r:id="rId1"/>${
      other === undefined ? '' : `<sheet name="${other}" sheetId="2" r:id="rId2"/>`
    }</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Target="worksheets/sheet2.xml"/></Relationships>',
    'xl/worksheets/sheet2.xml': '<worksheet><sheetData><row><c><v>1</v></c></row></sheetData></worksheet>',
    'xl/styles.xml':
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="00000"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>',
    'xl/sharedStrings.xml': `<sst>${texts.map((text) => `<si><t>${escaped(text)}</t></si>`).join('')}</sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${body}</sheetData></worksheet>`,
  });
}

function cellXml(cell: SheetCell, place: string, style: number, texts: string[]): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return `<c r="${place}" s="${style}"><v>${cell}</v></c>`;
  if (typeof cell === 'string') return `<c r="${place}" t="s"><v>${texts.push(cell) - 1}</v></c>`;
  const result = cell.result === undefined ? '' : `<v>${escaped(cell.result)}</v>`;
  return `<c r="${place}" t="str"><f>${escaped(cell.formula)}</f>${result}</c>`;
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** An archive of these files. `sizes`: what it says of their sizes, where that is a lie. */
export function zip(
  files: Readonly<Record<string, string | Uint8Array>>,
  sizes: Readonly<Record<string, number>> = {},
): Uint8Array<ArrayBuffer> {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0);
    about.writeUInt16LE(8, 4);
    about.writeUInt32LE(crc32(bytes), 10);
    about.writeUInt32LE(packed.length, 14);
    about.writeUInt32LE(sizes[name] ?? bytes.length, 18);
    about.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), about, Buffer.from(name), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), about, tail, Buffer.from(name)]));
    parts.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(offset, 12);
  return new Uint8Array(Buffer.concat([...parts, listed, Buffer.from('PK\x05\x06'), end]));
}
