import { readState } from '#area/named/state-names.ts';
import type { ImportField, LeadField } from '#contract/imports/fields.ts';
import { tellsNoCalls } from '#contract/imports/no-calls.ts';
import { firstPhone, namesFax } from '#server/calling/first-phone.ts';
import { cut } from '#server/lib/cut.ts';
import { whyNoPhone } from '#server/lib/why-no-phone.ts';
import { type AddressParts, readAddress } from './address.ts';
import { readEmail, readWebsite } from './contact.ts';
import { kindColumns, namesHome } from './phone-kinds.ts';
import { readZip } from './places.ts';
import { textOf, tidy } from './tidy.ts';
import { totalsAt } from './totals.ts';

/** A column and what it is read as. */
export type MappedColumn = { header: string; field: ImportField };
/** What a cell says, and of which column. `kind`: what a column beside it says of a phone number. */
type Written = { text: string; column: string; at: number; kind: string };
/** What could not be read of a column, and why, in words. */
type Problem = { column: string; value: string; why: string };

/**
 * A row as a lead.
 * - `values`: what could be read. A row with anything in it has a name.
 * - `zip`: of five digits.
 * - `extra`: columns that are none of ours. `originals`: cells that were read differently, by field.
 */
export type ReadRow = {
  values: Partial<Record<LeadField, string>> & { business_name: string };
  zip: string | undefined;
  extra: Record<string, string>;
  originals: Partial<Record<LeadField, string>>;
  problems: Problem[];
};

/** In characters: longer texts are cut, and said to be. */
const LONGEST: Readonly<Record<LeadField, number>> = {
  business_name: 300,
  phone: 60,
  email: 254,
  website: 2_000,
  address: 500,
  owner_name: 200,
  owner_title: 200,
};
const LONGEST_EXTRA = 2_000;
const LONGEST_ORIGINAL = 800;
/** Of all extra columns of a row together. */
const MOST_EXTRA = 8_000;
const LONGEST_SHOWN = 100;

/** Reads a row. Undefined for one without anything in it, and for one of totals. */
export function readRow(cells: readonly string[], columns: readonly MappedColumn[]): ReadRow | undefined {
  if (totalsAt(cells) !== undefined) return undefined;
  const written = new Map<ImportField, Written[]>();
  const problems: Problem[] = [];
  const unused = new Set<number>();
  const kinds = kindColumns(columns);
  for (const [at, { header, field }] of columns.entries()) {
    if (field === 'skip' || field === 'extra') continue;
    const text = textOf(cells[at] ?? '');
    const kind = cells[kinds.get(at) ?? -1] ?? '';
    if (text) written.set(field, [...(written.get(field) ?? []), { text, column: header, at, kind }]);
  }
  const values: ReadRow['values'] = { business_name: '' };
  const originals: ReadRow['originals'] = {};
  for (const [field, read, why] of READERS) readFirst(field, read, why);
  const address = readPlace();
  const extra = readExtra(cells, columns, { problems, unused });
  readText('owner_title', written.get('owner_title'));
  readText('owner_name', peopleIn(written));
  readText('business_name', written.get('business_name'));
  values.business_name ||= nameFor(values) ?? '';
  if (values.business_name === '') {
    const [first] = Object.values(extra);
    if (first === undefined && problems.length === 0) return undefined;
    values.business_name = cut(first ?? problems[0]?.value ?? '', LONGEST.business_name);
  }
  return { values, zip: address.zip, extra, originals, problems };

  function textsOf(field: ImportField): string[] {
    return (written.get(field) ?? []).map(({ text }) => text);
  }

  /** The first column that can be read. Those behind it stay columns of their own. */
  function readFirst(
    field: LeadField,
    read: (text: string) => string | undefined,
    why: (text: string) => string,
  ): void {
    for (const { text, column, at, kind } of inOrder(field, written.get(field) ?? [])) {
      if (values[field] !== undefined) {
        unused.add(at);
        continue;
      }
      const isFax = namesFax(kind);
      const value = isFax ? undefined : read(text);
      if (value === undefined)
        problems.push({ column, value: cut(text, LONGEST_SHOWN), why: isFax ? NO_FAX : why(text) });
      else values[field] = value;
      if (value !== text) keepOriginal(field, text);
    }
  }

  function readText(field: 'business_name' | 'owner_name' | 'owner_title', texts: readonly Written[] = []): void {
    const [first, ...more] = texts;
    if (!first) return;
    values[field] = cut(first.text, LONGEST[field]);
    if (first.text.length > LONGEST[field]) tooLong(first.column, first.text);
    for (const { text } of more) if (text !== first.text) keepOriginal(field, text);
  }

  function readPlace() {
    const parts: AddressParts = {};
    for (const field of ['address', 'street', 'city', 'state', 'zip', 'country'] as const) {
      const texts = textsOf(field);
      if (texts.length > 0) parts[field] = texts.join(', ');
    }
    if (parts.zip && !readZip(parts.zip, parts.state ? readState(parts.state) : undefined) && isUnitedStates(parts))
      problems.push({ column: columnOf('zip'), value: cut(parts.zip, LONGEST_SHOWN), why: NO_ZIP });
    const read = readAddress(parts);
    if (read.address !== undefined) values.address = read.address;
    const whole = [parts.street, parts.address, parts.city, parts.state, parts.zip, parts.country]
      .filter(Boolean)
      .join(', ');
    if (whole && whole !== read.address) keepOriginal('address', whole);
    return read;
  }

  function columnOf(field: ImportField): string {
    return written.get(field)?.[0]?.column ?? field;
  }

  function keepOriginal(field: LeadField, text: string): void {
    const before = originals[field];
    originals[field] = cut(before === undefined ? text : `${before}; ${text}`, LONGEST_ORIGINAL);
  }

  function tooLong(column: string, value: string): void {
    problems.push({ column, value: cut(value, LONGEST_SHOWN), why: 'This text is too long and was cut.' });
  }
}

