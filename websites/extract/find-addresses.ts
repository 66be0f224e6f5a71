import { emailAddress, registrable } from './email-address.ts';
import { JOINT, type PageContent, type Writings } from './read-page.ts';
import { readStructured } from './structured-data.ts';

/** How an address stood on a page. */
export type Written = 'mailto' | 'json_ld' | 'cloudflare' | 'text' | 'spelled';
/** `before`: the words in front of it, in lower case, where it stood in text. */
export type Address = { email: string; written: Written; before: string };

const LOCAL_CHARS = /[a-z\d._%+'&-]/i;
/** A host, in whichever script. */
const HOST = /^[\p{L}\p{M}\p{N}.-]{1,200}/u;
const BEFORE = 60;
const MOST = 200;
/** "@" and the like behind something, on a page that is written for people. */
const MOST_WRITINGS = 5_000;

/** Every address that stands on a page, as often as it does. None is put together from anything else. */
export function findAddresses(page: PageContent, ownDomain: string): Address[] {
  const found: Address[] = [];
  for (const { ways, before, isOthers } of writings(page, ownDomain)) {
    for (const [written, text] of ways) {
      const email = emailAddress(text, ownDomain);
      if (!email || (isOthers && registrable(email) !== ownDomain)) continue;
      found.push({ email, written, before: before.toLowerCase() });
      break;
    }
    if (found.length === MOST) break;
  }
  return found;
}

/**
 * What may be an address, in the ways in which it can be read: the first that is one counts.
 * `isOthers`: it is of someone else, unless it is on the site's domain.
 */
type Writing = { ways: Iterable<readonly [Written, string]>; before: string; isOthers?: boolean };

/** Everything on a page that may be an address. What lies behind the first thousands of it is not looked at. */
export function* writings(page: PageContent, ownDomain: string): Generator<Writing> {
  let left = MOST_WRITINGS;
  for (const writing of everyWriting(page, ownDomain)) {
    yield writing;
    left -= 1;
    if (left === 0) return;
  }
}

function* everyWriting(page: PageContent, ownDomain: string): Generator<Writing> {
  yield* encodedIn(page);
  for (const { email, isOthers } of readStructured(page).emails)
    yield { ways: [['json_ld', email]], before: '', isOthers };
  yield* writtenIn(page, ownDomain);
  for (const part of [encodedIn(page.ofVisitors), writtenIn(page.ofVisitors, ownDomain)])
    for (const writing of part) yield { ...writing, isOthers: true };
}

function* encodedIn({ links, encoded }: Writings): Generator<Writing> {
  const one = (written: Written, text: string, before = ''): Writing => ({ ways: [[written, text]], before });
  for (const { href, text, before } of links) {
    for (const address of mailtoAddresses(href)) yield one('mailto', address, `${before} ${text}`);
    const hex = /\/cdn-cgi\/l\/email-protection#([\da-f]+)/i.exec(href)?.[1];
    if (hex) yield one('cloudflare', decodeCloudflare(hex));
  }
  for (const hex of encoded) yield one('cloudflare', decodeCloudflare(hex));
}

function* writtenIn({ jointed }: Writings, ownDomain: string): Generator<Writing> {
  const text = jointed.replace(/\n+/g, '\n');
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const local = leftOf(text, at);
    if (local) yield { ways: readingsOf(text, at, local.text, ownDomain), before: plain(beforeOf(text, local.start)) };
  }
  for (const { 0: word, index } of text.matchAll(AT_WORD)) {
    const local = leftOf(text, index);
    if (!local) continue;
    const address = spelledAddress(text, { word, index }, local);
    const ways: Writing['ways'] = address === undefined ? [] : [['spelled', address]];
    yield { ways, before: plain(beforeOf(text, local.start)) };
  }
}

const beforeOf = (text: string, end: number) => text.slice(Math.max(0, end - BEFORE), end);
const plain = (text: string) => text.replaceAll(JOINT, '');

