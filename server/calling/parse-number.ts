import { type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** What the library takes for an extension without a word for it. */
const UNNAMED_EXTENSION = /([\s-]+\d{1,5}#|[,;]+\s*\d{1,7}#?)[^\da-z]*$/i;
/** What once stood before numbers of Mexico, and is not known to the library. */
const MEXICAN = /^(\D*52\D*)(?:0\D*)?(?:1|4\D*[45])(?=\D*[2-9](?:\D*\d){9}\D*$)/;

/** Reads a whole text as one number; without a country code it is American. Extensions are those of app.without_extension. */
export const parseNumber = (text: string): PhoneNumber | undefined =>
  parsePhoneNumberFromString(withWholeNumber(plainDigits(text)), { defaultCountry: 'US', extract: false });

/** Takes the signs of an extension away where the number would not be whole without its digits, as in "303-555-0142#". */
export function withWholeNumber(text: string): string {
  const at = text.search(UNNAMED_EXTENSION);
  const [before, behind] = at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at)];
  const isForeign = /^\D*(00|011)|\+/.test(text);
  const digits = before.replaceAll(/\D/g, '').replace(/^(011|00)/, '');
  const whole = digits.length >= (isForeign ? 11 : 10) ? text : before + behind.replaceAll(/[#,;]/g, ' ');
  return isForeign ? whole.replace(MEXICAN, '$1') : whole;
}

const ARABIC = 0x0660;
const PERSIAN = 0x06f0;

/** The text with Arabic and Persian digits written as 0 to 9, as app.plain_number writes them. */
export const plainDigits = (text: string): string =>
  text.replaceAll(/[٠-٩۰-۹]/g, (digit) => {
    const code = digit.codePointAt(0) ?? ARABIC;
    return String(code - (code < PERSIAN ? ARABIC : PERSIAN));
  });
