import { readFile } from 'node:fs/promises';
import { plainName } from '#sandbox/geography/towns.ts';
import type { Business } from './businesses.ts';
import { parseCsv } from './csv.ts';

const columns = 'id,name,category,street,city,postcode,country,latitude,longitude,phone,website'.split(',');

/**
 * Reads businesses from a CSV file; rows without id, name or coordinates are left out.
 * @throws Error that names what is wrong.
 */
export async function readCsvBusinesses(path: string): Promise<Business[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Error(`The file of sandbox places cannot be read: ${error instanceof Error ? error.message : path}`);
  });
  const [header = [], ...rows] = parseCsv(text);
  const missing = columns.filter((column) => !header.includes(column));
  if (missing.length > 0)
    throw new Error(`The file of sandbox places ${path} lacks the columns ${missing.join(', ')}.`);
  return rows.flatMap((row) => {
    const business = toBusiness((column) => row[header.indexOf(column)]?.trim() ?? '');
    return business ? [business] : [];
  });
}

function toBusiness(cell: (column: string) => string): Business | undefined {
  const [latitude, longitude] = [cell('latitude'), cell('longitude')].map((text) => (text === '' ? NaN : Number(text)));
  if (!cell('id') || !cell('name')) return undefined;
  if (latitude === undefined || longitude === undefined || !(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180))
    return undefined;
  const website = cell('website').split(';')[0];
  return {
    id: cell('id'),
    name: cell('name'),
    latitude,
    longitude,
    types: [...cell('category').split(';').filter(Boolean), 'point_of_interest', 'establishment'],
    ...filled('street', cell('street')),
    city: cell('city'),
    ...filled('region', cell('postcode').split(';')[0] ?? ''),
    country: cell('country'),
    ...phones(cell('phone').split(';')[0]?.trim() ?? ''),
    ...filled('website', website ?? ''),
    status: 'OPERATIONAL',
    serviceArea: false,
  };
}

const filled = <Name extends string>(name: Name, value: string): { [key in Name]?: string } =>
  value ? ({ [name]: value } as { [key in Name]: string }) : {};

/** A number with a country code in both forms; any other only as it was written. */
function phones(text: string): Pick<Business, 'nationalPhone' | 'internationalPhone'> {
  if (!text) return {};
  if (!text.startsWith('+')) return { nationalPhone: text };
  const rest = text.replace(/^\+(1|44)\s*/, '');
  return { internationalPhone: text, nationalPhone: text.startsWith('+44') ? `0${rest}` : rest };
}

/** Words that people type for a category of the file. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  restaurant: ['restaurant', 'cafe', 'fast_food', 'food_court'],
  'coffee shop': ['cafe', 'coffee'],
  coffee: ['cafe', 'coffee'],
  takeaway: ['fast_food'],
  bar: ['bar', 'pub'],
  'hair salon': ['hairdresser'],
  barber: ['hairdresser'],
  grocery: ['supermarket', 'convenience'],
  mechanic: ['car_repair'],
  'auto repair': ['car_repair'],
  clothing: ['clothes'],
};
const fillers = new Set(['shop', 'store', 'service', 'company', 'business', 'and', 'the', 'a']);

/** Whether a business fits typed category words: by its category, a synonym of it, or all words in name and category. */
export function matchesCategory(business: Business, category: string): boolean {
  const words = stems(category);
  const wanted = synonyms[words.join(' ')];
  if (wanted?.some((type) => business.types.includes(type))) return true;
  const telling = words.filter((word) => !fillers.has(word));
  const own = ownWords(business);
  return telling.every((word) => own.has(word));
}

const wordsOf = new WeakMap<Business, ReadonlySet<string>>();

/** The words of name and category, worked out once: every search looks at every business. */
function ownWords(business: Business): ReadonlySet<string> {
  const words = wordsOf.get(business) ?? new Set(stems(`${business.name} ${business.types.slice(0, -2).join(' ')}`));
  wordsOf.set(business, words);
  return words;
}

/** Lower-case words without plural endings. */
const stems = (text: string): string[] =>
  plainName(text)
    .split(' ')
    .filter(Boolean)
    .map((word) => word.replace(/ies$/, 'y').replace(/([^s])s$/, '$1'));