/** In which ways a host may be read behind "@". */
function* readingsOf(text: string, at: number, local: string, ownDomain: string): Generator<[Written, string]> {
  const behind = text.slice(at + 1, at + 201);
  const host = hostAt(behind);
  const latin = (/^[a-z\d.-]*/i.exec(host)?.[0] ?? '').replace(/[.-]+$/, '');
  // An element may begin with the next words: a capital or a digit does, and anything may where the whole is no host.
  const [words, others] = [hostsBeforeJoints(behind, /^[\p{Lu}\d]/u), hostsBeforeJoints(behind, /^[^.-]/)];
  for (const one of new Set([...words, host, latin, ...others]))
    for (const name of hostsIn(one, ownDomain)) yield ['text', `${local}@${name}`];
  const spelled = NO_NAME.test(local) ? undefined : spelledHost(text.slice(at + 1, at + 160));
  if (spelled) yield ['spelled', `${local}@${spelled.host}`];
}

/** "mailto:a@b.example,c@d.example?subject=…", percent-encoded or not. */
function mailtoAddresses(href: string): string[] {
  const list = /^\s*(?:mailto:(?:\/\/)?)+([^?]*)/i.exec(href)?.[1];
  if (list === undefined) return [];
  return decodePercent(list)
    .replace(/[?&](?:subject|body|b?cc)=.*$/is, '')
    .split(/[,;]/, MOST)
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

type Local = { text: string; start: number };
/** What stands right before an address in an element of its own, and is no part of it. */
const LABEL = /^(?:e-?mail|mail|contact|write|address|us|or|at|to|kontakt|phone|tel|fax|[\d().+-]{7,})$/i;
/** What an encoding leaves in front of the first letter. */
const ENCODED = /^(?:%[\da-f]{2}|u00[\da-f]{2})+/i;

/**
 * What may be the mailbox in front of `end`. Where elements meet within it, no one knows whether a person sees one word or two:
 * it then counts only behind a known label, or if it is a usual mailbox.
 */
function leftOf(text: string, end: number): Local | undefined {
  let start = end;
  while (start > 0 && end - start < 80 && (LOCAL_CHARS.test(text.charAt(start - 1)) || text[start - 1] === JOINT))
    start -= 1;
  const parts = text.slice(start, end).split(JOINT).filter(Boolean);
  const last = (parts.pop() ?? '').replace(ENCODED, '').replace(/^[^a-z\d]+/i, '');
  if (last === '' || !(USUAL.test(last) || parts.every((part) => LABEL.test(part)))) return undefined;
  return { text: last, start: text.lastIndexOf(last, end - 1) };
}

const hostAt = (text: string): string => (HOST.exec(plain(text))?.[0] ?? '').replace(/[.-]+$/, '');

/** Elements that a host may be made of. */
const MOST_JOINTS = 4;

/** What stands before each place where elements meet, and where what follows is of a kind. */
function hostsBeforeJoints(text: string, next: RegExp): string[] {
  const hosts: string[] = [];
  let at = text.indexOf(JOINT);
  for (let joints = 0; at >= 0 && joints < MOST_JOINTS; joints += 1) {
    const before = hostAt(text.slice(0, at));
    if (before.includes('.') && next.test(text.slice(at + 1, at + 3))) hosts.push(before);
    at = text.indexOf(JOINT, at + 1);
  }
  return hosts;
}

/** A host and, where the next words are glued to it ("firm.example.Call us"), the part that can be one. */
function hostsIn(host: string, ownDomain: string): string[] {
  const lower = host.toLowerCase();
  // A capital begins a sentence, unless the whole is written in capitals.
  const sentence = /^\P{Lu}+(?=\.\p{Lu})/u.exec(host)?.[0] ?? '';
  return [
    ...(sentence.includes('.') ? [sentence] : []),
    host,
    ...(lower.startsWith(ownDomain) ? [host.slice(0, ownDomain.length)] : []),
  ];
}

const AT_WORD = / ?(?:\[ ?(?:at|@) ?\]|\( ?(?:at|@) ?\)|\{ ?(?:at|@) ?\}|<at>) ?| at /gi;
const DOT_WORD = /^ ?(?:\[ ?dot ?\]|\( ?dot ?\)|\{ ?dot ?\}| dot |\.) ?/i;
/** In front of "at", in brackets or not, these are no mailbox: "find us (at) firm.example". */
const NO_NAME =
  /^(?:us|me|you|it|him|her|them|we|i|is|are|was|be|out|online|located|visit|here|find|look|reach|meet|join|see|and|or|on|only|directly|now|today|tonight|more|(?:sunday|monday|tuesday|wednesday|thursday|friday|saturday)s?|noon|\d{0,4}(?:am|pm)?)$/i;
/** Nor are these, where "at" is a plain word: "visit our website at firm dot example". */
const NO_MAILBOX =
  /^(?:website|site|web|page|e?-?mail|write|open|shop|staff|team|services?|marketing|newsletters?|lists?|forms?|updates|alerts|signup|hosting|accounts?|address)$/i;
/** The mailboxes that most firms have. */
const USUAL =
  /^(?:info|contact|hello|office|mail|enquiries|inquiries|sales|support|help|admin|service|team|bookings?|reservations?|orders?)$/i;
/** What may stand in front of an address whose dots are no words. */
const BEGUN = /(?:^|[:;,|•·>([–—-] ?)$/;
/** What stands right in front of an address that is written in words. */
const INTRODUCED =
  /(?:\be-?mail(?: address)?(?: (?:us|me))?(?: (?:at|to))?|\bmail(?: (?:us|me))?(?: (?:at|to))?|\bwrite (?:(?:us|me) at|to(?: us at)?)|\bcontact(?: (?:us|me) at| ?:)) ?:? ?$/i;
/** A block of text that is nothing but an address in words. */
const ALONE = /^ ?\S+ at \S+(?: ?dot \S+|\.\S+)+ ?$/i;

/**
 * "name [at] domain [dot] com". A plain "at" is a word of any sentence, such as "order takeout at firm dot example":
 * then the dots must be words as well, and the address be alone in its block or said to be one.
 * In brackets before plain dots, it may still be one: "yoga classes (at) firm.example". Then the name must begin something.
 */
function spelledAddress(text: string, at: { word: string; index: number }, local: Local): string | undefined {
  const begin = at.index + at.word.length;
  const spelled = spelledHost(text.slice(begin, begin + 160));
  if (!spelled || NO_NAME.test(local.text)) return undefined;
  const line = plain(beforeOf(text, local.start)).split('\n').at(-1) ?? '';
  const isWord = /^ at $/i.test(at.word);
  if (isWord && (!spelled.inWords || NO_MAILBOX.test(local.text) || !isMeant(text, at.index, local.start, line)))
    return undefined;
  const isClear = spelled.inWords || USUAL.test(local.text) || BEGUN.test(line) || INTRODUCED.test(line);
  return isClear ? `${local.text}@${spelled.host}` : undefined;
}

function isMeant(text: string, at: number, start: number, line: string): boolean {
  if (INTRODUCED.test(line)) return true;
  const isFirst = line.trim() === '' && plain(text.slice(text.lastIndexOf('\n', start) + 1, start)).trim() === '';
  return isFirst && ALONE.test(plain(text.slice(start, at + 260)).split('\n')[0] ?? '');
}

/** The host that a text begins with, whose dots may be words; undefined without one. */
function spelledHost(text: string): { host: string; inWords: boolean } | undefined {
  const labels: string[] = [];
  let inWords = false;
  let rest = plain(text).replace(/^ /, '');
  for (;;) {
    const label = /^[\p{L}\p{M}\p{N}-]{1,63}/u.exec(rest)?.[0];
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
