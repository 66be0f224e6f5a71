import { type Archive, createParser, plainName, readPart } from './archive.ts';

/**
 * How a number shows: as a day or time, or padded with zeros to a width, as ZIP codes are.
 * - `time`: of a time without its day. `elapsed` counts hours beyond a day.
 * - `dash`: digits behind a dash, as in "02134-1234".
 */
export type NumberFormat = {
  isDate: boolean;
  time?: { seconds: boolean; elapsed: boolean } | undefined;
  zeros: number;
  dash?: number;
};

const PLAIN: NumberFormat = { isDate: false, zeros: 0 };
const isBuiltInDate = (id: number): boolean => (id >= 14 && id <= 17) || id === 22;
const BUILT_IN_TIMES: ReadonlyMap<number, string> = new Map([
  [18, 'h:mm'],
  [19, 'h:mm:ss'],
  [20, 'h:mm'],
  [21, 'h:mm:ss'],
  [45, 'mm:ss'],
  [46, '[h]:mm:ss'],
  [47, 'mm:ss'],
]);

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
  const code = codes.get(id) ?? BUILT_IN_TIMES.get(id);
  if (code === undefined) return PLAIN;
  // Of positive numbers, without colors and languages.
  const [positive = ''] = code.replaceAll(/\[[^\]]*\]/g, '').split(';');
  const [, zeros = '', more = ''] = /^(0{2,})(?:(?:\\?-|"-")(0+))?$/.exec(positive) ?? [];
  if (zeros !== '') return { isDate: false, zeros: zeros.length + more.length, dash: more.length };
  const elapsed = /\[[hms]+\]/i.test(code);
  const letters = code
    .replaceAll(/\[([hms]+)\]/gi, '$1')
    .replaceAll(/"[^"]*"|\[[^\]]*\]|[\\_*]./g, '')
    .replaceAll(/general/gi, '');
  const isTime = (elapsed || /[hs]/i.test(letters)) && !/[dy]/i.test(letters);
  return {
    isDate: /[dhmsy]/i.test(letters),
    time: isTime ? { seconds: /s/i.test(letters), elapsed } : undefined,
    zeros: 0,
  };
}

const DAY_SECONDS = 86_400;

/** A time as hours, minutes and, where these show, seconds. */
function shownTime(value: number, { seconds, elapsed }: { seconds: boolean; elapsed: boolean }): string {
  const rounded = Math.round((elapsed ? value : value % 1) * DAY_SECONDS);
  const all = elapsed ? rounded : rounded % DAY_SECONDS;
  const parts = [Math.floor(all / 3_600), Math.floor(all / 60) % 60, ...(seconds ? [all % 60] : [])];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

const DAY_MS = 86_400_000;

/** What a cell with a number shows. */
export function shownNumber(
  written: string,
  { isDate, time, zeros, dash = 0 }: NumberFormat = PLAIN,
  epoch1904 = false,
): string {
  const value = Number(written);
  if (!Number.isFinite(value)) return written;
  if (time && value >= 0) return shownTime(value, time);
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
