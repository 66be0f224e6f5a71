import { synonymsOf } from './synonyms.ts';

/**
 * What a place is found by: `c:` and a category, `w:` and a word of its name, both in one spelling.
 * Of a category with levels ("Health > Dentist") the last one counts.
 */
export function termsOf(name: string, categories: readonly string[]): string[] {
  const kinds = categories.map((category) => `c:${spell(category.split('>').at(-1) ?? '')}`);
  return [...new Set([...kinds, ...wordsOf(name).map((word) => `w:${word}`)])].filter((term) => term.length > 2);
}

/** What to look for: any of `categories`, or all of `words`, which may be none. */
export type Wanted = { categories: string[]; words: string[] };

/** Reads what someone typed as a business type or a name. */
export function wantedOf(query: string): Wanted {
  const phrase = spell(query);
  return {
    categories: synonymsOf(phrase).map((kind) => `c:${kind}`),
    words: [...new Set(wordsOf(query))].map((word) => `w:${word}`),
  };
}

/** One spelling for all of "Dental_Clinics", "dental-clinic" and "Dental clinic". */
export const spell = (text: string): string => wordsOf(text).join(' ');

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f'’]/g, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word && word !== 'and')
    .map(singular)
    .slice(0, 20);

function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(ch|sh|x|ss)es$/.test(word)) return word.slice(0, -2);
  return word.length > 3 && /[^su]s$/.test(word) ? word.slice(0, -1) : word;
}
