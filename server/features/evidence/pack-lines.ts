const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;

/** An ISO time in UTC, to the second; other text as it is. */
export const shortTime = (text: string): string =>
  TIME.test(text) ? `${new Date(text).toISOString().slice(0, 19).replace('T', ' ')} UTC` : text;

/** What an object says, as lines such as "answered at: 2026-11-26 15:40:11 UTC". */
export function linesOf(value: object, before = ''): string[] {
  return Object.entries(value).flatMap(([name, one]: [string, unknown]) => {
    const label = before + wordsOf(name);
    if (Array.isArray(one) && one.every((each) => !isObject(each))) return [`${label}: ${one.map(textOf).join(', ')}`];
    return isObject(one) ? linesOf(one, `${label} `) : [`${label}: ${textOf(one)}`];
  });
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** "answeredAt" as words. Entries of a list are counted from 1. */
const wordsOf = (name: string): string =>
  /^\d+$/.test(name) ? String(Number(name) + 1) : name.replace(/(?<=[a-z\d])[A-Z]/g, ' $&').toLowerCase();

const textOf = (value: unknown): string => {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value === null ? 'none' : shortTime(String(value));
};
