import { SUPPRESSION_KINDS, type SuppressionKind } from '#contract/calling/suppressions.ts';
import { MOST_IMPORT_COLUMNS } from '#contract/imports/imports.ts';
import { lookAt } from '#server/features/imports/guess/content.ts';
import { guessColumns } from '#server/features/imports/guess/guess-columns.ts';
import { fieldOfHeader } from '#server/features/imports/guess/header-words.ts';
import type { RawRow } from '#server/features/imports/read/row.ts';
import { tidy } from '#server/features/imports/values/tidy.ts';
import { cut } from '#server/lib/cut.ts';
import { splitEntries } from './split-entries.ts';

/** What a line of a file names. Lines count from 1. */
export type FileEntry = { line: number; kind: SuppressionKind | undefined; value: string; note: string | undefined };
/**
 * How the rows of one file are read.
 * - `ignored`: headers of columns that had something in them that is no entry, in the rows read so far.
 * - `noKind`: what is said of a value whose kind is neither told nor seen.
 */
export type FileReader = { read(row: RawRow): FileEntry[]; ignored(): string[]; noKind: string };

/** `late`: nothing in the rows by which columns are guessed. What is a number or an address further down counts. */
type Holds = SuppressionKind | 'kind' | 'value' | 'note' | 'late' | undefined;

/** What a column holds, by its header in lower case. */
const COLUMNS = new Map<string, Holds>([
  ['domain', 'domain'],
  ['domains', 'domain'],
  ['email domain', 'domain'],
  ['business', 'business'],
  ['place_id', 'business'],
  ['place id', 'business'],
  ['company', 'company'],
  ['company name', 'company'],
  ['kind', 'kind'],
  ['type', 'kind'],
  ['value', 'value'],
  ['note', 'note'],
  ['notes', 'note'],
  ['reason', 'note'],
]);
/** Rows, and characters of a cell, by which columns are guessed. */
const [HEAD, LOOKED_AT] = [200, 400];
/** Shares of a column's cells: from here on it is one of numbers or addresses; below, a header that says so is wrong. */
const [MANY, FEW] = [0.7, 0.2];

/** Words that may as well name something else. */
const UNSURE = /^(number|call|direct|mail)$/i;

/** Finds the header, if there is one, and what each column holds. `rows`: the first ones with anything in them. */
export function openReader(rows: readonly RawRow[]): FileReader {
  const { header, body } = readHeader(rows);
  return header ? namedReader(header, body) : BARE_READER;
}

/** The row of headers, if there is one, and the rows below. */
function readHeader(rows: readonly RawRow[]): { header?: RawRow; body: readonly RawRow[] } {
  const { hasHeader, firstRow } = guessColumns(headOf(rows));
  const at = hasHeader ? rows.findIndex(({ row }) => row >= firstRow) : 1;
  const begin = at === -1 ? rows.length : at;
  const header = rows[begin - 1];
  const isNamed = header?.cells.some((cell) => COLUMNS.has(tidy(cell).toLowerCase())) ?? false;
  return header && (hasHeader || isNamed) ? { header, body: rows.slice(begin) } : { body: rows };
}

/** The first rows, without what is too much to be looked at. */
const headOf = (rows: readonly RawRow[]): RawRow[] =>
  rows.slice(0, HEAD).map(({ row, cells }) => ({
    row,
    cells: cells.slice(0, MOST_IMPORT_COLUMNS).map((cell) => cell.slice(0, LOOKED_AT)),
  }));

