import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** The subject of a number in any spelling, "phone:+12175550100"; undefined for what is no number. American without a country code. */
export function phoneSubject(text: string): string | undefined {
  const phone = parsePhoneNumberFromString(text.trim(), { defaultCountry: 'US', extract: false });
  return phone?.isPossible() ? `phone:${phone.number}` : undefined;
}
