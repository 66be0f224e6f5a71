import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** The states where ZIP codes begin with a zero, which spreadsheets drop. */
const FIRST_ZERO: readonly string[] = ['CT', 'MA', 'ME', 'NH', 'NJ', 'PR', 'RI', 'VT', 'VI'];

/** A ZIP code of five or nine digits; with `state`, one that has lost its zero is mended. Forms of ads write "z:62701". */
export function readZip(text: string, state?: string): string | undefined {
  const [, digits = '', more] = /^(?:z:)?(\d{3,5})(?:[-\s]?(\d{4}))?(?:\.0)?$/.exec(text.trim()) ?? [];
  const zip =
    digits.length === 5 || state === undefined || !FIRST_ZERO.includes(state) ? digits : digits.padStart(5, '0');
  if (zip.length !== 5) return undefined;
  return more ? `${zip}-${more}` : zip;
}

type Town = { city: string; state: string };
const ENTRY = /"zip":"(\d{5})",[^}]*"city":"([^"]+)","state":"([A-Z]{2})","country":"US"/g;
let towns: ReadonlyMap<string, Town> | undefined;
let cities: ReadonlySet<string> | undefined;

/** Read as text, as areas do: evaluated as code it would cost over a hundred megabytes. */
const readTowns = (): ReadonlyMap<string, Town> =>
  (towns ??= new Map(
    [...readFileSync(createRequire(import.meta.url).resolve('zipcodes/lib/codes'), 'utf8').matchAll(ENTRY)].map(
      ([, zip = '', city = '', state = '']) => [zip, { city, state }],
    ),
  ));

/** The town of a ZIP code. */
export const townOf = (zip: string): Town | undefined => readTowns().get(zip.slice(0, 5));

export function isCity(text: string): boolean {
  cities ??= new Set([...readTowns().values()].map(({ city }) => city.toLowerCase()));
  return cities.has(text.toLowerCase());
}
