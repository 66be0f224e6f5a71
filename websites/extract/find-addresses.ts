import { emailAddress } from './email-address.ts';
import type { PageContent } from './read-page.ts';
import { readStructured } from './structured-data.ts';

/** How an address stood on a page. */
export type Written = 'mailto' | 'json_ld' | 'cloudflare' | 'text' | 'spelled';
/** `before`: the words in front of it, in lower case, where it stood in text. */
export type Address = { email: string; written: Written; before: string };

const LOCAL_CHARS = /[a-z\d._%+'&-]/i;
const HOST_CHARS = /[a-z\d.-]/i;
const BEFORE = 60;
const MOST = 200;

/** Every address that stands on a page, as often as it does. None is put together from anything else. */
export function findAddresses(page: PageContent, ownDomain: string): Address[] {
  const found: Address[] = [];
  const add = (text: string, written: Written, before = '') => {
    const email = found.length < MOST ? emailAddress(text, ownDomain) : undefined;
    if (email) found.push({ email, written, before: before.toLowerCase() });
    return email !== undefined;
  };
  for (const { href, text, before } of page.links) {
    for (const address of mailtoAddresses(href)) add(address, 'mailto', `${before} ${text}`);
    const hex = /\/cdn-cgi\/l\/email-protection#([\da-f]+)/i.exec(href)?.[1];
    if (hex) add(decodeCloudflare(hex), 'cloudflare');
  }
  for (const hex of page.encoded) add(decodeCloudflare(hex), 'cloudflare');
  for (const email of readStructured(page).emails) add(email, 'json_ld');
  const text = page.text.replace(/[^\S\n]+/g, ' ').replace(/ ?\n[\n ]*/g, '\n');
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const local = leftOf(text, at);
    const before = text.slice(Math.max(0, at - local.length - BEFORE), at - local.length);
    const host = rightOf(text, at + 1);
    const fits = hostsIn(host, ownDomain).some((one) => add(`${local}@${one}`, 'text', before));
    if (!fits) add(`${local}@${spelledHost(text.slice(at + 1, at + 160))?.host ?? ''}`, 'spelled', before);
  }
  for (const { address, before } of spelledAddresses(text)) add(address, 'spelled', before);
  return found;
}

/** "mailto:a@b.example,c@d.example?subject=…", percent-encoded or not. */
function mailtoAddresses(href: string): string[] {
  const list = /^\s*mailto:([^?]*)/i.exec(href)?.[1];
  if (list === undefined) return [];
  return decodePercent(list)
    .split(/[,;]/)
    .map((one) => /<([^<>]*)>/.exec(one)?.[1] ?? one);
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The first byte is the key that the others are combined with. */
function decodeCloudflare(hex: string): string {
  const [key = 0, ...bytes] = Buffer.from(hex.slice(0, 600), 'hex');
  return Buffer.from(bytes.map((byte) => byte ^ key)).toString('utf8');
}

function leftOf(text: string, end: number): string {
  let start = end;
  while (start > 0 && end - start < 65 && LOCAL_CHARS.test(text.charAt(start - 1))) start -= 1;
  return text.slice(start, end).replace(/^[^a-z\d]+/i, '');
}

function rightOf(text: string, start: number): string {
  let end = start;
  while (end < text.length && end - start < 200 && HOST_CHARS.test(text.charAt(end))) end += 1;
  return text.slice(start, end).replace(/[.-]+$/, '');
}

/** A host and, where the next words are glued to it ("firm.example.Call us"), the part that can be one. */
function hostsIn(host: string, ownDomain: string): string[] {
  const lower = host.toLowerCase();
  // A capital begins a sentence, unless the whole is written in capitals.
  const sentence = /^[^A-Z]+(?=\.[A-Z])/.exec(host)?.[0] ?? '';
  return [
    ...(sentence.includes('.') ? [sentence] : []),
    host,
    ...(lower.startsWith(ownDomain) ? [host.slice(0, ownDomain.length)] : []),
  ];
}

const AT_WORD = / ?(?:\[ ?at ?\]|\( ?at ?\)|\{ ?at ?\}|<at>|\u00a0at\u00a0) ?| at /gi;
const DOT_WORD = /^ ?(?:\[ ?dot ?\]|\( ?dot ?\)|\{ ?dot ?\}| dot |\.) ?/i;
/** In front of "at", these are no mailbox: "visit us at firm dot example". */
const NO_MAILBOX =
  /^(?:us|me|you|it|him|her|them|we|i|is|are|was|be|out|online|website|site|web|page|located|visit|here|find|e?-?mail|write|look|reach|open|shop|staff|team|services?|and|or|on|only|directly|address|now|today|more)$/i;

/** "name [at] domain [dot] com". With a plain "at", the dots must be words as well. */
function* spelledAddresses(text: string): Generator<{ address: string; before: string }> {
  for (const { 0: word, index } of text.matchAll(AT_WORD)) {
    const local = leftOf(text, index);
    const spelled = spelledHost(text.slice(index + word.length, index + word.length + 160));
    if (!local || !spelled) continue;
    if (/^ at $/i.test(word) && (!spelled.inWords || NO_MAILBOX.test(local))) continue;
    const start = index - local.length;
    yield { address: `${local}@${spelled.host}`, before: text.slice(Math.max(0, start - BEFORE), start) };
  }
}

/** The host that a text begins with, whose dots may be words; undefined without one. */
function spelledHost(text: string): { host: string; inWords: boolean } | undefined {
  const labels: string[] = [];
  let inWords = false;
  let rest = text.replace(/^ /, '');
  for (;;) {
    const label = /^[a-z\d-]{1,63}/i.exec(rest)?.[0];
    if (!label) break;
    labels.push(label);
    rest = rest.slice(label.length);
    const dot = DOT_WORD.exec(rest)?.[0];
    // A full stop and a space end a sentence.
    if (!dot || /^ ?\. /.test(dot) || dot.startsWith(' .')) break;
    if (dot.trim() !== '.') inWords = true;
    rest = rest.slice(dot.length);
  }
  return labels.length > 1 ? { host: labels.join('.'), inWords } : undefined;
}
