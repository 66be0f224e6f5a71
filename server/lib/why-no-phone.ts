/** Why a text is not read as a phone number. Numbers without a country code are taken for American ones. */
export const whyNoPhone = (text: string): string =>
  /^[\s(]*\+/.test(text) ? 'This is not a phone number.' : 'This is not a US number, and it has no country code.';