/** A business is called before someone's home. */
const inOrder = (field: LeadField, texts: readonly Written[]): readonly Written[] =>
  field === 'phone' ? texts.toSorted((one, other) => Number(isOfHome(one)) - Number(isOfHome(other))) : texts;
const isOfHome = ({ column, kind }: Written): boolean => namesHome(column) || namesHome(kind);

const NO_ZIP = 'This is not a ZIP code.';
const NO_FAX = 'This is a fax number.';
const READERS = [
  ['phone', firstPhone, (text) => (namesFax(text) ? NO_FAX : whyNoPhone(text))],
  ['email', readEmail, () => 'This is not an email address.'],
  ['website', readWebsite, () => 'This is not a web address.'],
] as const satisfies readonly (readonly [LeadField, (text: string) => string | undefined, (text: string) => string])[];

const isUnitedStates = ({ state, country }: AddressParts): boolean =>
  state !== undefined && readState(state) !== undefined && (!country || /^u/i.test(country));

/** What a business without a name is called. */
function nameFor({ owner_name, website, email, phone, address }: ReadRow['values']): string | undefined {
  const host = website?.replace(/^https?:\/\/(?:www\.)?/, '').replace(/[/?#:].*$/, '');
  return owner_name ?? host ?? email ?? phone ?? address;
}

/**
 * Who a row may mean by the owner, the likeliest first. A column "Owner" beside first and last names is the salesperson of a CRM.
 */
function peopleIn(written: ReadonlyMap<ImportField, readonly Written[]>): Written[] {
  const names = [...(written.get('first_name') ?? []), ...(written.get('last_name') ?? [])];
  const [first] = names;
  const person = first ? [{ ...first, text: names.map(({ text }) => text).join(' ') }] : [];
  const owners = written.get('owner_name') ?? [];
  const isOfRecord = ({ column }: Written) => /\bowner$/i.test(column);
  return [...owners.filter((one) => !isOfRecord(one)), ...person, ...owners.filter(isOfRecord)];
}

/** Columns that are none of ours, and `unused` ones. What is cut is said to be. That a row must not be called always has room. */
function readExtra(
  cells: readonly string[],
  columns: readonly MappedColumn[],
  { problems, unused }: { problems: Problem[]; unused: ReadonlySet<number> },
): Record<string, string> {
  const written: { header: string; text: string }[] = [];
  for (let at = 0; at < Math.max(cells.length, columns.length); at += 1) {
    const { header, field } = columns[at] ?? { header: `Column ${at + 1}`, field: 'extra' };
    const text = field === 'extra' || unused.has(at) ? tidy(cells[at] ?? '') : '';
    if (text) written.push({ header, text });
  }
  const extra: [string, string][] = [];
  let length = 0;
  const isFirst = ({ header, text }: (typeof written)[number]) => tellsNoCalls(header, text);
  for (const { header, text } of [...written.filter(isFirst), ...written.filter((one) => !isFirst(one))]) {
    const room = Math.min(LONGEST_EXTRA, MOST_EXTRA - length - header.length);
    if (text.length > room)
      problems.push({ column: header, value: cut(text, LONGEST_SHOWN), why: 'This text is too long and was cut.' });
    if (room <= 0) continue;
    extra.push([header, cut(text, room)]);
    length += header.length + Math.min(text.length, room);
  }
  return Object.fromEntries(extra);
}
