import { readState, STATE_NAMES } from '#area/named/state-names.ts';
import { isTown, isTownOfZip, zipCenter } from '#area/named/zip-codes.ts';
import { STATE_ZONES } from './state-zones.ts';

/** The state and the ZIP code that an address ends with. `state` has two letters. */
type AddressEnd = { state?: string; postalCode?: string };
/** What other addresses of the text name: `others`, their ZIP codes, and states. An empty ZIP code stands for an address without any. */
export type ReadAddress = AddressEnd & { others?: readonly string[]; otherStates?: readonly string[] };

/** The usual end, "IL 62701, USA", for which nothing else need be looked at. */
const USUAL = /\b([A-Z]{2})\s+(\d{5})(?:-\d{4})?(?:,? (?:USA|United States))?$/;
const ANYWHERE = /\b([A-Z]{2}),?\s+(\d{5})(?:-\d{4})?\b/g;
/** What may be another ZIP code. Digits at the very beginning are a house number. */
const ZIP_BEFORE = /\D\d{5}|\d$/;
const ZIP_AFTER = /^\d|\D\d{5}/;
const ZIP = /(?<!\d)(\d{5})(?:-?\d{4})?(?!\d)/g;
const COUNTRY = /^(?:u\.?s\.?(?:a\.?)?|united states(?: of america)?)$/i;
const WITH_COUNTRY = /^(.*\S)\s+(?:USA?|U\.S\.(?:A\.)?|United States(?: of America)?)$/;
const WITH_ZIP = /^(|.*?\D)(\d{5})(?:-?\d{4})?$/;
const STREET_WORDS =
  'st|street|ave|avenue|rd|road|blvd|boulevard|dr|drive|ln|lane|hwy|highway|way|ct|court|pl|place|pkwy|parkway';
const STREET = new RegExp(`\\b(?:${STREET_WORDS})\\.?$`, 'i');
const HAS_STREET = new RegExp(`\\b(?:${STREET_WORDS})\\b`, 'i');
/** Court, lane and north-east are written like states. */
const STREET_LETTERS = /\s(?:CT|LA|NE)\.?$/i;
/** What divides addresses of one text, and their parts. */
const DIVIDER = /[,;:\n\t/|&•·()–—]|\s(?:-|and|or)\s(?=\w)|\.\s(?<=(?:[A-Z]{2}|[a-z]{4})\.\s)/;
const casesOf = (name: string): string[] => [
  name,
  name.toLowerCase(),
  name.toUpperCase(),
  name.slice(0, 1) + name.slice(1).toLowerCase(),
];
const STATES = [...Object.keys(STATE_ZONES).map((code) => code.split('').join('\\.?')), ...STATE_NAMES].flatMap(
  casesOf,
);
const COUNTRIES = ['United States', 'America', 'USA?', 'U\\.S(?:\\.A)?'].flatMap(casesOf);
/** Any of several patterns. By their first letter, of which most words have none: else all of them are tried at each word. */
const anyOf = (patterns: readonly string[]): string => {
  const byLetter = Map.groupBy(new Set(patterns), (pattern) => pattern.slice(0, 1));
  const branches = [...byLetter].map(([letter, some]) => `${letter}(?:${some.map((one) => one.slice(1)).join('|')})`);
  return `(?=[${[...byLetter.keys()].join('')}])(?:${branches.join('|')})`;
};
/**
 * What every text has that may name another state: a state or the country before a sign that divides, or a divider of words. Most addresses have
 * neither. In all letters, because to ignore their case takes a hundred times as long.
 */
const STATE_WITHIN = new RegExp(
  `(?:^|[^A-Za-z])${anyOf([...STATES, ...COUNTRIES])}\\.?\\s?(?:[,;:\\n\\t/|&•·()–—])|\\s(?:-|and|or)\\s|\\.\\s`,
);
/** A state between a word and others, which may begin another address. "In", "or" and "me" are words, and Kansas City is in Missouri as well. */
const STATE_BEFORE_WORDS = new RegExp(
  `(?<=^|[A-Za-z.][,\\s]{1,2})(?!(?:[Ii]n|[Oo]r|[Mm]e)\\s)${anyOf(STATES)}\\.?\\s+(?=\\w)(?!(?:City|Beach|Springs|Falls)\\b)`,
  'g',
);

/** How much of an address its end is looked for in, in characters, and how much before that other addresses. */
const TAIL = 150;
const WHOLE = 500;
/** How much before a ZIP code its state or town is looked for in, in characters. */
const BEFORE_ZIP = 40;

