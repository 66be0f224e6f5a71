import { streetsIn } from './streets-in.ts';

/** What people write between the digits of a number. */
const BETWEEN = String.raw`[\s().\/-]{0,4}`;
const AMERICAN = /(?<!\d|\d\.)(?:\+?1[\s./-]{0,3})?\(?[2-9]\d{2}\)?[\s./-]{0,3}[2-9]\d{2}[\s./-]{0,3}\d{4}(?!\d)/g;
/** Looked for from each digit: what stands before a number may look like a part of it. */
const FOREIGN = new RegExp(String.raw`(?=(\+(?!1\D{0,3}[2-9]\d\d)\d(?:${BETWEEN}\d){7,14}))`, 'g');
const NATIONAL = new RegExp(String.raw`(?<![\d+])(?=(\d(?:${BETWEEN}\d){8,14}))`, 'g');
/** How many digits a number has at least that ends within a run of digits. */
const SHORTEST = 9;
/** What stands between digits where programs write them, and in a number that a spreadsheet shows as an amount. */
const ODD_SIGN = /\d\)?\s?[_*:,·]\s?\(?\d/;
const ODD_SIGNS = /(?<=\d\)?)\s?[_*:,·]\s?(?=\(?\d)/g;
const THOUSANDS = /(?<![\d,])\d{1,2}(?:,\d{3}){3}(?![\d,])/g;
const plainNumber = (amount: string): string => amount.replaceAll(',', '');
const DASHES = /[\u2010-\u2015\u2212]/g;
const EMAIL = /[^\s<>(),;:"|[\]]{1,64}@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,63}/gi;
/** With a scheme, or a host alone. What stands behind an @ is an email. */
const SITE =
  /https?:\/\/[^\s<>()"|]+|(?<![@\w.-])(?:[\p{L}\d](?:[\p{L}\d-]{0,61}[\p{L}\d])?\.)+\p{L}{2,24}(?:\/[^\s<>()"|]*)?(?![\w@])/giu;

/** Phone numbers, emails, websites and streets within a longer text, without the text itself if it is nothing else. */
export function contactsIn(text: string): string[] {
  if (!/[@.]|\d/.test(text)) return [];
  const said = text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(DASHES, '-');
  const found = [
    ...(/(?:\d\D{0,4}){8}/.test(said) ? phonesIn(said) : []),
    ...(said.includes('@') ? all(said, EMAIL) : []),
    ...(said.includes('.')
      ? all(said, SITE).map((site) => site.replace(/[?#].*$/, '').replace(/[.,;:!?'\])]+$/, ''))
      : []),
    ...streetsIn(said),
  ];
  return [...new Set(found)].filter((contact) => contact !== text);
}

const all = (text: string, kind: RegExp): string[] => text.match(kind) ?? [];

/** A number without its country begins with 0, or has nine digits. */
const phonesIn = (text: string): string[] => [
  ...all(text, AMERICAN),
  ...(ODD_SIGN.test(text) ? all(text.replace(THOUSANDS, plainNumber).replace(ODD_SIGNS, '-'), AMERICAN) : []),
  ...[...text.matchAll(FOREIGN)].flatMap(([, run = '']) => numbersOf(run)),
  ...[...text.matchAll(NATIONAL)]
    .flatMap(([, run = '']) => numbersOf(run))
    .filter((number) => number.startsWith('0') || digitsOf(number) === SHORTEST),
];

/** The run of digits itself, and what of it ends before a space or the like: other digits may stand behind a number. */
const numbersOf = (run: string): string[] =>
  [...run.matchAll(/\d(?!\d)/g)]
    .map(({ index }) => run.slice(0, index + 1))
    .filter((number) => number === run || digitsOf(number) >= SHORTEST);

const digitsOf = (text: string): number => text.replace(/\D/g, '').length;

/** The words of a text with a space before and behind each, however it is written. */
export const wordsOf = (text: string): string =>
  ` ${text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f'’]/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
