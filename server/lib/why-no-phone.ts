/** What spreadsheets write for a number in a narrow column: most of its digits are gone. */
export const ROUNDED_NUMBER = /^\+?\d(?:[.,]\d+)?e\+?\d{1,2}$/i;

/** Why a text is not read as a phone number. Numbers without a country code are taken for American ones. */
export const whyNoPhone = (text: string): string =>
  ROUNDED_NUMBER.test(text.trim())
    ? 'A spreadsheet rounded this number. Make its column a text, and save the file again.'
    : /^[\s(]*\+/.test(text)
      ? 'This is not a phone number.'
      : 'This is not a US number, and it has no country code.';
