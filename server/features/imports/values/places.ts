import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const NAMES: Readonly<Record<string, string>> = {
  AL: 'Alabama',
  AK: 'Alaska',
  AZ: 'Arizona',
  AR: 'Arkansas',
  CA: 'California',
  CO: 'Colorado',
  CT: 'Connecticut',
  DE: 'Delaware',
  DC: 'District of Columbia',
  FL: 'Florida',
  GA: 'Georgia',
  HI: 'Hawaii',
  ID: 'Idaho',
  IL: 'Illinois',
  IN: 'Indiana',
  IA: 'Iowa',
  KS: 'Kansas',
  KY: 'Kentucky',
  LA: 'Louisiana',
  ME: 'Maine',
  MD: 'Maryland',
  MA: 'Massachusetts',
  MI: 'Michigan',
  MN: 'Minnesota',
  MS: 'Mississippi',
  MO: 'Missouri',
  MT: 'Montana',
  NE: 'Nebraska',
  NV: 'Nevada',
  NH: 'New Hampshire',
  NJ: 'New Jersey',
  NM: 'New Mexico',
  NY: 'New York',
  NC: 'North Carolina',
  ND: 'North Dakota',
  OH: 'Ohio',
  OK: 'Oklahoma',
  OR: 'Oregon',
  PA: 'Pennsylvania',
  PR: 'Puerto Rico',
  RI: 'Rhode Island',
  SC: 'South Carolina',
  SD: 'South Dakota',
  TN: 'Tennessee',
  TX: 'Texas',
  UT: 'Utah',
  VT: 'Vermont',
  VA: 'Virginia',
  WA: 'Washington',
  WV: 'West Virginia',
  WI: 'Wisconsin',
  WY: 'Wyoming',
  GU: 'Guam',
  VI: 'Virgin Islands',
  AS: 'American Samoa',
  MP: 'Northern Mariana Islands',
};
const BY_NAME = new Map(Object.entries(NAMES).map(([code, name]) => [name.toLowerCase(), code]));
export const STATE_NAMES: readonly string[] = Object.values(NAMES);
/** The states where ZIP codes begin with a zero, which spreadsheets drop. */
const FIRST_ZERO: readonly string[] = ['CT', 'MA', 'ME', 'NH', 'NJ', 'PR', 'RI', 'VT', 'VI'];

/** A state by its code or name. */
export function readState(text: string): string | undefined {
  const plain = text.replaceAll('.', '').trim();
  const code = plain.toUpperCase();
  return code in NAMES ? code : BY_NAME.get(plain.toLowerCase());
}

/** A ZIP code of five or nine digits; with `state`, one that has lost its zero is mended. */
export function readZip(text: string, state?: string): string | undefined {
  const [, digits = '', more] = /^(\d{3,5})(?:[-\s]?(\d{4}))?(?:\.0)?$/.exec(text.trim()) ?? [];
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
