import { Parser } from 'htmlparser2';
import { hidesOf } from './hidden.ts';
import { isOfVisitors } from './others-words.ts';

/** `before`: what stands in front of it. */
type PageLink = { href: string; text: string; before: string };
/** What someone wrote on a page. */
export type Writings = {
  /** What a person could read, with a `JOINT` where two elements meet without a space. How they are shown, only their styles could tell. */
  jointed: string;
  links: PageLink[];
  /** Cloudflare's encoded addresses, in hexadecimal digits. */
  encoded: string[];
};
/** What a page says, for the rest of this folder. Nothing of it has been judged. `jointed`, `links`, `encoded`: without those of visitors. */
export type PageContent = Writings & {
  /** All that a person could read. A line break is "\n"; two empty lines stand between blocks. */
  text: string;
  /** What visitors wrote, in comments and reviews. */
  ofVisitors: Writings;
  /** What stands in boxes of text, such as terms of use that can be scrolled, and what is hidden at first, such as those that open on a click. */
  boxes: string;
  /** What a tag says that refuses the taking of addresses (see `REFUSAL`). */
  refusal: string | undefined;
  /** The bodies of its JSON-LD scripts. */
  jsonLd: string[];
  base: string | undefined;
  /** Where the page leads by itself within seconds ("meta refresh"), as written there. */
  proveEntry: string | undefined;
};

const UNREAD = new Set(['bdo', 'style', 'template', 'textarea', 'select', 'title', 'svg', 'iframe', 'object']);
const INLINE = new Set(
  'a abbr acronym b bdi big cite code data del dfn em font i ins kbd mark nobr q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);
/** Shown within a line, apart from the words around them. */
const APART = new Set(
  'img picture label button input video audio canvas meter output progress svg select textarea'.split(' '),
);
/** What stands there was said by someone else, where it is signed. Old pages only indent with it. */
const QUOTING = new Set(['figure', 'blockquote']);
const SAYS_WHO = new Set(['cite', 'figcaption']);
/** `begin`, `links`, `encoded`: how much of each stood before it. */
type Quote = { depth: number; begin: number; links: number; encoded: number; isQuote: boolean; isSigned: boolean };
/** Where the lines of the source are those that a person sees. */
const PREFORMATTED = new Set(['pre', 'listing', 'xmp', 'plaintext']);
const PREFORMATTED_STYLE = /white-space\s*:\s*(?:pre|break-spaces)/i;
/** Stands between two elements of one line. */
export const JOINT = '\ufdd2';
/** While a page is read: a break within a block, and one around it. */
const BREAK = '\ufdd0';
const BLOCK = '\ufdd1';
const MARKS = /[\ufdd0-\ufdd2]/g;
/** The name of the tag with which sites say to machines that addresses must not be taken. */
const REFUSAL = 'no-email-collection';
/** "0; url=https://firm.example/", in at most ten seconds. A page that only loads itself again names no address. */
const REFRESH = /^\s*(?:0*(?:10|\d))?(?:\.\d*)?\s*[;,]\s*(?:url\s*=\s*)?["']?\s*([^"'\s][^"']{0,2000})/i;
const JSON_LD = /^application\/ld\+json\b/i;
/** How much of what stands in front of a link is kept, in pieces of text and in characters. */
const BEFORE_PARTS = 8;
const BEFORE = 60;
/** Elements within each other, of a page that is written for people. */
const MOST_DEPTH = 1_000;
/** For the end of each element, the parser goes through those that are open. */
const MOST_STEPS = 40_000_000;
/** Read at a time before the depth is looked at, in characters. */
const PORTION = 16_384;
/** Of a page with more links than any that is written for people, and with more blocks of data. */
const MOST_LINKS = 2_000;
const MOST_BLOCKS = 100;
const MOST_ENCODED = 200;
const LONGEST_LABEL = 200;

/**
 * Reads a page without running anything of it. Never throws, whatever the text is.
 * - `isPlain`: whether it came as text/plain, of which a person sees each line as it is.
 */
