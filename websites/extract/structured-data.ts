import type { PageContent } from './read-page.ts';

/** `isOthers`: it stands within what the page says of someone else, such as who made it or wrote a review. */
type StructuredEmail = { email: string; isOthers: boolean };
export type Structured = { emails: StructuredEmail[]; phones: string[]; faxes: string[]; profiles: string[] };

const DEEPEST = 12;
const MOST_NODES = 5_000;
/** Of one kind. */
const MOST = 200;
const KEYS: Readonly<Record<string, 'phones' | 'faxes' | 'profiles'>> = {
  telephone: 'phones',
  faxnumber: 'faxes',
  sameas: 'profiles',
};
/** What is below these is someone else. */
const OTHERS =
  /^(?:author|creator|contributor|editor|translator|maintainer|producer|sdPublisher|reviews?|reviewedBy|comments?|mentions|citation|memberOf|affiliation|sponsor|performers?|attendees?|organizer|customer|seller|manufacturer|brand|parentOrganization)$/i;

const known = new WeakMap<PageContent, Structured>();

/** What a page's JSON-LD says of the business. Blocks that are no JSON are left out. Read once, however often it is asked for. */
export function readStructured(page: PageContent): Structured {
  const structured = known.get(page) ?? read(page);
  known.set(page, structured);
  return structured;
}

function read({ jsonLd }: PageContent): Structured {
  const found: Structured = { emails: [], phones: [], faxes: [], profiles: [] };
  let nodes = 0;
  const walk = (value: unknown, depth: number, ofOthers: boolean): void => {
    nodes += 1;
    if (depth > DEEPEST || typeof value !== 'object' || value === null) return;
    const parts = value as Record<string, unknown>;
    const isOthers = ofOthers || textsOf(parts['@type'], MOST).some((type) => OTHERS.test(type));
    for (const key in parts) {
      if (nodes > MOST_NODES) return;
      const name = key.toLowerCase();
      const kind = KEYS[name];
      if (name === 'email')
        for (const email of textsOf(parts[key], MOST - found.emails.length)
          .flatMap(addressesIn)
          .slice(0, MOST))
          found.emails.push({ email, isOthers });
      else if (kind && !isOthers) found[kind].push(...textsOf(parts[key], MOST - found[kind].length));
      walk(parts[key], depth + 1, isOthers || OTHERS.test(key));
    }
  };
  for (const block of jsonLd) walk(parseJson(block), 0, false);
  return found;
}

const textsOf = (value: unknown, most: number): string[] =>
  (Array.isArray(value) ? value : [value]).slice(0, most).flatMap((part: unknown) => {
    const text = typeof part === 'object' && part !== null && '@value' in part ? part['@value'] : part;
    return typeof text === 'string' ? text.replace(/^\s*(mailto|tel|fax):/i, '') : [];
  });

/** "a@b.example, Joe <c@d.example>", its "@" perhaps written as HTML would have it. */
const addressesIn = (text: string): string[] =>
  text
    .slice(0, 1_000)
    .replace(/&#(?:64|x40);|&commat;/gi, '@')
    .replace(/&#(?:46|x2e);|&period;/gi, '.')
    .split(/[,;]/)
    .map((one) => /<([^<>]*)>/.exec(one)?.[1] ?? one);

/** Some put their data into a comment, as was once done with scripts. */
const OPENED = /^\s*(?:\/\/|\/\*)?\s*(?:<!--|<!\[CDATA\[)\s*(?:\*\/)?/;
const CLOSINGS = ['-->', ']]>'];

function withoutComment(text: string): string {
  const opened = OPENED.exec(text)?.[0];
  if (opened === undefined) return text;
  const end = Math.max(...CLOSINGS.map((closing) => text.lastIndexOf(closing)));
  return text.slice(opened.length, end < opened.length ? undefined : end).replace(/\/[/*]$/, '');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(withoutComment(text));
  } catch {
    return undefined;
  }
}
