/** `columns`: how many cells a row has; 0 where that is not known yet. */
export type Dialect = { delimiter: string; columns: number };

/** Longer than any cell that a spreadsheet holds: a quote that is not closed within it is a character. */
const LONGEST_QUOTED = 64 * 1024;
/** A row that never ends is cut here. */
const LONGEST_ROW = 1024 * 1024;

type Field = { value: string; end: number; quoted: boolean; lone: boolean };
type Row = { cells: string[]; end: number };

/**
 * What was seen ahead of a row's cells, so that no character is looked at once for each cell before it.
 * - `breakAt`: where the line ends that was looked at last.
 * - `openFrom`, `openTo`: a cell that begins with a quote in there is not closed in there.
 */
type Ahead = { breakAt: number; openFrom: number; openTo: number };

/**
 * Splits text into rows of cells (RFC 4180), a part at a time, and forgives what RFC 4180 does not:
 * - A quote inside a cell that is not doubled is a character, and so is one that is never closed. Spaces may stand around quotes.
 * - Rows end with CRLF, LF or CR. An empty line is a row of one empty cell, so that rows keep their numbers.
 * - Where a quoted cell runs over several lines, and each of these is a whole row by itself, its quote was stray.
 */
export function createTokenizer(dialect: Dialect): { push(text: string): string[][]; end(): string[][] } {
  let buffer = '';
  const take = (isEnd: boolean): string[][] => {
    const rows: string[][] = [];
    let from = 0;
    while (from < buffer.length) {
      const row = readRow(buffer, from, dialect, isEnd || buffer.length - from > LONGEST_ROW);
      if (!row) break;
      rows.push(row.cells);
      from = row.end;
    }
    buffer = buffer.slice(from);
    return rows;
  };
  return {
    push(text) {
      buffer += text;
      return take(false);
    },
    end: () => take(true),
  };
}

/** The row that begins at `from`, or nothing while its end may still come. `isStrict`: quotes surround a whole cell or nothing. */
function readRow(text: string, from: number, dialect: Dialect, isEnd: boolean, isStrict = false): Row | undefined {
  const cells: string[] = [];
  let isSuspect = false;
  let spansLines = false;
  const ahead: Ahead = { breakAt: -1, openFrom: 0, openTo: 0 };
  for (let at = from; ; ) {
    const field = readField(text, at, { delimiter: dialect.delimiter, isEnd, isStrict, ahead });
    if (!field) return undefined;
    cells.push(field.value);
    if (field.quoted && /[\r\n]/.test(field.value)) spansLines = true;
    isSuspect ||= field.lone;
    at = field.end;
    if (text.startsWith(dialect.delimiter, at)) {
      at += dialect.delimiter.length;
      continue;
    }
    const newline = newlineAt(text, at, isEnd);
    if (newline === undefined) return undefined;
    if (spansLines && (isSuspect || cells.length !== dialect.columns) && areRows(text.slice(from, at), dialect))
      return plainRow(text, from, dialect, isEnd);
    // `"Acme" Inc,"Main Street 1, Suite 2"`: what ends behind its first word took the cells behind it.
    if (isSuspect && cells.length < dialect.columns) {
      const strict = readRow(text, from, dialect, isEnd, true);
      if (strict === undefined || strict.cells.length === dialect.columns) return strict;
    }
    return { cells, end: at + newline };
  }
}

/** The length of the line break at `at`; 0 at the end of the text. Nothing where more may come. */
function newlineAt(text: string, at: number, isEnd: boolean): number | undefined {
  if (at >= text.length) return isEnd ? 0 : undefined;
  if (text[at] === '\n') return 1;
  if (at + 1 >= text.length && !isEnd) return undefined;
  return text[at + 1] === '\n' ? 2 : 1;
}

type Reading = { delimiter: string; isEnd: boolean; isStrict: boolean; ahead: Ahead };

function readField(text: string, at: number, reading: Reading): Field | undefined {
  const { delimiter, isEnd } = reading;
  let start = at;
  while (delimiter !== ' ' && text[start] === ' ') start += 1;
  if (start >= text.length && !isEnd) return undefined;
  if (text[start] !== '"') return plainField(text, at, reading);
  const quoted = readQuoted(text, start, reading);
  return quoted === 'stray' ? plainField(text, at, reading) : quoted;
}

const LINE_BREAK = /[\r\n]/g;

/** Where the line ends that holds the character at `at`. */
function lineEnd(text: string, at: number, ahead: Ahead): number {
  if (ahead.breakAt < at) {
    LINE_BREAK.lastIndex = at;
    ahead.breakAt = LINE_BREAK.exec(text)?.index ?? text.length;
  }
  return ahead.breakAt;
}

function plainField(text: string, at: number, { delimiter, isEnd, ahead }: Reading): Field | undefined {
  const breakAt = lineEnd(text, at, ahead);
  const next = text.slice(at, breakAt).indexOf(delimiter);
  const end = next === -1 ? breakAt : at + next;
  if (end === text.length && !isEnd) return undefined;
  return { value: text.slice(at, end), end, quoted: false, lone: false };
}

/** A cell in quotes. `stray`: its first quote opens nothing. Nothing where more may come. */
function readQuoted(
  text: string,
  at: number,
  { delimiter, isEnd, isStrict, ahead }: Reading,
): Field | 'stray' | undefined {
  let lone = false;
  const stray = (seen: number): 'stray' => {
    Object.assign(ahead, { openFrom: at, openTo: seen });
    return 'stray';
  };
  for (let from = at + 1; ; ) {
    const quote = text.indexOf('"', from);
    if (quote === -1 || quote - at > LONGEST_QUOTED) {
      if (quote === -1 && !isEnd && text.length - at <= LONGEST_QUOTED) return undefined;
      return stray(from);
    }
    if (quote + 1 >= text.length && !isEnd) return undefined;
    if (text[quote + 1] === '"') {
      from = quote + 2;
      continue;
    }
    let end = quote + 1;
    while (text[end] === ' ') end += 1;
    if (end >= text.length && !isEnd) return undefined;
    if (end >= text.length || text.startsWith(delimiter, end) || text[end] === '\r' || text[end] === '\n')
      return { value: text.slice(at + 1, quote).replaceAll('""', '"'), end, quoted: true, lone };
    const before = text[quote - 1] ?? '';
    // Where a cell seems to begin inside another, the other one was never closed.
    if (before === '\n' || before === '\r' || (before === delimiter && lineEnd(text, at, ahead) < quote))
      return stray(quote);
    if (quote === at + 1 || isStrict) return 'stray';
    lone = true;
    from = quote + 1;
    // Behind the same quotes it was looked for the end of a cell before.
    if (at >= ahead.openFrom && from < ahead.openTo) from = ahead.openTo;
  }
}

const LINES = /\r\n|\n|\r/;

const areRows = (text: string, { delimiter, columns }: Dialect): boolean =>
  columns > 1 && text.split(LINES).every((line) => line.split(delimiter).length === columns);

function plainRow(text: string, from: number, { delimiter }: Dialect, isEnd: boolean): Row | undefined {
  LINE_BREAK.lastIndex = from;
  const end = LINE_BREAK.exec(text)?.index ?? text.length;
  const newline = newlineAt(text, end, isEnd);
  return newline === undefined ? undefined : { cells: text.slice(from, end).split(delimiter), end: end + newline };
}