export function readPage(html: string, { isPlain = false } = {}): PageContent {
  const page: PageContent = {
    text: '',
    ofVisitors: { jointed: '', links: [], encoded: [] },
    jointed: '',
    boxes: '',
    refusal: undefined,
    links: [],
    jsonLd: [],
    encoded: [],
    base: undefined,
    proveEntry: undefined,
  };
  const ofFirm: string[] = [];
  const ofVisitors: string[] = [];
  let text = ofFirm;
  let writings: Writings = page;
  const boxes: string[] = [];
  let inBox = false;
  let isCode = false;
  /** What stands there is for browsers without scripts: a note, often, that asks for another browser. */
  let inNoscript = false;
  /** How deep the parser is inside of what is not read; 0 outside. */
  let unread = 0;
  /** How deep the parser is inside of what keeps its lines; 0 outside. */
  let preformatted = 0;
  /** How deep the parser is inside of what visitors wrote; 0 outside. */
  let visitors = 0;
  let depth = 0;
  /** Quotations that the parser is inside of. */
  const quotes: Quote[] = [];
  const hides = hidesOf(html);
  let script: string[] | undefined;
  let link: PageLink | undefined;
  const endQuote = (quote: Quote | undefined, isImplied: boolean): void => {
    // One that its author forgot to end would reach to the end of the page.
    if (!quote?.isQuote || !quote.isSigned || isImplied) return;
    for (const part of [BLOCK, ...ofFirm.splice(quote.begin), BLOCK]) ofVisitors.push(part);
    ofFirm.push(BLOCK);
    page.ofVisitors.links.push(...page.links.splice(quote.links));
    page.ofVisitors.encoded.push(...page.encoded.splice(quote.encoded));
  };
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        const isHidden = unread === 0 && hides(name, attributes);
        if (unread > 0 || isUnread(name, isHidden)) {
          if (unread === 0 && APART.has(name)) text.push(' ');
          if (unread === 0) inBox = name === 'textarea' || isHidden;
          if (inBox) boxes.push(withoutMarks(markOf(name)));
          isCode = name === 'script' || name === 'style';
          unread += 1;
          if (name === 'script' && JSON_LD.test(attributes.type ?? '') && page.jsonLd.length < MOST_BLOCKS) script = [];
          return;
        }
        const quote = quotes.at(-1);
        if (quote && SAYS_WHO.has(name)) quote.isSigned = true;
        if (visitors > 0 || isOfVisitors(name, attributes)) visitors += 1;
        else if (QUOTING.has(name)) {
          const [begin, links, encoded] = [ofFirm.length, page.links.length, page.encoded.length];
          quotes.push({ depth, begin, links, encoded, isQuote: false, isSigned: false });
        }
        if (name === 'blockquote') for (const one of quotes.slice(-2)) one.isQuote = true;
        if (visitors === 1) {
          ofFirm.push(BLOCK);
          text = ofVisitors;
          writings = page.ofVisitors;
        }
        if (preformatted > 0 || isPreformatted(name, attributes)) preformatted += 1;
        text.push(markOf(name));
        if (name === 'meta' && attributes.name?.toLowerCase() === REFUSAL)
          page.refusal ??= `${REFUSAL} ${attributes.content ?? ''}`.trim();
        if (name === 'noscript') inNoscript = true;
        if (name === 'meta' && !inNoscript && attributes['http-equiv']?.trim().toLowerCase() === 'refresh')
          page.proveEntry ??= REFRESH.exec(attributes.content ?? '')?.[1];
        if (name === 'base') page.base ??= attributes.href;
        if (attributes['data-cfemail'] && writings.encoded.length < MOST_ENCODED)
          writings.encoded.push(attributes['data-cfemail']);
        if ((name === 'a' || name === 'area') && attributes.href && writings.links.length < MOST_LINKS) {
          const label = (attributes['aria-label'] ?? attributes.title ?? '').slice(0, LONGEST_LABEL);
          const before = text.slice(-BEFORE_PARTS).map((part) => part.slice(-BEFORE));
          link = { href: attributes.href, text: label, before: withoutMarks(before.join('')).slice(-BEFORE) };
          writings.links.push(link);
        }
      },
      ontext(given) {
        if (script) script.push(given);
        if (inBox && !isCode) boxes.push(given);
        if (unread > 0) return;
        const part = given.replace(MARKS, ' ');
        text.push(isPlain || preformatted > 0 ? part : part.replace(/[\r\n]+/g, ' '));
        if (link && link.text.length < LONGEST_LABEL) link.text += ` ${part.slice(0, LONGEST_LABEL)}`;
      },
      onclosetag(name, isImplied) {
        if (quotes.at(-1)?.depth === depth) endQuote(quotes.pop(), isImplied);
        depth -= 1;
        if (unread > 0) {
          unread -= 1;
          isCode = false;
          if (inBox) boxes.push(unread === 0 ? '\n\n\n' : withoutMarks(markOf(name === 'br' ? 'wbr' : name)));
          if (unread === 0) inBox = false;
          if (script && name === 'script') {
            page.jsonLd.push(script.join(''));
            script = undefined;
          }
          return;
        }
        if (preformatted > 0) preformatted -= 1;
        if (name === 'a') link = undefined;
        if (name === 'noscript') inNoscript = false;
        if (name !== 'br') text.push(markOf(name));
        if (visitors === 0) return;
        visitors -= 1;
        if (visitors > 0) return;
        ofVisitors.push(BLOCK);
        text = ofFirm;
        writings = page;
      },
    },
    { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
  );
  let steps = 0;
  for (let at = 0; at < html.length && depth <= MOST_DEPTH && steps <= MOST_STEPS; at += PORTION) {
    const portion = html.slice(at, at + PORTION);
    parser.write(portion);
    steps += depth * portion.split('</').length;
  }
  parser.end();
  page.jointed = joined(ofFirm);
  page.ofVisitors.jointed = joined(ofVisitors);
  page.text = [page.jointed, page.ofVisitors.jointed].filter(Boolean).join('\n\n\n').replaceAll(JOINT, '');
  page.boxes = boxes.join('').replace(MARKS, ' ').replace(/\r\n?/g, '\n');
  return page;
}

