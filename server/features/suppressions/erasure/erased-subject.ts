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

/** Digits may be full-width ones, and are written in groups. JSON spells a line break between them with a backslash before its letter. */
function phonePattern(subject: ErasedSubject): string {
  const us = usDigits(subject);
  const digits = us ?? subject.value.slice(1);
  const between = '(?:\\\\?[^0-9０-９]){0,3}';
  // Behind the country code, "(0)" is for those who call from within.
  const code = us === undefined ? parsePhoneNumberFromString(subject.value)?.countryCallingCode.length : undefined;
  const spelled = [...digits]
    .map((digit, at) => {
      const trunk = at === code && digit !== '0' ? `(?:[0０]${between})?` : '';
      return `${trunk}[${digit}${String.fromCodePoint(0xff10 + Number(digit))}]`;
    })
    .join(between);
  const country = us === undefined ? '(00|011)?' : `((00|011)?[^0-9０-９]{0,2}[1１])?${between}`;
  return `(^|[^0-9０-９])${country}${spelled}($|[^0-9０-９])`;
}

/** Providers that ignore what stands behind a plus, as app.email_key knows them. */
const IGNORES_TAGS =
  /^((icloud|me|mac|msn|fastmail|proton)\.com|proton\.me|protonmail\.com|pm\.me|(outlook|hotmail|live)\.([a-z]{3}|[a-z]{2}|com?\.[a-z]{2}))$/;

function emailPattern(address: string): string {
  const at = address.indexOf('@');
  const [name, host] = [address.slice(0, at), address.slice(at + 1)];
  const tag = '(\\+[^@[:space:]]*)?';
  if (host === 'gmail.com') return `${[...name].map(literally).join('\\.*')}${tag}(@|%40)(gmail|googlemail)\\.com`;
  return `${literally(name)}${IGNORES_TAGS.test(host) ? tag : ''}(@|%40)${literally(host)}`;
}
