import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** The subject of a number in any spelling, "phone:+12175550100". Undefined for other text. Without a country code, it is American. */
export function phoneSubject(text: string): string | undefined {
  const phone = parsePhoneNumberFromString(text.trim(), { defaultCountry: 'US', extract: false });
  return phone?.isPossible() ? `phone:${phone.number}` : undefined;
}
