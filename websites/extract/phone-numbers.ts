import type { PageContent } from './read-page.ts';
import { readStructured } from './structured-data.ts';

const MOST_DIGITS = 15;
const FEWEST_DIGITS = 7;

/** The numbers that a page offers to call, or names in its data, as written there. */
export function findPhones(page: PageContent): string[] {
  const dialed = page.links.flatMap(({ href }) => /^\s*tel:([^?;]+)/i.exec(href)?.[1] ?? []);
  const numbers = new Map<string, string>();
  for (const text of [...dialed, ...readStructured(page).phones]) {
    const number = text.replaceAll('%20', ' ').trim();
    const digits = number.replace(/\D/g, '');
    if (number.length > 40 || digits.length < FEWEST_DIGITS || digits.length > MOST_DIGITS) continue;
    const key = digits.replace(/^1(?=\d{10}$)/, '');
    if (!numbers.has(key)) numbers.set(key, number);
  }
  return [...numbers.values()];
}
