import type { ImportField } from '#contract/imports/fields.ts';
import { MOST_IMPORT_COLUMNS } from '#contract/imports/imports.ts';
import type { RawRow } from '#server/features/imports/read/row.ts';
import { textOf, tidy } from '#server/features/imports/values/tidy.ts';
import { cut } from '#server/lib/cut.ts';
import { uniqueHeaders } from '#server/lib/unique-headers.ts';
import { isValue, lookAt, SEEN, type Shares } from './content.ts';
import { fieldOfHeader } from './header-words.ts';

const SAMPLES = 3;
const LONGEST_HEADER = 100;
const LONGEST_SAMPLE = 80;

/**
 * The columns of a file as they seem to be.
 * - `firstRow`: the row in which its values begin.
 * - `width`: how many columns the table has, also where that is more than are read.
 */
export type Guess = {
  width: number;
  hasHeader: boolean;
  firstRow: number;
  columns: { header: string; guess: ImportField; sample: string[] }[];
};

/** Guesses by the first rows of a file. */
export function guessColumns(head: readonly RawRow[]): Guess {
  const rows = head.filter(({ cells }) => cells.some((cell) => tidy(cell) !== ''));
  const table = rows.slice(titleLines(rows));
  const [first, ...rest] = table;
  const hasHeader = first !== undefined && isHeader(first.cells, rest);
  const body = hasHeader ? rest : table;
  const columns = Math.min(MOST_IMPORT_COLUMNS, Math.max(0, ...table.map(({ cells }) => cells.length)));
  const cellsOf = (at: number) => body.map(({ cells }) => cells[at] ?? '');
  const headers = headersOf(hasHeader ? (first?.cells ?? []) : [], columns);
  const shares = headers.map((_, at) => lookAt(cellsOf(at)));
  const fields = fieldsOf(
    hasHeader ? headers.map((header, at) => (first?.cells[at]?.trim() ? header : '')) : headers.map(() => ''),
    shares,
  );
  return {
    width: Math.max(hasHeader ? widthOf(first) : 0, usual(body.map(widthOf))),
    hasHeader,
    firstRow: (hasHeader ? rest[0] : first)?.row ?? (first?.row ?? 0) + 1,
    columns: headers.map((header, at) => ({
      header,
      guess: fields[at] ?? 'extra',
      sample: cellsOf(at)
        .map(textOf)
        .filter(Boolean)
        .slice(0, SAMPLES)
        .map((text) => cut(text, LONGEST_SAMPLE)),
    })),
  };
}

/** Up to its last cell with anything in it. */
const widthOf = ({ cells }: RawRow): number => cells.findLastIndex((cell) => tidy(cell) !== '') + 1;
const usual = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;

/** Lines above the table, such as its title: one cell where the table has several. Few columns must be named as columns are. */
function titleLines(rows: readonly RawRow[]): number {
  const filled = ({ cells }: RawRow) => cells.filter((cell) => tidy(cell) !== '').length;
  const begins = rows.findIndex((row) => filled(row) > 1);
  if (begins < 1 || begins > 10) return 0;
  if (usual(rows.map(filled)) >= 3) return begins;
  const isTitle = !rows.slice(0, begins).some(({ cells }) => cells.some(isValue));
  return isTitle && areCalled(rows[begins]?.cells ?? []) ? begins : 0;
}

/** Whether most of these cells are words that people call columns. */
function areCalled(cells: readonly string[]): boolean {
  const texts = cells.map(tidy).filter((text) => text !== '');
  return texts.filter((text) => fieldOfHeader(text)?.sure).length / texts.length >= 0.5 && !texts.some(isValue);
}

/** Whether a first row names columns: by words that columns are called, or because it looks like no row below it. */
function isHeader(cells: readonly string[], rest: readonly RawRow[]): boolean {
  const texts = cells.map(tidy).filter((text) => text !== '');
  if (texts.length === 0 || texts.some(isValue)) return false;
  const known = texts.map(fieldOfHeader).filter((told) => told !== undefined);
  const isNamed = known.length / texts.length >= 0.5 || (known.length > 0 && texts.length <= 3);
  // "City Dental" and "Main Street Bakery" are names of businesses where no column is called by a whole word.
  if (isNamed && (known.some(({ sure }) => sure) || !isNamedAlike(cells, rest))) return true;
  const width = cells.length;
  const looks = Array.from({ length: width }, (_, at) => lookAt(rest.map((row) => row.cells[at] ?? '')));
  // Below stand numbers or addresses, and above them words.
  const told = looks.filter((share, at) =>
    SEEN.some(
      ([field, look, from]) =>
        field !== 'city' && share.filled > 0 && share[look] >= from && lookAt([cells[at] ?? ''])[look] === 0,
    ),
  );
  return told.length > 0 && new Set(texts.map((text) => text.toLowerCase())).size === texts.length;
}

