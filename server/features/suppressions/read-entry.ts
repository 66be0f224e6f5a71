import { domainToASCII } from 'node:url';
import { parse } from 'tldts';
import type { SuppressionKind } from '#contract/calling/suppressions.ts';
import { parseNumber, plainDigits, withWholeNumber } from '#server/calling/parse-number.ts';
import { plainAmerican } from '#server/calling/us-phone.ts';
import { whyNoPhone } from '#server/lib/why-no-phone.ts';
import { websiteDomain } from '#server/websites/website-domain.ts';
import { isMailProvider } from '#websites/mail-providers.ts';

/** A value that the database can make a key of, or why it is none of its kind, in words. */
export type ReadEntry = { state: 'read'; value: string } | { state: 'wrong'; why: string };

const read = (value: string): ReadEntry => ({ state: 'read', value });
const wrong = (why: string): ReadEntry => ({ state: 'wrong', why });

/** Reads what people enter. */
export function readEntry(kind: SuppressionKind, text: string): ReadEntry {
  switch (kind) {
    case 'phone':
      return readPhone(text);
    case 'email':
      return readEmail(text);
    case 'domain':
      return readDomain(text);
    case 'business':
      return readPlaceId(text);
    case 'company':
      return isName(text) ? read(text) : wrong('This is not the name of a company.');
  }
}

/** Words that say a legal form, and nothing of who it is; see app.company_key. */
const LEGAL_FORMS =
  /\b(limited liability (company|co|partnership|limited partnership)|limited partnership|public limited company|professional (association|corporation|limited liability company)|incorporated|inc|llc|llp|lp|ltd|limited|co|company|corp|corporation|pllc|pc|plc|and)\b/g;
const isName = (text: string): boolean =>
  /[\p{L}\p{N}]/u.test(
    text
      .toLowerCase()
      .replaceAll(/[’'.]/g, '')
      .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
      .replaceAll(LEGAL_FORMS, ''),
  );

/** On the keys of a phone. */
const KEYPAD = '22233344455566677778889999';
/** Words before a number and behind a whole one: "Cell 303-555-0165", "(303) 555-0161 (cell)". Marks of direction as well. */
const [BEFORE, BEHIND] = [/^[a-z][a-z\s.:#'-]*[\s.:#-]+(?=[+(\d])/, /(?<=(?:\d[^a-z\d]*){9}\d)[^\d]*$/];
/** The same word that the database takes an extension for; see app.phone_key. */
const EXTENSION =
  /([,;]?\s*(?<![a-z])(e?xt(ensió)?n?|extension|anexo|int|доб|[x#~]|;ext=)[\s.:=,-]*\d{1,9}#?|[\s-]+\d{1,5}#|[,;]+\s*\d{1,7}#?)[^\da-z]*$/;

/** An area code in digits. Letters without one are words, such as "call office". */
const AREA_CODE = /^(?:[^a-z\d]*\d){3}/;

function readPhone(text: string): ReadEntry {
  const american = plainAmerican(text);
  if (american) return read(`+1${american}`);
  const called = withWholeNumber(plainDigits(text.normalize('NFKC')))
    .toLowerCase()
    .replace(/^[^+0-9a-z]*(tel:)?[^+0-9a-z]*/, '')
    .replace(BEFORE, '')
    .replace(/[^\p{L}\p{N}]+$/u, '')
    .replace(EXTENSION, '')
    .replace(BEHIND, '');
  const hasLetters = /[a-z]/.test(called);
  if (hasLetters && !AREA_CODE.test(called)) return wrong(whyNoPhone(text));
  const digits = called.replace(/[a-z]/g, (letter) => KEYPAD[letter.charCodeAt(0) - 'a'.charCodeAt(0)] ?? '');
  const phone = parseNumber(digits);
  // Of digits alone the length counts. Letters might be any words.
  const isOne = hasLetters ? phone?.isValid() : phone?.isPossible();
  return phone && isOne ? read(phone.number) : wrong(whyNoPhone(text));
}

/** Marks that no one sees, as app.email_key takes them away. */
const UNSEEN = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** Also out of "Name <name@example.com>" and "mailto:". */
function readEmail(text: string): ReadEntry {
  const address = (/<([^<>]*)>\s*$/.exec(text)?.[1] ?? text)
    .replaceAll(UNSEEN, '')
    .replace(/^[\s"'([{<]+(mailto:)?/i, '')
    .replace(/^mailto:/i, '')
    .replace(/\?.*$/, '')
    .replace(/[\s"')\]}>.,;:/]+$/, '');
  return /^[^\s@;,<>"()[\]:\\/]{1,64}@[^\s@;,<>"()]+\.[^\s@.;,<>"()]+$/.test(address) &&
    isHost(address.slice(address.indexOf('@') + 1))
    ? read(address)
    : wrong('This is not an email address, such as name@example.com.');
}

/** Whether the domain name system could have it (RFC 1035). In ASCII, international labels are longer than they look. */
function isHost(host: string): boolean {
  const labels = host
    .replaceAll(/[。．｡]/g, '.')
    .split('.')
    .map((label) => (/^[\u0020-\u007f]*$/.test(label) ? label : domainToASCII(label)));
  return labels.join('.').length <= 253 && labels.every((label) => /^[a-z\d_-]{1,63}$/i.test(label));
}

function readPlaceId(text: string): ReadEntry {
  const id = text.trim().replace(/^places\//, '');
  return /^[\w-]{5,300}$/.test(id) ? read(id) : wrong('This is not a place id of Google.');
}

function readDomain(text: string): ReadEntry {
  const { hostname, domain } = parse(text.trim().toLowerCase().normalize('NFKC').replaceAll('。', '.'));
  if (!hostname || !domain || !hostname.includes('.') || !isHost(hostname))
    return wrong('This is not a domain, such as example.com.');
  if (isMailProvider(domain)) return wrong(`Many people have mailboxes at ${domain}. Enter the address instead.`);
  if (websiteDomain(hostname).kind !== 'own' && !isSiteOfOne(hostname))
    return wrong(`Many businesses have a page at ${hostname}. Enter the business instead.`);
  return read(hostname);
}

/** A name of its own below a host of many, such as acme.wixsite.com. The key of "www." is the host itself. */
function isSiteOfOne(hostname: string): boolean {
  const { isPrivate, domain } = parse(hostname.replace(/^www\d?\./, ''), { allowPrivateDomains: true });
  return isPrivate === true && domain !== null;
}
