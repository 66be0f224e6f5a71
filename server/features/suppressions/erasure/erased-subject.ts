import { domainToUnicode } from 'node:url';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { ERASABLE_KINDS } from '#contract/calling/suppression-sources.ts';

/** Who is erased. `key`: as in app.suppressions; `value`: the key without its kind; `hash`: what stays, in hex. */
export type ErasedSubject = { kind: (typeof ERASABLE_KINDS)[number]; key: string; value: string; hash: string };

/** As SearchBug is asked: ten digits; undefined for all others. */
export const usDigits = ({ kind, value }: ErasedSubject): string | undefined =>
  kind === 'phone' && /^\+1\d{10}$/.test(value) ? value.slice(2) : undefined;

/** A pattern that finds the subject in a text, or in JSON as text, in any spelling of its digits or letters. For PostgreSQL's `~*`. */
export function patternOf(subject: ErasedSubject): string {
  if (subject.kind === 'phone') return phonePattern(subject);
  const spelled = subject.kind === 'email' ? emailPattern(subject.value) : literally(subject.value);
  return `(^|[^[:alnum:]._+-]|${ESCAPED})${spelled}($|[^[:alnum:]_-])`;
}

/** A line break, a tab or the like, as JSON spells it: its last letter or digit is no part of what follows. */
const ESCAPED = '\\\\(?:b|f|n|r|t|u00[01][0-9a-f])';

const literally = (text: string): string => text.replaceAll(/[^a-z0-9]/gi, '\\$&');

/** What callers dial before a number within its country, where it is not 0. As app.without_trunk takes it away, but for Argentina's 15. */
const TRUNKS: Record<string, string> = {
  7: '8',
  36: '0?6',
  52: '0?1|04(?:4|5)',
  370: '0|8',
  375: '80?|0',
  993: '8',
};
/** In full width, in Arabic and in Persian as well. */
const DIGITS = '0-9０-９٠-٩۰-۹';
const inAnyScript = (digit: string): string =>
  `[${[0x30, 0xff10, 0x660, 0x6f0].map((zero) => String.fromCodePoint(zero + Number(digit))).join('')}]`;

/** Digits may be those of another script, and are written in groups. JSON spells a line break between them with a backslash before its letter. */
function phonePattern(subject: ErasedSubject): string {
  const us = usDigits(subject);
  const digits = us ?? subject.value.slice(1);
  const between = `(?:\\\\?[^${DIGITS}]){0,3}`;
  // Behind the country code, "(0)" and the like are for those who call from within.
  const country = us === undefined ? parsePhoneNumberFromString(subject.value)?.countryCallingCode : undefined;
  const dialed = (TRUNKS[country ?? ''] ?? '0').replaceAll(/\d/g, (digit) => `(?:${inAnyScript(digit)}${between})`);
  const spelled = [...digits]
    .map((digit, at) => {
      const trunk = at === country?.length && digit !== '0' ? `(?:${dialed})?` : '';
      return `${trunk}${inAnyScript(digit)}`;
    })
    .join(between);
  const prefix = us === undefined ? '(00|011)?' : `((00|011)?[^${DIGITS}]{0,2}${inAnyScript('1')})?${between}`;
  return `(^|[^${DIGITS}])${prefix}${spelled}($|[^${DIGITS}])`;
}

/** Providers that ignore what stands behind a plus, as app.email_key knows them. */
const IGNORES_TAGS = /^((icloud|me|mac|msn|fastmail)\.com|(outlook|hotmail|live)\.(com|[a-z]{2}|com?\.[a-z]{2}))$/;
/** Those that ignore dots, hyphens and underscores, too. */
const IGNORES_SIGNS = /^(proton\.me|pm\.me|protonmail\.(com|ch))$/;
const TAG = '((\\+|%2b)[^@[:space:]]*)?';

function emailPattern(address: string): string {
  const at = address.indexOf('@');
  const [name, host] = [address.slice(0, at), address.slice(at + 1)];
  if (host === 'gmail.com') return `${[...name].map(letter).join('\\.*')}${TAG}(@|%40)(gmail|googlemail)\\.com`;
  if (IGNORES_SIGNS.test(host))
    return `[._-]*${[...name].map((one) => `${letter(one)}[._-]*`).join('')}${TAG}(@|%40)${literally(host)}`;
  return `${[...name].map(letter).join('')}${IGNORES_TAGS.test(host) ? TAG : ''}(@|%40)${hostPattern(host)}`;
}

/** International labels stand in ASCII, or as people write them. */
const hostPattern = (host: string): string =>
  host
    .split('.')
    .map((label) => {
      const said = domainToUnicode(label);
      return said === '' || said === label
        ? literally(label)
        : `(${literally(label)}|${[...said].map(letter).join('')})`;
    })
    .join('[.。．｡]');

/** One letter or sign. The locale of the database may know no capitals beyond ASCII, and accents may stand by themselves. */
function letter(one: string): string {
  if (one <= '\u007f') return literally(one);
  const spelled = new Set([one.toLowerCase(), one.toUpperCase()].flatMap((said) => [said, said.normalize('NFD')]));
  return `(${[...spelled].join('|')})`;
}
