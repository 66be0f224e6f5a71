import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** What stands in a lead's phone field. `none`: nothing. `foreign`: not a US number, or not a number at all. */
export type LeadPhone = { kind: 'us'; number: string } | { kind: 'foreign' } | { kind: 'none' };

/** The 10 digits of a US number. Without a country code it is read as one; a number of another country is never guessed into one. */
export function readPhone(phone: string | null): LeadPhone {
  const text = phone?.trim();
  if (!text) return { kind: 'none' };
  const parsed = parsePhoneNumberFromString(text, { defaultCountry: 'US', extract: false });
  if (parsed?.country !== 'US' || !parsed.isValid()) return { kind: 'foreign' };
  return { kind: 'us', number: parsed.nationalNumber };
}
