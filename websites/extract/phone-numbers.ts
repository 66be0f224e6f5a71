import { findPhoneNumbersInText } from 'libphonenumber-js';
import { linesOf, type PageContent } from './read-page.ts';
import { readStructured } from './structured-data.ts';

const MOST_DIGITS = 15;
const FEWEST_DIGITS = 7;
/** A line that may hold a number, written without the code of its country or with it. */
const MAY_HOLD = /\d(?:[^\p{L}\n]{0,4}\d){8}/u;
/** In front of a number to which no one talks, behind it, and in a line of its own above it. */
const FAX = /(?:\b(?:tele)?fax(?: (?:number|no\.?|us at|at))?\s*[:.|#–-]*|(?:^|[\n|,;/·•]\s*|\d\s+)f[:.]?)\s*$/i;
const FAX_BEHIND = /^\s*(?:[([]\s*(?:tele)?fax\s*[)\]]|[,|–-]?\s*(?:tele)?fax\s*$)/i;
const FAX_ABOVE = /^\W*(?:tele)?fax(?: (?:number|no))?\W*$/i;
const FAX_LINK = /^\W*(?:tele)?fax\b/i;
/** Characters of a line, and of all lines, that are searched for numbers. */
const LONGEST_LINE = 1_000;
const MOST_TEXT = 10_000;

/** The numbers that a page offers to call, names in its data, or shows, as written there. */
export function findPhones(page: PageContent): string[] {
  const dialed = page.links.flatMap(({ href, text, before }) =>
    FAX.test(before) || FAX_LINK.test(text) ? [] : (/^\s*tel:([^?;]+)/i.exec(href)?.[1] ?? []),
  );
  const numbers = new Map<string, string>();
  for (const text of [...dialed, ...readStructured(page).phones, ...shownOn(page)]) {
    const number = text.replaceAll('%20', ' ').trim();
    const digits = number.replace(/\D/g, '');
    if (number.length > 40 || digits.length < FEWEST_DIGITS || digits.length > MOST_DIGITS) continue;
    const key = digits.replace(/^1(?=\d{10}$)/, '');
    if (!numbers.has(key)) numbers.set(key, number);
  }
  return [...numbers.values()];
}

/** Numbers in visible text that are valid, read as American ones where they name no country. */
function shownOn({ text }: PageContent): string[] {
  const found: string[] = [];
  let left = MOST_TEXT;
  let above = '';
  for (const line of linesOf(text, LONGEST_LINE)) {
    if (line.trim() === '') continue;
    const isBelowFax = FAX_ABOVE.test(above);
    above = line;
    if (!MAY_HOLD.test(line)) continue;
    left -= line.length;
    if (left < 0) break;
    for (const { startsAt, endsAt } of findPhoneNumbersInText(line, 'US')) {
      const [before, behind] = [line.slice(Math.max(0, startsAt - 40), startsAt), line.slice(endsAt, endsAt + 40)];
      const isFax =
        FAX.test(before) || FAX_BEHIND.test(behind) || (isBelowFax && line.slice(0, startsAt).trim() === '');
      if (!isFax) found.push(line.slice(startsAt, endsAt));
    }
  }
  return found;
}