/** Whether each cell with a word of a header stands above words that are not what it promises. */
function isNamedAlike(cells: readonly string[], rest: readonly RawRow[]): boolean {
  return cells.every((cell, at) => {
    const told = fieldOfHeader(tidy(cell));
    if (told === undefined) return true;
    const share = lookAt(rest.map((row) => row.cells[at] ?? ''));
    if (share.filled === 0 || share.text < 0.8) return false;
    // Countries are few.
    if (told.field === 'country') return share.filled > 2 && share.distinct > 0.8;
    const look = SEEN.find(([field]) => field === told.field)?.[1];
    return look !== undefined && share[look] < 0.2;
  });
}

/** Headers by which a mapping can name columns: each there once, and none that an object cannot hold. */
function headersOf(cells: readonly string[], width: number): string[] {
  const written = Array.from(
    { length: width },
    (_, at) => cut(tidy(cells[at] ?? ''), LONGEST_HEADER) || `Column ${at + 1}`,
  );
  return uniqueHeaders(written, ['__proto__']);
}

/** One field for each column: what its header says, where its cells do not contradict; else what its cells look like. */
function fieldsOf(headers: readonly string[], shares: readonly Shares[]): ImportField[] {
  const fields: (ImportField | undefined)[] = headers.map((header, at) => {
    const share = shares[at];
    const told = header ? fieldOfHeader(header) : undefined;
    if (!told || !share) return undefined;
    return contradicts(told.field, share) ? undefined : told.field;
  });
  const isTaken = (field: ImportField) => fields.some((one, at) => one === field && (shares[at]?.filled ?? 0) > 0);
  settleOwners(headers, fields);
  // "Title" and "Name" stand for a business only where nothing else does.
  settleNames(headers, shares, fields);
  for (const [at, share] of shares.entries()) {
    if (fields[at] !== undefined || share.filled === 0) continue;
    const seen = SEEN.find(([, look, from]) => share[look] >= from)?.[0];
    // An account or a head count may have five digits, and a color or a first name may be a town.
    if (headers[at] && (seen === 'zip' || seen === 'city')) continue;
    if (seen && (!isTaken(seen) || seen === 'phone' || seen === 'email')) fields[at] = isTaken(seen) ? 'extra' : seen;
  }
  nameByContent(headers, shares, fields);
  return keepOneEach(headers, shares, fields);
}

/** What a header says, and none of its cells look like. */
function contradicts(field: ImportField, share: Shares): boolean {
  if (share.filled === 0) return false;
  const wanted = SEEN.find(([seen]) => seen === field);
  if (field === 'business_name' || field === 'owner_name')
    return share.email >= 0.7 || share.phone >= 0.7 || share.website >= 0.7 || share.text < 0.3;
  if (!wanted || field === 'city') return false;
  if (field === 'address' || field === 'street') return share.email >= 0.7 || share.website >= 0.7 || share.text < 0.2;
  if (field === 'zip') return share.postcode < 0.2;
  // Numbers that cannot be read are told by their rows.
  if (field === 'phone' && share.digits >= 0.5) return false;
  if (field === 'state') return share.state < 0.2 && (share.phone > 0.5 || share.text < 0.3);
  return share[wanted[1]] < 0.2;
}

/** Headers by which an export of a CRM, or of a tool that reads maps, is known. Their "owner" is not who owns the business. */
const OF_CRM = /^(?:record id|create date|company domain name|created by)$/i;
const OF_MAPS = /^owner[ _](?:id|link)$/i;

function settleOwners(headers: readonly string[], fields: (ImportField | undefined)[]): void {
  const isOfRecord = (at: number) => fields[at] === 'owner_name' && /\bowner$/i.test(headers[at] ?? '');
  const hasPerson = fields.some(
    (field, at) => field === 'first_name' || field === 'last_name' || (field === 'owner_name' && !isOfRecord(at)),
  );
  if (hasPerson || headers.some((header) => OF_CRM.test(header)))
    for (const at of fields.keys()) if (isOfRecord(at)) fields[at] = 'extra';
  // The one to whom a person reports is someone else.
  if (fields.includes('first_name') || fields.includes('last_name'))
    for (const at of fields.keys())
      if (fields[at] === 'owner_name' && /\bmanager\b/i.test(headers[at] ?? '')) fields[at] = 'extra';
  if (headers.some((header) => OF_MAPS.test(header)))
    for (const [at, header] of headers.entries()) if (/^owner[ _]title$/i.test(header)) fields[at] = 'extra';
}

