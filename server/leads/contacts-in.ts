import { streetsIn } from './streets-in.ts';

const AMERICAN = /(?<![\d.])(?:\+?1[\s.-]{0,2})?\(?[2-9]\d{2}\)?[\s./-]{0,2}[2-9]\d{2}[\s.-]{0,2}\d{4}(?!\d)/g;
const FOREIGN = /\+(?!1\D{0,2}[2-9]\d\d)\d[\d\s().-]{6,18}\d/g;
const EMAIL = /[^\s<>(),;:"|[\]]{1,64}@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,63}/gi;
/** With a scheme, or a host alone. What stands behind an @ is an email. */
const SITE =
  /https?:\/\/[^\s<>()"|]+|(?<![@\w.-])(?:[\p{L}\d](?:[\p{L}\d-]{0,61}[\p{L}\d])?\.)+\p{L}{2,24}(?:\/[^\s<>()"|]*)?(?![\w@])/giu;

/** Phone numbers, emails, websites and streets within a longer text, without the text itself if it is nothing else. */
export function contactsIn(text: string): string[] {
  if (!/[@.]|\d{4}|\d\s/.test(text)) return [];
  const found = [
    ...(/\d{4}/.test(text) ? [AMERICAN, FOREIGN].flatMap((kind) => all(text, kind)) : []),
    ...(text.includes('@') ? all(text, EMAIL) : []),
    ...(text.includes('.')
      ? all(text, SITE).map((site) => site.replace(/[?#].*$/, '').replace(/[.,;:!?'\])]+$/, ''))
      : []),
    ...streetsIn(text),
  ];
  return [...new Set(found)].filter((contact) => contact !== text);
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
