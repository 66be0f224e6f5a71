import { linesOf, type PageContent } from './read-page.ts';

/** A business as it is known before its website is read. */
export type KnownBusiness = { name: string; phone?: string | undefined };

/** Words that stand in the names of too many. */
const COMMON = new Set(
  'the and of in at by for a an inc incorporated llc llp lp ltd limited co company corp pllc pc'.split(' '),
);
/** What those write who sell or park a domain, often with the name of the firm that had it. */
const FOR_SALE =
  /\b(?:buy|purchase|get|own|inquire about) this domain\b|\bdomain(?: name)? (?:is |may be |might be )?(?:parked|for sale|available for (?:sale|purchase))|\bparked (?:domain|free)\b|\bthis domain\b.{0,60}\bfor sale\b/i;
/** Names and numbers are looked for in lines up to this length, in characters. */
const LONGEST_LINE = 2_000;

/**
 * Whether a page says that it is of one of these businesses: by its phone, or all the words of its name in one line.
 * A page that offers its domain for sale is of none.
 */
export function namesBusiness(page: PageContent, businesses: readonly KnownBusiness[]): boolean {
  const lines = [...linesOf(page.text, LONGEST_LINE)];
  if (lines.some((line) => FOR_SALE.test(line))) return false;
  const phones = new Set(businesses.flatMap(({ phone }) => digitsOf(phone ?? '') ?? []));
  const dialed = page.links.flatMap(({ href }) => (/^\s*tel:/i.test(href) ? [href.slice(0, 60)] : []));
  if ([...dialed, ...lines].some((text) => numbersIn(text).some((number) => phones.has(number)))) return true;
  const names = businesses.map(({ name }) => distinctive(name)).filter(({ length }) => length > 0);
  return lines.some((line) => {
    const words = new Set(wordsOf(line));
    return names.some((name) => name.every((word) => words.has(word)));
  });
}

const NUMBER = /\+?\d(?:[\s().-]{0,3}\d){9,14}/g;
const numbersIn = (text: string): string[] =>
  [...text.replaceAll('%20', ' ').matchAll(NUMBER)].flatMap(([number]) => digitsOf(number) ?? []);

/** The ten digits of a number, or more with the code of another country; undefined for what is shorter. */
function digitsOf(text: string): string | undefined {
  const digits = text.replace(/\D/g, '').replace(/^1(?=\d{10}$)/, '');
  return digits.length >= 10 ? digits : undefined;
}

function distinctive(name: string): string[] {
  const words = wordsOf(name);
  const rare = words.filter((word) => !COMMON.has(word));
  return rare.some((word) => word.length > 2) ? rare : words;
}

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f'’]/g, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
