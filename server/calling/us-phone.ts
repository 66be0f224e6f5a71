import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { parseNumber } from '#server/calling/parse-number.ts';

/** In a usual spelling, with its area code. */
const AMERICAN = /^(?:\+?1[ .-]?)?(?:\([2-9]\d\d\)|[2-9]\d\d)[ .-]?[2-9]\d\d[ .-]?\d{4}$/;

/** The 10 digits of a plain American number, for which the library would take a hundred times as long. Undefined for all others. */
export const plainAmerican = (text: string): string | undefined =>
  AMERICAN.test(text) ? text.replace(/\D/g, '').slice(-10) : undefined;

/**
 * A number as E.164, also of a link such as tel:2125550149, and where words stand around it. Without a country code it is American;
 * undefined for what is no number.
 */
export function e164Of(text: string): string | undefined {
  const said = text.trim().replace(/^tel:\s*/i, '');
  const whole = parseNumber(said);
  const phone = whole?.isPossible() ? whole : parsePhoneNumberFromString(said, 'US');
  return phone?.isPossible() ? phone.number : undefined;
}
