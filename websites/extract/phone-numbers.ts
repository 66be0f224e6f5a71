import { findPhoneNumbersInText } from 'libphonenumber-js';
import { JOINT, linesOf, type PageContent } from './read-page.ts';
import { readStructured } from './structured-data.ts';

const MOST_DIGITS = 15;
const FEWEST_DIGITS = 7;
/** A line that may hold a number, written without the code of its country or with it. */
const MAY_HOLD = /\d(?:[^\p{L}\n]{0,4}\d){8}/u;
/** The word for a fax. A number that is both is a phone: "Tel/Fax". */
const FAX_WORD = String.raw`(?<!\b(?:tele?(?:phone)?|phone|voice|office|call)s?\.? ?(?:\/|&|\+|and|or|,) ?)\b(?:tele)?(?:fax(?:es)?|facsimile)\b`;
const FAX_BEFORE = new RegExp(
  String.raw`(?:${FAX_WORD}(?: ?(?:number|no\.?|us(?: at)?|at|line|to|#))?|(?:^|\d\s+|[|,;/·•\n]\s*)f(?=[:.\s]))\s*[:.|–-]*\s*\(?\+?$`,
  'i',
);
/** Behind a number, unless it says what the next one is. */
const FAX_BEHIND = new RegExp(String.raw`^\s*[([–-]?\s*${FAX_WORD}(?!\s*[:.]?\s*\+?\(?\d)`, 'i');
const FAX_LABEL = new RegExp(String.raw`^\W*${FAX_WORD}(?: ?(?:number|no\.?|us|line|#))?\W*$`, 'i');
/** What stands over or beside a number, an address or the like, in a line of its own. */
const LABEL =
  /^\W*(?:(?:our|main|toll[- ]?free|local|office|business|mobile|cell|direct|tele)\W*)*(?:phones?|tel|telephone|call(?: us)?|mobile|cell|office|main|voice|text|toll[- ]?free|fax|telefax|facsimile|e-?mail|name|address|location|city|hours|department|website|contact)(?: (?:number|no|us|line|address))?\W*$/i;
/** Characters of a line, and of all lines, that are searched for numbers. */
const LONGEST_LINE = 1_000;
const MOST_TEXT = 10_000;

/** The numbers that a page offers to call, names in its data, or shows, as written there. Fax numbers are none. */
export function findPhones(page: PageContent): string[] {
  const dialed = page.links.flatMap(({ href, text, before }) => {
    const number = /^\s*tel:([^?;]+)/i.exec(href)?.[1];
    return number === undefined
      ? []
      : [{ number, isFax: FAX_BEFORE.test(before) || FAX_BEFORE.test(firstWords(text)) }];
  });
  const { phones, faxes } = readStructured(page);
  const shown = shownOn(page);
  const said = new Set([...phones, ...numbersOf(shown, false)].map(keyOf));
  // A link says the same of each number; what stands around it is what a person goes by.
  const silent = new Set(
    [...faxes, ...numbersOf([...dialed, ...shown], true)].map(keyOf).filter((key) => !said.has(key)),
  );
  const numbers = new Map<string, string>();
  for (const text of [...numbersOf(dialed, false), ...phones, ...numbersOf(shown, false)]) {
    const number = text.replaceAll('%20', ' ').trim();
    const digits = number.replace(/\D/g, '');
    const key = keyOf(text);
    if (number.length > 40 || digits.length < FEWEST_DIGITS || digits.length > MOST_DIGITS || silent.has(key)) continue;
    if (!numbers.has(key)) numbers.set(key, number);
  }
  return [...numbers.values()];
}

type Shown = { number: string; isFax: boolean };
const numbersOf = (shown: readonly Shown[], fax: boolean): string[] =>
  shown.flatMap(({ number, isFax }) => (isFax === fax ? number : []));
const keyOf = (number: string): string =>
  number
    .replaceAll('%20', ' ')
    .replace(/\D/g, '')
    .replace(/^1(?=\d{10}$)/, '');
const firstWords = (text: string): string => /^[^\d+(]*/.exec(text.trim())?.[0] ?? '';

/** Numbers in visible text that are valid, read as American ones where they name no country. */
function shownOn({ jointed }: PageContent): Shown[] {
  const lines = [...linesOf(jointed.replaceAll(JOINT, ' '), LONGEST_LINE)].filter((line) => line.trim() !== '');
  const faxLines = linesOfFaxes(lines);
  const found: Shown[] = [];
  let left = MOST_TEXT;
  for (const [at, line] of lines.entries()) {
    if (!MAY_HOLD.test(line)) continue;
    left -= line.length;
    if (left < 0) break;
    for (const { startsAt, endsAt } of findPhoneNumbersInText(line, 'US')) {
      const isFax =
        FAX_BEFORE.test(line.slice(Math.max(0, startsAt - 40), startsAt)) ||
        FAX_BEHIND.test(line.slice(endsAt, endsAt + 40)) ||
        (faxLines.has(at) && isBare(line));
      found.push({ number: line.slice(startsAt, endsAt), isFax });
    }
  }
  return found;
}

const LONGEST_LABEL = 60;
const isLabel = (line: string | undefined): boolean =>
  line !== undefined && line.length <= LONGEST_LABEL && LABEL.test(line);
/** A line that is nothing but a number. */
const isBare = (line: string | undefined): boolean =>
  line !== undefined && line.length <= LONGEST_LABEL && MAY_HOLD.test(line) && !/\p{L}{2}/u.test(line);

/**
 * Lines whose number belongs to "Fax" in another line or cell of a table:
 * - the next one, or the one before where numbers stand over their labels
 * - under a row of labels, the one in the same place of each row
 */
function linesOfFaxes(lines: readonly string[]): Set<number> {
  const faxes = new Set<number>();
  let left = MOST_FAXES;
  for (const [at, line] of lines.entries()) {
    if (line.length > LONGEST_LABEL || !FAX_LABEL.test(line)) continue;
    left -= 1;
    if (left < 0) break;
    let first = at;
    while (at - first < MOST_COLUMNS && isLabel(lines[first - 1])) first -= 1;
    let end = at + 1;
    while (end - at < MOST_COLUMNS && isLabel(lines[end])) end += 1;
    const columns = end - first;
    if (columns > 1) {
      for (let cell = end + at - first; isBare(lines[cell]); cell += columns) faxes.add(cell);
      continue;
    }
    let begin = at;
    while (at - begin < MOST_COLUMNS && (isLabel(lines[begin - 1]) || isBare(lines[begin - 1]))) begin -= 1;
    if (begin < at && isBare(lines[begin])) faxes.add(at - 1);
    else faxes.add(at + 1);
  }
  return faxes;
}
/** Cells of a row, and lines of a block of numbers. */
const MOST_COLUMNS = 12;
/** Of a page that is written for people. */
const MOST_FAXES = 500;
