import { streetsIn } from './streets-in.ts';

/** Characters of a text that are looked through, and contacts that are taken from it. */
const LONGEST = 2_000;
const MOST = 20;

const AMERICAN = /(?<![\d.])(?:\+?1[\s.-]{0,2})?\(?[2-9]\d{2}\)?[\s./-]{0,2}[2-9]\d{2}[\s.-]{0,2}\d{4}(?!\d)/g;
const FOREIGN = /\+(?!1\D{0,2}[2-9]\d\d)\d[\d\s().-]{6,18}\d/g;
const EMAIL = /[^\s<>(),;:"|[\]]{1,64}@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,63}/gi;
/** With a scheme, or a host alone. What stands behind an @ is an email. */
const SITE =
  /https?:\/\/[^\s<>()"|]+|(?<![@\w.-])(?:[\p{L}\d](?:[\p{L}\d-]{0,61}[\p{L}\d])?\.)+\p{L}{2,24}(?:\/[^\s<>()"|]*)?(?![\w@])/giu;

/** Phone numbers, emails, websites and streets within a longer text, without the text itself if it is nothing else. */
export function contactsIn(text: string): string[] {
  const said = text.slice(0, LONGEST);
  if (!/[@.]|\d{4}|\d\s/.test(said)) return [];
  const found = [
    ...(/\d{4}/.test(said) ? [AMERICAN, FOREIGN].flatMap((kind) => all(said, kind)) : []),
    ...(said.includes('@') ? all(said, EMAIL) : []),
    ...(said.includes('.') ? all(said, SITE).map((site) => site.replace(/[.,;:!?'\])]+$/, '')) : []),
    ...streetsIn(said),
  ];
  return [...new Set(found)].filter((contact) => contact !== text).slice(0, MOST);
}

const all = (text: string, kind: RegExp): string[] => text.match(kind) ?? [];

/** The words of a text with a space before and behind each, however it is written. */
export const wordsOf = (text: string): string =>
  ` ${text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f'’]/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
