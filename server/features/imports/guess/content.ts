import { readState } from '#area/named/state-names.ts';
import type { ImportField } from '#contract/imports/fields.ts';
import { firstPhone } from '#server/calling/first-phone.ts';
import { readEmail, readWebsite } from '#server/features/imports/values/contact.ts';
import { isCity, readZip } from '#server/features/imports/values/places.ts';
import { textOf } from '#server/features/imports/values/tidy.ts';
import { ROUNDED_NUMBER } from '#server/lib/why-no-phone.ts';

/** Shares from 0 to 1 of a column's cells that have something, and look like this or that. */
export type Shares = Readonly<Record<Look, number>> & {
  /** Cells that have something, and how many of them differ, as a share. */
  filled: number;
  distinct: number;
};
export type Look =
  | 'phone'
  | 'digits'
  | 'email'
  | 'website'
  | 'site'
  | 'zip'
  | 'postcode'
  | 'state'
  | 'city'
  | 'address'
  | 'street'
  | 'company'
  | 'person'
  | 'titled'
  | 'letter'
  | 'text';

const COMPANY =
  /\b(?:llc|inc|ltd|corp|co|company|group|services?|solutions|dental|dentist(?:ry)?|plumbing|roofing|clinic|restaurant|cafe|bakery|salon|law|attorneys?|associates|partners|auto|repair|construction|electric|hvac|cleaning|landscaping|realty|insurance|studio|shop|store|market|motors|medical|care|cent(?:er|re)|institute|systems|works|bros|brothers|sons|pizza|grill|bar|hotel|inn|gym|fitness|spa|florist|veterinary|pet|bank|church|school|academy|gmbh|kg|ag|sa|sl|pllc|pc|lp|llp)\b/i;
const PERSON =
  /^(?:(?:dr|mr|mrs|ms|prof)\.? )?\p{Lu}[\p{L}'’.-]*(?: \p{Lu}[\p{L}'’.-]*){1,3}(?:,? (?:jr|sr|md|dds|dmd|esq|cpa|ii|iii)\.?)?$/u;
/** Pages about a business that are not its own, and where others keep their pictures. */
const DIRECTORY =
  /^(?:https?:\/\/)?(?:[\w-]+\.)*(?:yelp|yellowpages|superpages|tripadvisor|foursquare|manta|mapquest|bbb|thumbtack|linkedin|google[a-z]+\.com|[\w-]*cdn|maps\.google|maps\.app\.goo|google\.[a-z.]+\/(?:maps|search))\b/i;
const PICTURE = /\.(?:jpe?g|png|gif|webp|svg|ico)(?:[?#].*)?$/i;
const FLAG = /^(?:true|false|yes|no)$/i;
const STREET = /^\d{1,6}[a-z]?(?:-\d+)? .*[a-z]/i;
const STREET_WORD =
  /\b(?:st|street|ave|avenue|rd|road|blvd|boulevard|dr|drive|ln|lane|way|ct|court|pl|place|pkwy|parkway|hwy|highway|sq|square|ter|terrace|cir|circle|suite|ste|plaza|loop|trail|pike|broadway)\b/i;
/** A postal code of some country, such as IM3 4EZ, K1A 0B1 or 1012 AB. */
const POSTCODE = /^(?=.*\d)[a-z\d]{2,5}(?:[ -]?[a-z\d]{2,4})?$/i;
/** Its words before a ZIP code, from the first of them on: looked for in the middle of them, a long text would take hours. */
const ADDRESS_END = /(?<![a-z .])([a-z .]+),?\s+\d{5}(?:-\d{4})?(?:,?\s+(?:usa?|united states))?\.?$/i;

/** Whether a text has a number, and then words and a ZIP code as its end. */
function isAddress(text: string): boolean {
  const found = ADDRESS_END.exec(text);
  if (!found) return false;
  const before = text.slice(0, found.index);
  return /\d/.test(before) && /[a-z]/i.test(text) && (/ ./.test(found[1] ?? '') || before.endsWith(','));
}

const DATE = /\b\d{4}-\d{1,2}-\d{1,2}\b|\b\d{1,2}[/.]\d{1,2}[/.]\d{2,4}\b/;

const LOOKS: Readonly<Record<Look, (text: string) => boolean>> = {
  phone: (text) =>
    /^[+(]?\d[\d\s().+/-]{8,}(?:\s*(?:x|ext)\.?\s*\d+)?$|^[\d\s().+-]{3,}[a-z][a-z\d.-]{2,}$/i.test(text) &&
    firstPhone(text) !== undefined,
  digits: (text) =>
    !DATE.test(text) && (ROUNDED_NUMBER.test(text) || /(?:\d\D{0,3}){10}/.test(text)) && !text.includes('@'),
  email: (text) => readEmail(text) !== undefined,
  website: (text) => !text.includes('@') && !text.includes(' ') && readWebsite(text) !== undefined,
  site: (text) => LOOKS.website(text) && !DIRECTORY.test(text) && !PICTURE.test(text),
  zip: (text) => readZip(text) !== undefined || /^\d{4}$/.test(text),
  postcode: (text) => LOOKS.zip(text) || POSTCODE.test(text),
  state: (text) => readState(text) !== undefined,
  city: (text) => isCity(text),
  address: isAddress,
  street: (text) => STREET.test(text) && STREET_WORD.test(text),
  company: (text) => COMPANY.test(text) || (text.includes('&') && !text.includes('@')),
  person: (text) => PERSON.test(text) && !COMPANY.test(text),
  letter: (text) => /\p{L}/u.test(text) && !FLAG.test(text),
  titled: (text) => /^[\p{Lu}\d]/u.test(text),
  text: (text) => /\p{L}{2}/u.test(text) && !FLAG.test(text),
};

/** Looks at the cells of one column. */
export function lookAt(cells: readonly string[]): Shares {
  const texts = cells.map(textOf).filter((text) => text !== '');
  const share = (look: Look) => (texts.length === 0 ? 0 : texts.filter(LOOKS[look]).length / texts.length);
  const looks = Object.fromEntries((Object.keys(LOOKS) as Look[]).map((look) => [look, share(look)]));
  return {
    ...(looks as Record<Look, number>),
    filled: texts.length,
    distinct: texts.length === 0 ? 0 : new Set(texts).size / texts.length,
  };
}

/** Whether one cell is plainly a value, and no header. */
export const isValue = (cell: string): boolean => {
  const text = textOf(cell);
  return (
    LOOKS.phone(text) ||
    LOOKS.email(text) ||
    LOOKS.address(text) ||
    LOOKS.street(text) ||
    (/\.[a-z]{2,}/i.test(text) && LOOKS.website(text)) ||
    /^[\d\s.,$%/:-]+$/.test(text)
  );
};

/** What cells must look like before a field is taken for theirs, and from which share on. */
export const SEEN: readonly (readonly [ImportField, Look, number])[] = [
  ['email', 'email', 0.7],
  ['phone', 'phone', 0.7],
  ['website', 'site', 0.7],
  ['address', 'address', 0.6],
  ['street', 'street', 0.6],
  ['state', 'state', 0.9],
  ['zip', 'zip', 0.9],
  ['city', 'city', 0.7],
];
