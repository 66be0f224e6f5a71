import { parseNumber } from '#server/calling/parse-number.ts';

const AMERICAN = /^(?:\+?1[\s.-]*)?\(?([2-9]\d{2})\)?[\s./-]*([2-9]\d{2})[\s.-]*(\d{4})(?:\.0)?$/;
/** What number it is, before it or behind. Forms of ads write "p:+13125550142". */
const LABEL =
  /^(?:p:|(?:telephone|tel|phone|ph|mobile|cell|office|work|home|main|direct|business|landline)[.:\s])[.:\s]*|\s*\((?:tel|phone|mobile|cell|office|work|home|main|direct|business|landline|c|d|h|m|o|w)\)\s*$/gi;
/** Between two whole numbers in one cell: a line break has become a space. */
const NEXT =
  /(?<=\d{4}(?:\s*\([a-z ]+\))?)\s*(?:[-–~&\\]|:::|\s)\s*(?=(?:[a-z]+[.:]\s*)?(?:\+?1[\s.-]*)?\(?[2-9]\d{2}\)?[\s./-]*[2-9]\d{2}[\s.-]*\d{4}(?!\d))/i;
/** The same, where a sign or a word tells them apart. */
const BETWEEN = /\s*(?:[/|;,\n]|\bor\b|\band\b)\s*(?=[+(\d]|(?:tel|phone|ph|mobile|cell|(?:tele)?fax)\b)/i;
/** What no one has: many people's forms demand a number, and their records hold "000-000-0000" or "123-456-7890" for all without one. */
const CAN_BE_AMERICAN = /^[2-9]\d{2}[2-9]\d{6}$/;
const PLACEHOLDER = /^(\d)\1+$/;
/** A fax number, by what is written in front of it or behind. */
const FAX = /^[^\p{L}\d]*(?:tele)?fax\b|[^\p{L}](?:tele)?fax[)\]]?\s*$/iu;

/** A toll-free number that ends in letters. Behind any other area code they may be a remark, as in "217-UNKNOWN". */
const IN_LETTERS =
  /^(?:\+?1[\s.-]*)?\(?(8(?:00|22|33|44|55|66|77|88))\)?[\s.-]*(?!.*(?:xxx|none|null))([2-9a-z](?:[.-]?[\da-z]){6,9})$/i;
const KEYS = '22233344455566677778889999';
const keyOf = (letter: string): string => KEYS[letter.toLowerCase().charCodeAt(0) - 'a'.charCodeAt(0)] ?? '';

/** What is dialed for "1-800-FLOWERS". The network hears no more than seven keys behind the area code. */
function inLetters(text: string): string | undefined {
  const [, area, word = ''] = IN_LETTERS.exec(text) ?? [];
  const dialed = word.replaceAll(/[.-]/g, '').slice(0, 7);
  if (area === undefined || !/[a-z].*[a-z].*[a-z]/i.test(dialed)) return undefined;
  const digits = dialed.replaceAll(/[a-z]/gi, keyOf);
  return CAN_BE_AMERICAN.test(area + digits) ? `+1 ${area}-${digits.slice(0, 3)}-${digits.slice(3)}` : undefined;
}

/** Whether a text speaks of a fax. */
export const namesFax = (text: string): boolean => /\b(?:tele)?fax\b/i.test(text);

/** The first phone number of a cell, as leads have it: "+1 312-555-0142". Undefined where there is none with its area code. */
export function firstPhone(text: string): string | undefined {
  const american = AMERICAN.exec(text);
  if (american) return PLACEHOLDER.test(american.slice(1).join('')) ? undefined : `+1 ${american.slice(1).join('-')}`;
  const whole = FAX.test(text) ? undefined : (parsed(text) ?? inLetters(text));
  if (whole) return whole;
  const parts = text.split(BETWEEN).flatMap((part) => part.split(NEXT));
  if (parts.length === 1) return undefined;
  const first = parts.find((part) => !FAX.test(part));
  return first === undefined ? undefined : firstPhone(first.trim());
}

function parsed(text: string): string | undefined {
  // Digits of a date or an amount are no number.
  if (text.length > 60 || !/\d{3}|[a-z]{3}/i.test(text)) return undefined;
  const phone = parseNumber(text.replace(LABEL, ''));
  if (!phone?.isPossible()) return undefined;
  const { countryCallingCode, nationalNumber, ext } = phone;
  const tail = ext ? ` ext. ${ext}` : '';
  // It writes an extension itself.
  if (countryCallingCode !== '1') return phone.formatInternational();
  if (!CAN_BE_AMERICAN.test(nationalNumber) || PLACEHOLDER.test(nationalNumber)) return undefined;
  return `+1 ${nationalNumber.slice(0, 3)}-${nationalNumber.slice(3, 6)}-${nationalNumber.slice(6)}${tail}`;
}
