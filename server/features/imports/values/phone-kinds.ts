import type { ImportField } from '#contract/imports/fields.ts';
import { plainHeader } from './plain-header.ts';

const OF_KIND = /^(?:type|label|kind)$/;
const OF_NUMBER = /^(?:value|number|no|of)$/;
const HOME = /\b(?:home|personal|private|residence|residential)\b/i;

/** Whether a header, or what a column beside it says, is about the number of someone's home. */
export const namesHome = (text: string): boolean => HOME.test(text.replaceAll('_', ' '));

const wordsOf = (header: string): string[] =>
  plainHeader(header)
    .replaceAll(/([a-z])(\d)/g, '$1 $2')
    .split(' ');

/** Found once for all rows of a part. */
const found = new WeakMap<readonly { header: string; field: ImportField }[], ReadonlyMap<number, number>>();

/** For columns of phones the one that says what kind of number each is, by their places: "Phone 1 - Type" of "Phone 1 - Value". */
export function kindColumns(columns: readonly { header: string; field: ImportField }[]): ReadonlyMap<number, number> {
  const before = found.get(columns);
  if (before) return before;
  const stem = (words: readonly string[]) =>
    words
      .filter((word) => !OF_KIND.test(word) && !OF_NUMBER.test(word))
      .toSorted()
      .join(' ');
  const headers = columns.map(({ header }) => wordsOf(header));
  const saysKind = headers.map((words) => words.some((word) => OF_KIND.test(word)));
  const kinds = new Map<number, number>();
  for (const [at, { field }] of columns.entries()) {
    if (field !== 'phone') continue;
    const named = headers.findIndex((words, other) => saysKind[other] && stem(words) === stem(headers[at] ?? []));
    // "Phone, Type, Phone 2, Type 2".
    const isBehind = saysKind[at + 1] && /^\d*$/.test(stem(headers[at + 1] ?? []));
    if (named !== -1 && named !== at) kinds.set(at, named);
    else if (isBehind) kinds.set(at, at + 1);
  }
  found.set(columns, kinds);
  return kinds;
}