function settleNames(headers: readonly string[], shares: readonly Shares[], fields: (ImportField | undefined)[]): void {
  // Beside the name of a person it is the title of that person.
  if (fields.includes('first_name') || fields.includes('last_name')) {
    // Where their job has a column of its own, it is "Dr." or "Ms.".
    const isSalutation = fields.some((field, at) => field === 'owner_title' && (shares[at]?.filled ?? 0) > 0);
    for (const [at, header] of headers.entries())
      if (fields[at] === 'business_name' && /^title$/i.test(header))
        fields[at] = isSalutation ? 'extra' : 'owner_title';
  }
  const named = fields.flatMap((field, at) => (field === 'business_name' ? [at] : []));
  if (named.length < 2) return;
  const best = named.toSorted((one, other) => rank(other) - rank(one))[0];
  for (const at of named) {
    if (at === best) continue;
    const plain = (headers[at] ?? '').toLowerCase();
    const isPerson = (shares[at]?.person ?? 0) >= 0.6;
    if (/title/.test(plain)) fields[at] = 'owner_title';
    else fields[at] = isPerson && !fields.includes('owner_name') ? 'owner_name' : 'extra';
  }
  function rank(at: number): number {
    const plain = headers[at] ?? '';
    const isPlain = /^(?:name|title|contact|client|customer|lead|account|display name)$/i.test(plain.trim());
    const isEmpty = shares[at]?.filled === 0;
    return (
      (isEmpty ? -10 : 0) + (isPlain ? 0 : 2) + (shares[at]?.company ?? 0) + (/^title$/i.test(plain.trim()) ? -1 : 0)
    );
  }
}

/** Where no header names the business: the text that differs most from row to row, and reads like a company. */
function nameByContent(
  headers: readonly string[],
  shares: readonly Shares[],
  fields: (ImportField | undefined)[],
): void {
  const free = () =>
    shares.flatMap(({ filled, text, website }, at) =>
      fields[at] === undefined && filled > 0 && text >= 0.6 && website < 0.5 ? [at] : [],
    );
  const of = (at: number): Shares | undefined => shares[at];
  if (!fields.includes('business_name')) {
    const rank = (at: number) =>
      (of(at)?.company ?? 0) * 2 + (of(at)?.distinct ?? 0) + (of(at)?.titled ?? 0) / 2 - (of(at)?.person ?? 0) / 3;
    // Some businesses are called by a letter and a number.
    const isCalled = (at: number) =>
      fields[at] === undefined &&
      fieldOfHeader(headers[at] ?? '')?.field === 'business_name' &&
      (of(at)?.letter ?? 0) >= 0.3;
    const best =
      free().toSorted((one, other) => rank(other) - rank(one) || one - other)[0] ??
      headers.findIndex((_, at) => isCalled(at));
    if (best >= 0) fields[best] = 'business_name';
  }
  if (fields.includes('owner_name') || fields.includes('first_name')) return;
  const person = free().find((at) => (of(at)?.person ?? 0) >= 0.8 && (of(at)?.distinct ?? 0) > 0.5);
  if (person !== undefined) fields[person] = 'owner_name';
}

/** Fields whose next column counts where a row has nothing in the first. */
const SEVERAL: readonly ImportField[] = ['phone', 'email'];
const PLACE: readonly ImportField[] = ['address', 'street', 'city', 'state', 'zip', 'country'];
const OF_COMPANY = /^(?:company|business|organization|corporate|account)\b/i;

/**
 * Of several columns of one field the first counts that has anything in it; of places the one of the company. One that is called by a whole
 * word goes before one of longer words: "Listing URL" is no website where there is one.
 */
function keepOneEach(
  headers: readonly string[],
  shares: readonly Shares[],
  fields: readonly (ImportField | undefined)[],
): ImportField[] {
  const best = new Map<ImportField, number>();
  for (const [at, field] of fields.entries()) {
    const before = field && best.get(field);
    if (field && (before === undefined || rank(at, field) > rank(before, field))) best.set(field, at);
  }
  return fields.map((field, at) => {
    if (field === undefined) return 'extra';
    if (SEVERAL.includes(field) && (shares[at]?.filled ?? 0) > 0) return field;
    return best.get(field) === at ? field : 'extra';
  });
  function rank(at: number, field: ImportField): number {
    const isPreferred = PLACE.includes(field) && OF_COMPANY.test(headers[at] ?? '');
    // Of places not: the parts of one address must stay together.
    const isSure = !PLACE.includes(field) && (fieldOfHeader(headers[at] ?? '')?.sure ?? false);
    return ((shares[at]?.filled ?? 0) > 0 ? 4 : 0) + (isPreferred ? 2 : 0) + (isSure ? 1 : 0);
  }
}
