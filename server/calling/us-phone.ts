import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** A number as E.164. Without a country code it is read as American; undefined for what is no number. */
export function e164Of(text: string): string | undefined {
  const phone = parsePhoneNumberFromString(text.trim(), { defaultCountry: 'US', extract: false });
  return phone?.isPossible() ? phone.number : undefined;
}