/**
 * Reads the state and the ZIP code at the end of an address. DE and CA are countries as well, and other countries have ZIP codes of five
 * digits. So a state without a ZIP code counts only behind one of its towns, and a ZIP code without a state only behind one of its own, a
 * street, or with the country.
 */
export function readAddress(address: string): ReadAddress {
  const text = address.slice(-TAIL - WHOLE).trimEnd();
  const end = readEnd(text.slice(-TAIL));
  const { state, postalCode } = end;
  if (state === undefined && postalCode === undefined) return end;
  const at = postalCode === undefined ? text.length : text.lastIndexOf(postalCode);
  const [before, after] = [text.slice(0, at), text.slice(at + 5)];
  // Most have nothing else that could be one.
  const zips = ZIP_BEFORE.test(before) || ZIP_AFTER.test(after) ? zipsOfOwn(text, postalCode) : [];
  const states = [...statesOfOwn(before, end, true), ...statesOfOwn(after, end, false)];
  if (zips.length === 0 && states.length === 0) return end;
  const isAnywhere = states.length > 0 || postalCode === undefined;
  return { ...end, others: isAnywhere ? [...zips, ''] : zips, otherStates: states };
}

function readEnd(tail: string): AddressEnd {
  const [, usual = '', zip = ''] = USUAL.exec(tail.slice(-40)) ?? [];
  if (readState(usual) && zipCenter(zip)) return { state: usual, postalCode: zip };
  const { parts, isAmerican } = partsOf(tail);
  return withZip(parts, isAmerican) ?? withoutZip(parts, isAmerican) ?? inMiddle(tail) ?? {};
}

function partsOf(tail: string): { parts: string[]; isAmerican: boolean } {
  const parts = tail
    .split(/[,;\n]/)
    .map((part) => part.trim().replace(/\s+/g, ' '))
    .filter((part) => part !== '');
  const last = parts.at(-1) ?? '';
  if (COUNTRY.test(last)) return { parts: parts.slice(0, -1), isAmerican: true };
  const [, before] = WITH_COUNTRY.exec(last) ?? [];
  return before ? { parts: [...parts.slice(0, -1), before], isAmerican: true } : { parts, isAmerican: false };
}

/** "TX 79901", "Texas 79901", "tx 79901", "FL33101", "FL, 33101", or a ZIP code alone. */
function withZip(parts: readonly string[], isAmerican: boolean): AddressEnd | undefined {
  const [, words = '', postalCode] = WITH_ZIP.exec(parts.at(-1) ?? '') ?? [];
  if (postalCode === undefined) return undefined;
  const own = words.trim();
  const before = own === '' ? parts.slice(0, -1) : [...parts.slice(0, -1), own];
  const center = zipCenter(postalCode);
  const ending = stateAtEnd(before);
  // A ZIP code that is not known may be that of another country.
  if (!center)
    return ending && (isAmerican || endsInTown(ending.before, ending.state)) ? { state: ending.state, postalCode } : {};
  if (ending?.state === center.state) return { state: ending.state, postalCode };
  const last = before.at(-1) ?? '';
  if (endsIn(before, (words) => isTownOfZip(words, postalCode))) return { postalCode };
  // They disagree, unless it is a word such as "in".
  if (ending && !/\b[a-z]{2}$/.test(last)) return { state: ending.state, postalCode };
  return isAmerican || last === '' || STREET.test(last) ? { postalCode } : {};
}

/** "FL" or "Florida" at the end, behind a town of that state or before the country. */
function withoutZip(parts: readonly string[], isAmerican: boolean): AddressEnd | undefined {
  const ending = stateAtEnd(parts);
  if (!ending) return undefined;
  const { state, before } = ending;
  // A house number may stand before the name of a street.
  const isBehindCountry = isAmerican && !/\d/.test(parts.at(-1) ?? '');
  return isBehindCountry || endsInTown(before, state) ? { state } : {};
}

/** "…, Springfield, IL 62701, rear building": where both agree. */
const inMiddle = (tail: string): AddressEnd | undefined =>
  [...tail.matchAll(ANYWHERE)]
    .flatMap(([, state = '', postalCode = '']) =>
      zipCenter(postalCode)?.state === state ? [{ state, postalCode }] : [],
    )
    .at(-1);