function namedReader(header: RawRow, body: readonly RawRow[]): FileReader {
  const headers = header.cells.slice(0, MOST_IMPORT_COLUMNS).map(tidy);
  const head = headOf(body);
  const width = Math.max(headers.length, ...head.map(({ cells }) => cells.length));
  const columns = Array.from({ length: width }, (_, at) =>
    holdsOf(
      headers[at] ?? '',
      head.map(({ cells }) => cells[at] ?? ''),
    ),
  );
  const holdsAt = (at: number): Holds => (at < width ? columns[at] : 'late');
  const places = (wanted: Holds) => columns.flatMap((holds, at) => (holds === wanted ? [at] : []));
  const [notes, kinds, values] = [places('note'), places('kind'), places('value')];
  const named = SUPPRESSION_KINDS.map((kind) => ({ kind, places: places(kind) }));
  const unread = new Set<number>();
  const read = ({ row: line, cells }: RawRow): FileEntry[] => {
    if (line <= header.row) return [];
    const late: { cell: string; kind: SuppressionKind }[] = [];
    for (const [at, cell] of cells.entries()) {
      const holds = holdsAt(at);
      const kind = holds === 'late' ? contactKindOf(cell) : undefined;
      if (kind) late.push({ cell, kind });
      else if ((holds === undefined || holds === 'late') && cell.trim()) unread.add(at);
    }
    const note = notes.map((at) => tidy(cells[at] ?? '')).find(Boolean);
    const told = kinds.map((at) => tidy(cells[at] ?? '').toLowerCase()).find(Boolean);
    const kind = SUPPRESSION_KINDS.find((one) => one === told);
    return [
      ...named.flatMap(({ kind, places }) => places.flatMap((at) => entriesOf(line, cells[at], kind, note))),
      ...values.flatMap((at) => entriesOf(line, cells[at], kind, note)),
      ...late.flatMap(({ cell, kind }) => entriesOf(line, cell, kind, note)),
    ];
  };
  const ignored = () =>
    [...unread].toSorted((one, other) => one - other).map((at) => headers[at] || `Column ${at + 1}`);
  return { read, ignored, noKind: kinds.length > 0 ? NO_KIND_TOLD : NO_KIND_SEEN };
}

const NO_KIND_TOLD = 'Its kind must be phone, email, domain, business or company.';
const NO_KIND_SEEN = 'This is not a phone number, email or domain. Companies need a column named “company”.';

function holdsOf(header: string, cells: readonly string[]): Holds {
  const own = COLUMNS.get(header.toLowerCase());
  const { field, sure = false } = fieldOfHeader(header) ?? {};
  const shares = lookAt(cells);
  // Numbers and addresses below each other are told apart cell by cell.
  const mixed = shares.phone + shares.email >= MANY ? 'value' : undefined;
  const late = shares.filled === 0 ? 'late' : undefined;
  if (field === 'phone' || field === 'email')
    return (sure && !UNSURE.test(header)) || shares[field] >= FEW ? field : (own ?? mixed ?? late);
  if (own) return own;
  // Columns such as "Fax" and "Phone Type" are known to be something else.
  if (field === 'extra') return undefined;
  return (['email', 'phone'] as const).find((kind) => shares[kind] >= MANY) ?? mixed ?? (field ? undefined : late);
}

/** Without a header the first cell counts, and each other one that is a number or an address. What else stands there is a note. */
const BARE_READER: FileReader = {
  read: ({ row: line, cells: [first, ...others] }) => {
    const found = others.filter(Boolean).map((cell) => ({ cell, kind: contactKindOf(cell) }));
    const note = tidy(found.find(({ cell, kind }) => !kind && cell.trim() !== '')?.cell ?? '') || undefined;
    return [
      ...entriesOf(line, first, undefined, note),
      ...found.flatMap(({ cell, kind }) => (kind ? entriesOf(line, cell, kind, note) : [])),
    ];
  },
  ignored: () => [],
  noKind: NO_KIND_SEEN,
};

function entriesOf(
  line: number,
  cell: string | undefined,
  kind: SuppressionKind | undefined,
  note: string | undefined,
): FileEntry[] {
  const isOne = kind === 'company' || kind === 'business';
  return (isOne ? [tidy((cell ?? '').replaceAll(/[\r\n]+/g, '; '))] : splitEntries(cell ?? '')).flatMap((part) => {
    const value = cut(part.trim(), 320);
    // An address in a column of numbers is one all the same.
    const one = kind === 'phone' && value.includes('@') ? 'email' : (kind ?? kindOf(value));
    return value ? [{ line, kind: one, value, note: cut(note ?? '', 500) || undefined }] : [];
  });
}

const isPhone = (value: string): boolean => /^(tel:)?[+\d\s().-]{7,}((ext|extension|x|#)[\s.:]*\d{1,7})?$/i.test(value);

/** What a value looks like. */
function kindOf(value: string): SuppressionKind | undefined {
  if (value.includes('@')) return 'email';
  if (isPhone(value)) return 'phone';
  if (/^[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)+$/u.test(value)) return 'domain';
  return undefined;
}

/** The same for a cell that may well be something else, such as a date. */
function contactKindOf(cell: string): 'email' | 'phone' | undefined {
  if (cell.length > LOOKED_AT || !/[@\d]/.test(cell)) return undefined;
  const value = tidy(cell);
  if (/^[^\s@;,]+@[^\s@;,]+\.[^\s@;,]+$/.test(value)) return 'email';
  return isPhone(value) && /^\D*1?(\D*\d){10}(\D|$)/.test(value) ? 'phone' : undefined;
}