const joined = (parts: readonly string[]): string =>
  parts
    .join('')
    .replace(/[\u00ad\u200b-\u200d\u2060\ufeff]/g, '')
    .replace(/\r\n?/g, '\n')
    .replace(/[\s\ufdd0-\ufdd2]+/g, spaceOf);

function markOf(name: string): string {
  if (name === 'br') return BREAK;
  if (name === 'wbr') return '';
  if (APART.has(name)) return ' ';
  return INLINE.has(name) ? JOINT : BLOCK;
}

/** What stands between two words, as the rest of this folder knows it. */
function spaceOf(run: string): string {
  if (run.includes(BLOCK)) return '\n\n\n';
  const breaks = run.replace(/[^\n\ufdd0]/g, '').length;
  if (breaks > 0) return breaks > 1 ? '\n\n' : '\n';
  return run.split(JOINT).join('') === '' ? JOINT : ' ';
}

const withoutMarks = (text: string): string =>
  text.replaceAll(JOINT, '').replaceAll(BREAK, '\n').replaceAll(BLOCK, '\n\n\n');

/** The lines of a text. One longer than `longest`, in characters, comes in parts that end between two words. */
export function* linesOf(text: string, longest: number): Generator<string> {
  for (const line of text.split('\n')) {
    let rest = line;
    while (rest.length > longest) {
      let end = rest.lastIndexOf(' ', longest);
      while (end > 0 && !BETWEEN_WORDS.test(rest.slice(end - 1, end + 2))) end = rest.lastIndexOf(' ', end - 1);
      yield rest.slice(0, end > 0 ? end : longest);
      // What goes on without words is not looked at: a number would be cut in two.
      rest = end > 0 ? rest.slice(end + 1) : '';
    }
    yield rest;
  }
}
const BETWEEN_WORDS = /^\p{L} \p{L}$/u;

const isPreformatted = (name: string, { style = '' }: Readonly<Record<string, string>>): boolean =>
  PREFORMATTED.has(name) || PREFORMATTED_STYLE.test(style);

/** Scripts, what is no text, and what its author hides: words there are for machines, or to be left out of an address. */
const isUnread = (name: string, isHidden: boolean): boolean => name === 'script' || UNREAD.has(name) || isHidden;