/** ZIP codes behind their own state or town, such as "TX 79901", "Texas 79901" or "El Paso 79901", wherever they stand, but for one. */
const zipsOfOwn = (text: string, but: string | undefined): string[] =>
  [...text.matchAll(ZIP)].flatMap(({ 1: zip = '', index }) => {
    // A house number begins most addresses that have other five digits.
    const center = index === 0 || zip === but ? undefined : zipCenter(zip);
    if (!center) return [];
    const words = text
      .slice(Math.max(0, index - BEFORE_ZIP), index)
      .replaceAll('.', '')
      .replaceAll(/[^\p{L}\d']+/gu, ' ')
      .trim();
    const isOwn = (words: string) => (readState(words) === center.state || isTownOfZip(words, zip) ? zip : undefined);
    return words !== '' && atEnd(words, isOwn) ? [zip] : [];
  });

/**
 * States without a ZIP code that stand behind one of their towns, or before the country, wherever they stand, but for the place at the end.
 * - `isEnding`: the text goes on with the ZIP code of the end, or ends in its state.
 */
function statesOfOwn(text: string, { state, postalCode = '' }: AddressEnd, isEnding: boolean): string[] {
  const isBeforeWords = text.search(STATE_BEFORE_WORDS) !== -1;
  const isDivided = STATE_WITHIN.test(text);
  if (!isDivided && !isBeforeWords) return [];
  const parts = text
    .split(DIVIDER)
    .map((part) => part.trim().replace(/\s+/g, ' '))
    .filter((part) => part !== '');
  while (isEnding && COUNTRY.test(parts.at(-1) ?? '')) parts.pop();
  const named = parts.flatMap((part, index) => [
    ...(isBeforeWords ? headsOf(part) : []).map((head) => ({ ...head, index })),
    ...(!isDivided || (isEnding && index === parts.length - 1) ? [] : [{ part, next: parts[index + 1] ?? '', index }]),
  ]);
  return named.flatMap(({ part, next, index }) => {
    if (!STATE_WITHIN.test(`${part},`)) return [];
    const [, own] = WITH_COUNTRY.exec(part) ?? [];
    const ending = stateAtEnd([...parts.slice(Math.max(0, index - 2), index), own ?? part]);
    if (!ending || (STREET_LETTERS.test(part) && !/[A-Z]{2}$/.test(part))) return [];
    const { state: found, before } = ending;
    const isAmerican = own !== undefined || COUNTRY.test(next);
    // Its ZIP code counts by itself.
    if (zipCenter(next.slice(0, 5))?.state === found) return [];
    // It adds no clock, or is the same address, written twice.
    const isOfEnd = found === (state ?? zipCenter(postalCode)?.state);
    if (isOfEnd && (STATE_ZONES[found]?.length === 1 || endsIn(before, (words) => isTownOfZip(words, postalCode))))
      return [];
    return isAmerican || endsInTown(before, found, true) ? [found] : [];
  });
}

/** What of a part ends in a state before more words. `next`: those words. */
const headsOf = (part: string): { part: string; next: string }[] =>
  [...part.matchAll(STATE_BEFORE_WORDS)].map(({ 0: state, index }) => {
    const end = index + state.length;
    return { part: part.slice(0, end).trimEnd(), next: part.slice(end) };
  });

/** Words of the longest name of a state, and of a town. */
const MOST_WORDS = 4;

/** Something that the last words of a text name, with the words before; of several the longest. */
function atEnd<T>(text: string, read: (words: string) => T | undefined): { found: T; before: string } | undefined {
  const words = text.split(' ');
  for (let count = Math.min(MOST_WORDS, words.length); count > 0; count -= 1) {
    const found = read(words.slice(-count).join(' '));
    if (found !== undefined) return { found, before: words.slice(0, -count).join(' ') };
  }
  return undefined;
}

/** The state that parts of an address end with. `before`: the parts before it. */
function stateAtEnd(parts: readonly string[]): { state: string; before: string[] } | undefined {
  const last = parts.at(-1) ?? '';
  const ending = atEnd(last, readState);
  if (!ending || (STREET_LETTERS.test(last) && /^\d/.test(ending.before) && !HAS_STREET.test(ending.before)))
    return undefined;
  const before = [...parts.slice(0, -1), ...(ending.before === '' ? [] : [ending.before])];
  return { state: ending.found, before };
}

/** Whether parts of an address end with a town of a state. Toronto, Ontario, CA does not. */
function endsInTown(parts: readonly string[], state: string, behindAny = false): boolean {
  if (!endsIn(parts, (words) => isTown(words, state), behindAny)) return false;
  const isProvince = state === 'CA' && /^ontario$/i.test(parts.at(-1) ?? '');
  return !isProvince || parts.length === 1 || /\d/.test(parts.at(-2) ?? '');
}

/** Whether parts of an address end with a town, behind nothing or a street, or behind any words. */
function endsIn(parts: readonly string[], isTheTown: (words: string) => boolean, behindAny = false): boolean {
  const ending = atEnd(parts.at(-1) ?? '', (words) => (isTheTown(words) ? words : undefined));
  return ending !== undefined && (behindAny || ending.before === '' || /\d/.test(ending.before));
}
