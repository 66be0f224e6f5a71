import { tidy } from '#server/features/imports/values/tidy.ts';

/** Between two numbers or addresses in one text. An extension may follow such a sign, too. */
const BETWEEN =
  /\s*(?:[;|](?!\s*(?:ext|x?\d{1,7}$))|\s\/\s)\s*|,\s+(?!ext|x?\d{1,7}$)|\s+(?:or|and|&)\s+(?=[+(\d]|\S+@)/i;

/** The numbers and addresses that one text names, such as a cell of a file. At least one, which may be empty. */
export const splitEntries = (text: string): string[] => {
  const whole = tidy(text.trim().replaceAll(/[\r\n]+/g, '; '));
  return (/[@\d]/.test(whole) ? whole.split(BETWEEN) : [whole]).map((part) => part.trim());
};
