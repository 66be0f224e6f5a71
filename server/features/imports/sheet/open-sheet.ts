import type { SaxesParser } from 'saxes';
import { MOST_CELL_CHARACTERS, type OpenFile, type RawRow, UnreadableFile } from '#server/features/imports/read/row.ts';
import { cut } from '#server/lib/cut.ts';
import { type Archive, createParser, openArchive, plainName } from './archive.ts';
import { unescaped } from './escapes.ts';
import { shownNumber } from './formats.ts';
import { readWorkbook, type Sheet, type Workbook } from './workbook.ts';

/** Cells behind this column are not read. */
const MOST_CELLS = 1_000;
/** Rows of a sheet, as spreadsheets have them. */
const MOST_SHEET_ROWS = 1_048_576;

/** Other sheets that are looked at, pieces of each, and characters of a name. */
const MOST_OTHERS = 250;
const MOST_PIECES = 20;
const LONGEST_NAME = 100;

/** Opens the spreadsheet at `path`. Its batches must be read to the end, or returned, to close it. */
export async function openSheet(path: string): Promise<OpenFile> {
  const archive = await openArchive(path);
  try {
    const workbook = await readWorkbook(archive);
    const otherSheets: string[] = [];
    return { encoding: 'XLSX', delimiter: null, otherSheets, batches: rowsOf(archive, workbook, otherSheets) };
  } catch (error) {
    archive.close();
    throw error;
  }
}

/** The rows of the first sheet that has any, and is no summary of others. The names of others that have some are put into `others`. */
async function* rowsOf(archive: Archive, workbook: Workbook, others: string[]): AsyncGenerator<RawRow[]> {
  try {
    for (const [at, sheet] of workbook.sheets.entries()) {
      const { parser, take } = sheetParser(workbook);
      let isEmpty = true;
      for await (const all of archive.read(sheet.part, 'sheet', parser, take)) {
        if (isEmpty && at < workbook.sheets.length - 1 && isSummary(all)) break;
        isEmpty &&= !all.some(({ cells }) => cells.length > 0);
        if (!isEmpty && all.length > 0) yield all;
      }
      if (isEmpty) continue;
      for (const other of workbook.sheets.slice(at + 1, at + 1 + MOST_OTHERS))
        if (await hasCells(archive, workbook, other)) others.push(cut(other.name, LONGEST_NAME));
      return;
    }
  } finally {
    archive.close();
  }
}

/** Whether a sheet is the one that Numbers puts before its tables, in any language: “This document was exported from Numbers…”. */
function isSummary(rows: readonly RawRow[]): boolean {
  const cells = rows.find((row) => row.cells.length > 0)?.cells.filter((cell) => cell !== '') ?? [];
  return cells.length === 1 && cells.every((cell) => /\bNumbers\b.*\bExcel\b/s.test(cell));
}

/** Whether a sheet has cells near its beginning, or cannot be told to have none. */
async function hasCells(archive: Archive, workbook: Workbook, { part }: Sheet): Promise<boolean> {
  const { parser, take } = sheetParser(workbook);
  let pieces = 0;
  try {
    for await (const rows of archive.read(part, 'sheet', parser, take)) {
      if (rows.some(({ cells }) => cells.length > 0)) return true;
      pieces += 1;
      if (pieces >= MOST_PIECES) return false;
    }
    return false;
  } catch (error) {
    if (error instanceof UnreadableFile) return true;
    throw error;
  }
}

/** The number of a row: as it is written, where that is one of a spreadsheet and behind the rows before. */
function rowOf(written: string | undefined, next: number): number {
  const row = Number(written);
  if (Number.isInteger(row) && row >= next && row <= MOST_SHEET_ROWS) return row;
  if (next > MOST_SHEET_ROWS)
    throw new UnreadableFile(
      `This spreadsheet has rows beyond row ${MOST_SHEET_ROWS.toLocaleString('en-US')}. Save it as CSV.`,
    );
  return next;
}

/** Which column "BC12" stands in, from 0. */
function columnOf(reference: string): number {
  let column = 0;
  for (const letter of reference) {
    const at = letter.charCodeAt(0) - 64;
    if (at < 1 || at > 26) break;
    column = column * 26 + at;
  }
  return column - 1;
}

type Cell = {
  column: number;
  type: string;
  style: number;
  value: string;
  formula: string;
  part: 'v' | 'f' | 't' | undefined;
};

function sheetParser(workbook: Workbook): { parser: SaxesParser; take: () => RawRow[] } {
  let rows: RawRow[] = [];
  let current: RawRow | undefined;
  let cell: Cell | undefined;
  /** Inside of what says how a text is pronounced. */
  let isPhonetic = false;
  let last = 0;
  let nextColumn = 0;
  const parser = createParser({
    open(tag) {
      const name = plainName(tag);
      if (name === 'row') {
        last = rowOf(tag.attributes.r, last + 1);
        current = { row: last, cells: [] };
        nextColumn = 0;
      } else if (name === 'c' && current) {
        const { r, t, s } = tag.attributes;
        const column = r ? columnOf(r) : nextColumn;
        nextColumn = column + 1;
        cell = { column, type: t ?? 'n', style: Number(s ?? 0), value: '', formula: '', part: undefined };
      } else if (name === 'rPh') isPhonetic = true;
      else if (cell && !isPhonetic && (name === 'v' || name === 'f' || name === 't')) cell.part = name;
    },
    text(text) {
      if (cell?.part === 'f') cell.formula += text;
      else if (cell?.part) cell.value += text;
    },
    close(tag) {
      const name = plainName(tag);
      if (name === 'row' && current) {
        rows.push(current);
        current = undefined;
      } else if (name === 'c' && cell && current) {
        const shown = cut(shownText(cell, workbook), MOST_CELL_CHARACTERS);
        // One that is only colored says nothing.
        if (shown !== '') {
          if (cell.column >= MOST_CELLS)
            throw new UnreadableFile(
              `Row ${current.row} has more than ${MOST_CELLS} columns. Remove the ones that are not needed.`,
            );
          while (current.cells.length < cell.column) current.cells.push('');
          current.cells[cell.column] = shown;
        }
        cell = undefined;
      } else if (name === 'rPh') isPhonetic = false;
      else if (cell && (name === 'v' || name === 'f' || name === 't')) cell.part = undefined;
    },
  });
  const take = () => {
    const taken = rows;
    rows = [];
    return taken;
  };
  return { parser, take };
}

function shownText({ type, style, value, formula }: Cell, { texts, formats, epoch1904 }: Workbook): string {
  if (value === '') return formula === '' ? '' : `=${formula}`;
  switch (type) {
    case 's':
      return texts[Number(value)] ?? '';
    case 'b':
      return value === '1' ? 'TRUE' : 'FALSE';
    case 'n':
      return shownNumber(value, formats[style], epoch1904);
    default:
      return unescaped(value);
  }
}
