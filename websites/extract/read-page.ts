import { Parser } from 'htmlparser2';

/** `before`: what stands in front of it. */
type PageLink = { href: string; text: string; before: string };
/** What a page says, for the rest of this folder. Nothing of it has been judged. */
export type PageContent = {
  /** What a person could read. A line break is "\n"; an empty line stands between blocks. */
  text: string;
  links: PageLink[];
  /** The bodies of its JSON-LD scripts. */
  jsonLd: string[];
  /** Cloudflare's encoded addresses, in hexadecimal digits. */
  encoded: string[];
  base: string | undefined;
};

const UNREAD = new Set(['style', 'template', 'textarea', 'select', 'title', 'svg', 'iframe', 'object']);
const INLINE = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd mark nobr q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);
/** Where the lines of the source are those that a person sees. */
const PREFORMATTED = new Set(['pre', 'listing', 'xmp', 'plaintext']);
const PREFORMATTED_STYLE = /white-space\s*:\s*(?:pre|break-spaces)/i;
/** Stands around a block. */
const BLOCK = '\n\n';
const HIDDEN_STYLE = /display\s*:\s*none|visibility\s*:\s*hidden/i;
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
/** How much of a cell is looked at for what it is called by, in pieces of text and in characters. */
const CELL_PARTS = 20;
const LONGEST_CELL = 40;

/** A cell that says what kind of number stands beside or below it. */
const FAX_CELL = /^(?:tele)?fax(?: (?:numbers?|no))?\W*$/i;
/** A table that is read: the words of the first row, and of the row that is read. */
type Table = { head: string[]; row: string[]; isHead: boolean; from: number };

/**
 * Reads a page without running anything of it. Never throws, whatever the text is.
 * - `isPlain`: whether it came as text/plain, of which a person sees each line as it is.
 */
export function readPage(html: string, { isPlain = false } = {}): PageContent {
  const page: PageContent = { text: '', links: [], jsonLd: [], encoded: [], base: undefined };
  const text: string[] = [];
  /** How deep the parser is inside of what is not read; 0 outside. */
  let unread = 0;
  /** How deep the parser is inside of what keeps its lines; 0 outside. */
  let preformatted = 0;
  let depth = 0;
  let script: string[] | undefined;
  let link: PageLink | undefined;
  const tables: Table[] = [];
  /** Puts the word that names a cell in front of it, as in a line of text. */
  const beginCell = (table: Table) => {
    const [above = '', beside = ''] = [table.isHead ? '' : table.head[table.row.length], table.row.at(-1)];
    if (above && !/\d/.test(above) && table.head.some((one) => FAX_CELL.test(one))) text.push(`${above}: `);
    else if (FAX_CELL.test(beside)) text.push('Fax: ');
    table.from = text.length;
  };
  const endCell = (table: Table) => {
    table.row.push(
      text
        .slice(table.from, table.from + CELL_PARTS)
        .join('')
        .slice(0, LONGEST_CELL)
        .trim(),
    );
  };
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        if (unread > 0 || isUnread(name, attributes)) {
          unread += 1;
          if (name === 'script' && JSON_LD.test(attributes.type ?? '') && page.jsonLd.length < MOST_BLOCKS) script = [];
          return;
        }
        if (preformatted > 0 || isPreformatted(name, attributes)) preformatted += 1;
        if (!INLINE.has(name)) text.push(name === 'br' ? '\n' : BLOCK);
        const table = tables.at(-1);
        if (name === 'table') tables.push({ head: [], row: [], isHead: true, from: 0 });
        else if (table && (name === 'td' || name === 'th')) beginCell(table);
        if (name === 'base') page.base ??= attributes.href;
        if (attributes['data-cfemail'] && page.encoded.length < MOST_ENCODED)
          page.encoded.push(attributes['data-cfemail']);
        if ((name === 'a' || name === 'area') && attributes.href && page.links.length < MOST_LINKS) {
          const label = (attributes['aria-label'] ?? attributes.title ?? '').slice(0, LONGEST_LABEL);
          const before = text.slice(-BEFORE_PARTS).map((part) => part.slice(-BEFORE));
          link = { href: attributes.href, text: label, before: before.join('').slice(-BEFORE) };
          page.links.push(link);
        }
      },
      ontext(part) {
        if (script) script.push(part);
        if (unread > 0) return;
        text.push(isPlain || preformatted > 0 ? part : part.replace(/[\r\n]+/g, ' '));
        if (link && link.text.length < LONGEST_LABEL) link.text += ` ${part.slice(0, LONGEST_LABEL)}`;
      },
      onclosetag(name) {
        depth -= 1;
        if (unread > 0) {
          unread -= 1;
          if (script && name === 'script') {
            page.jsonLd.push(script.join(''));
            script = undefined;
          }
          return;
        }
        if (preformatted > 0) preformatted -= 1;
        if (name === 'a') link = undefined;
        const table = tables.at(-1);
        if (name === 'table') tables.pop();
        else if (table && (name === 'td' || name === 'th')) endCell(table);
        else if (table && name === 'tr' && table.row.length > 0) {
          if (table.isHead) table.head = table.row;
          [table.row, table.isHead] = [[], false];
        }
        if (!INLINE.has(name) && name !== 'br') text.push(BLOCK);
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
  page.text = text
    .join('')
    .replace(/[\u00ad\u200b-\u200d\u2060\ufeff]/g, '')
    .replace(/\r\n?/g, '\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n');
  return page;
}

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
const isUnread = (name: string, attributes: Readonly<Record<string, string>>): boolean =>
  name === 'script' || UNREAD.has(name) || 'hidden' in attributes || HIDDEN_STYLE.test(attributes.style ?? '');
