import { type Archive, createParser, plainName, readPart } from './archive.ts';

/** How a number shows: as a day or time, or padded with zeros to a width, as ZIP codes are. `dash`: digits behind a dash, as in "02134-1234". */
export type NumberFormat = { isDate: boolean; zeros: number; dash?: number };

const PLAIN: NumberFormat = { isDate: false, zeros: 0 };
const isBuiltInDate = (id: number): boolean => (id >= 14 && id <= 22) || (id >= 45 && id <= 47);

/** The formats of a workbook, by the style that cells name. */
export async function readFormats(archive: Archive, part: string): Promise<NumberFormat[]> {
  const formats: NumberFormat[] = [];
  if (!archive.has(part)) return formats;
  const codes = new Map<number, string>();
  let isOfCells = false;
  const parser = createParser({
    open(tag) {
      const name = plainName(tag);
      if (name === 'numFmt') codes.set(Number(tag.attributes.numFmtId), tag.attributes.formatCode ?? '');
      if (name === 'cellXfs') isOfCells = true;
      if (name === 'xf' && isOfCells) formats.push(formatOf(Number(tag.attributes.numFmtId), codes));
    },
    close(tag) {
      if (plainName(tag) === 'cellXfs') isOfCells = false;
    },
  });
  await readPart(archive, part, 'other', parser);
  return formats;
}

function formatOf(id: number, codes: ReadonlyMap<number, string>): NumberFormat {
  if (isBuiltInDate(id)) return { isDate: true, zeros: 0 };
  const code = codes.get(id);
  if (code === undefined) return PLAIN;
  // Of positive numbers, without colors and languages.
  const [positive = ''] = code.replaceAll(/\[[^\]]*\]/g, '').split(';');
  const [, zeros = '', more = ''] = /^(0{2,})(?:(?:\\?-|"-")(0+))?$/.exec(positive) ?? [];
  if (zeros !== '') return { isDate: false, zeros: zeros.length + more.length, dash: more.length };
  return {
    isDate: /[dhmsy]/i.test(code.replaceAll(/"[^"]*"|\[[^\]]*\]|\\./g, '').replaceAll(/general/gi, '')),
    zeros: 0,
  };
}

const DAY_MS = 86_400_000;

/** What a cell with a number shows. */
export function shownNumber(
  written: string,
  { isDate, zeros, dash = 0 }: NumberFormat = PLAIN,
  epoch1904 = false,
): string {
  const value = Number(written);
  if (!Number.isFinite(value)) return written;
  if (isDate && value >= 0 && value < 2_958_466) {
    const at = new Date(
      Date.UTC(epoch1904 ? 1904 : 1899, epoch1904 ? 0 : 11, epoch1904 ? 1 : 30) + Math.round(value * DAY_MS),
    );
    const text = at.toISOString();
    return Number.isInteger(value) ? text.slice(0, 10) : text.slice(0, 16).replace('T', ' ');
  }
  // Fifteen digits are what a spreadsheet keeps of a number.
  const plain = Number.isSafeInteger(value) ? String(value) : String(Number(value.toPrecision(15)));
  if (zeros === 0 || !/^\d+$/.test(plain)) return plain;
  const padded = plain.padStart(zeros, '0');
  return dash === 0 ? padded : `${padded.slice(0, -dash)}-${padded.slice(-dash)}`;
}
