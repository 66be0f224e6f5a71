import { readState, STATE_NAMES } from '#area/named/state-names.ts';
import { cut } from '#server/lib/cut.ts';
import { readZip, townOf } from './places.ts';

/** Parts of an address as a file has them, tidied. `address` holds several in one. */
export type AddressParts = Partial<Record<'address' | 'street' | 'city' | 'state' | 'zip' | 'country', string>>;

/** `zip` of five digits, by which two rows of one name are the same business. */
export type ReadAddress = { address: string | undefined; zip: string | undefined };

/** In characters. */
const LONGEST = 500;
const STATE = `[A-Z]{2}|${STATE_NAMES.join('|')}`;
const END = new RegExp(
  `^(.*?)[\\s,]+(${STATE})\\.?[\\s,]+(\\d{5})(?:-?(\\d{4}))?(?:[\\s,]+(?:USA?|United States(?: of America)?))?[\\s,.]*$`,
  'i',
);
/** A ZIP code behind the country. */
const COUNTRY_FIRST = /,? (?:USA?|United States(?: of America)?),? (\d{5}(?:-\d{4})?)$/i;
const AMERICAN = /^(?:u\.?s\.?a?\.?|united states(?: of america)?|america)$/i;

/** One line, as leads have it: "12 Main Street, Springfield, IL 62701, USA". What is no American address stays as it is written. */
export function readAddress(parts: AddressParts): ReadAddress {
  const state = parts.state ? readState(parts.state) : undefined;
  const zip = parts.zip ? readZip(parts.zip, state) : undefined;
  const town = zip && !parts.city ? townOf(zip) : undefined;
  const own = parts.address ? inOneLine(parts.address) : undefined;
  // A column named address often holds the street alone, with city and state beside it. One that has its ZIP code is whole.
  if (own?.address && own.zip) return withStreet(own.address, own.zip, parts);
  const street = streetOf(parts, state);
  const city = parts.city || (isWritten(street) ? '' : (town?.city ?? ''));
  const region = [state ?? parts.state ?? (city ? town?.state : undefined), zip ?? parts.zip]
    .filter(isWritten)
    .join(' ');
  const isAmerican = state !== undefined && (!parts.country || AMERICAN.test(parts.country));
  const country = isAmerican ? 'USA' : (parts.country ?? '');
  const lines = [street, city, region].filter(isWritten);
  if (lines.length === 0) return { address: undefined, zip: undefined };
  return { address: cut([...lines, country].filter(isWritten).join(', '), LONGEST), zip: zip?.slice(0, 5) };
}

/** The street where the address begins with its town. */
function withStreet(address: string, zip: string, { street, city }: AddressParts): ReadAddress {
  const towns = [city, townOf(zip)?.city].filter(isWritten);
  const beginsWithTown = towns.some((town) => startsWith(address, town));
  return { address: cut(street && beginsWithTown ? `${street}, ${address}` : address, LONGEST), zip };
}

/** Street and address without what the columns of city, state and country say again. */
function streetOf({ street = '', address = '', city = '' }: AddressParts, state: string | undefined): string {
  const lines = address.split(/\s*,[\s,]*/).filter(isWritten);
  const isSaid = (line: string) =>
    isSame(line, city) || (state !== undefined && (readState(line) === state || AMERICAN.test(line)));
  while (lines.length > 0 && isSaid(lines.at(-1) ?? '')) lines.pop();
  const rest = lines.join(', ');
  return street && startsWith(rest, street) ? rest : [street, rest].filter(isWritten).join(', ');
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
const startsWith = (text: string, start: string): boolean => isSame(text.slice(0, start.length), start);
const isWritten = (text: string | undefined): text is string => text !== undefined && text !== '';

function inOneLine(text: string): ReadAddress {
  const plain = text
    .replaceAll(/\s*,[\s,]*/g, ', ')
    .replace(/[\s,]+$/, '')
    .replace(COUNTRY_FIRST, ' $1');
  const [, before = '', region = '', zip = '', more] = END.exec(plain) ?? [];
  const state = readState(region);
  if (!state) return { address: cut(plain, LONGEST), zip: undefined };
  const place = `${state} ${zip}${more ? `-${more}` : ''}, USA`;
  return { address: cut(`${withComma(before.replace(/[\s,]+$/, ''), zip)}, ${place}`, LONGEST), zip };
}

/** Puts a comma before the town, where its ZIP code tells which words it is. */
function withComma(before: string, zip: string): string {
  const city = townOf(zip)?.city;
  if (!city || !before.toLowerCase().endsWith(` ${city.toLowerCase()}`)) return before;
  const street = before.slice(0, -city.length).trimEnd();
  return street.endsWith(',') ? before : `${street}, ${before.slice(-city.length)}`;
}
