import { chooseAddresses, type FoundAddress } from './extract/choose-addresses.ts';
import { type ContactLink, contactLinks, isOwnContactPage } from './extract/contact-links.ts';
import { decodeText } from './extract/decode-text.ts';
import { registrable } from './extract/email-address.ts';
import { findAddresses } from './extract/find-addresses.ts';
import { noticeOf } from './extract/harvesting-notice.ts';
import { type KnownBusiness, namesBusiness } from './extract/names-business.ts';
import { findPhones } from './extract/phone-numbers.ts';
import { type PageContent, readPage } from './extract/read-page.ts';
import { findProfiles } from './extract/social-profiles.ts';
import type { Asking } from './fetch/ask.ts';
import { type Followed, follow } from './fetch/follow.ts';
import { pageUrl } from './fetch/page-url.ts';
import { robotsOfVisit } from './robots/robots-of-visit.ts';
import type { OnPage, SiteStatus, SiteVisit } from './site-visit.ts';

/** Our name in robots.txt. */
export const PRODUCT = 'FairleadBot';
const MOST_PAGES = 5;
/** Pages that lead on by themselves, one after the other. */
const MOST_REFRESHES = 2;
const MAX_BYTES = 2 * 1024 * 1024;
/** Of each kind, so that a strange page cannot fill a database. */
const MOST_FOUND = 10;
const LONGEST_PAGE_URL = 500;

type Page = { url: URL; content: PageContent };

export type Visiting = Asking & {
  /** Whether many businesses have pages on a host, such as a social network. */
  isShared(host: string): boolean;
  /** Whether a host may not be asked for the sake of its owner. */
  isHeld(host: string): Promise<boolean>;
};

/**
 * Visits a business's website: its home page, and the pages that say how to reach it.
 * - `website`: its address as it is known, with or without a scheme.
 * - `businesses`: whose website it is. Where it leads to another domain, that is theirs only if it names one of them.
 *   So is a page elsewhere on its domain, where it stands below that: the domain may be of who has sites for many.
 * - `known`: the notice that it had. It is over when its own page can be read without it, or is not there anymore.
 * - Rejects with the signal's reason only.
 */
export async function visitSite(
  visiting: Visiting,
  website: string,
  businesses: readonly KnownBusiness[] = [],
  known?: SiteVisit['notice'],
): Promise<SiteVisit> {
  const { isShared, isHeld } = visiting;
  const rules = { robots: robotsOfVisit(visiting, PRODUCT, visiting), isShared, isHeld, maxBytes: MAX_BYTES };
  const home = homeOf(website);
  if (!home) return ended('unreachable');
  const first = await follow(visiting, home, rules);
  const firstStatus = statusOf(first);
  const noticed = known && pageUrl(known.page);
  if (firstStatus === 'nothing' && first.kind === 'answered' && noticed && keyOf(noticed) !== keyOf(home))
    return { ...ended('nothing'), notice: known };
  if (firstStatus !== 'found' || first.kind !== 'answered')
    return { ...ended(firstStatus), ...(first.kind === 'elsewhere' ? { profiles: elsewhere(first.url) } : {}) };

  const pages: Page[] = [];
  const asked = new Set([keyOf(home)]);
  const candidates: ContactLink[] = [];
  const own = registrable(home.hostname);
  let reached = registrable(first.url.hostname);
  let requested = 1;
  const take = (followed: Followed): PageContent | undefined => {
    if (followed.kind !== 'answered' || statusOf(followed) !== 'found') return undefined;
    const { url, answer } = followed;
    asked.add(keyOf(url));
    if (![own, reached].includes(registrable(url.hostname)) || !isText(answer.contentType)) return undefined;
    const content = readPage(decodeText(answer.body, answer.contentType), { isPlain: isPlain(answer.contentType) });
    pages.push({ url, content });
    candidates.push(...contactLinks(content, url));
    return content;
  };
  // A page may lead on by itself, as a redirect does. What stands on it counts all the same.
  let last: Followed = first;
  let content = take(first);
  const seen = new Set([home.href, first.url.href]);
  while (last.kind === 'answered' && content?.proveEntry !== undefined && requested <= MOST_REFRESHES) {
    const next = pageUrl(content.proveEntry, last.url);
    if (!next || seen.has(next.href)) break;
    seen.add(next.href);
    requested += 1;
    last = await follow(visiting, next, rules);
    if (last.kind === 'held') return ended('suppressed');
    if (last.kind === 'answered' && statusOf(last) === 'found') reached = registrable(last.url.hostname);
    content = take(last);
  }
  const lastStatus = statusOf(last);
  let isBlocked = lastStatus === 'blocked';
  const isElsewhere = noticed && ![own, reached].includes(registrable(noticed.hostname));
  let isNoticeOver = !noticed || isElsewhere || asked.has(keyOf(noticed));
  if (noticed && !isNoticeOver && !isBlocked) {
    requested += 1;
    asked.add(keyOf(noticed));
    const followed = await follow(visiting, noticed, rules);
    isBlocked = statusOf(followed) === 'blocked';
    isNoticeOver = take(followed) !== undefined || statusOf(followed) === 'nothing';
  }
  while (requested < MOST_PAGES && !isBlocked) {
    const next = candidates
      .filter(({ url }) => !asked.has(keyOf(url)))
      .toSorted((a, b) => a.rank - b.rank || a.url.href.length - b.url.href.length)[0];
    if (!next) break;
    requested += 1;
    asked.add(keyOf(next.url));
    const followed = await follow(visiting, next.url, rules);
    isBlocked = statusOf(followed) === 'blocked';
    take(followed);
  }
  const isNamed = (those: readonly Page[]) => those.some(({ content }) => namesBusiness(content, businesses));
  const [besides, moved] = [pages.filter(({ url }) => isBeside(url, home)), reached !== own];
  const [areBesides, isMoved] = [isNamed(besides), moved && isNamed(pages)];
  const found = gather(pages, {
    own,
    isShared,
    movedTo: moved ? reached : undefined,
    isTheirs: (url) => (registrable(url.hostname) === own ? areBesides || !isBeside(url, home) : isMoved),
    isByName: moved || besides.length > 0,
  });
  if (known && !isNoticeOver && !found.notice) return { ...found, status: 'nothing', emails: [], notice: known };
  if (found.status !== 'nothing') return found;
  const more = last.kind === 'elsewhere' ? elsewhere(last.url) : [];
  if (lastStatus !== 'found') return { ...found, status: lastStatus, profiles: [...more, ...found.profiles] };
  return isBlocked ? { ...found, status: 'blocked' } : found;
}

/** The page at the root of the host; a page deeper inside is often about one branch or one offer. */
function homeOf(website: string): URL | undefined {
  const text = website.trim();
  const url = pageUrl(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  return url && new URL('/', url);
}

const keyOf = ({ hostname, pathname, search }: URL) =>
  `${hostname.replace(/^www\./, '')}${pathname.replace(/\/+$/, '')}${search}`;

const isText = (contentType: string) =>
  contentType === '' || /^\s*(text\/(html|plain)|application\/xhtml)/i.test(contentType);

const isPlain = (contentType: string) => /^\s*text\/plain/i.test(contentType);

function statusOf(followed: Followed): SiteStatus {
  switch (followed.kind) {
    case 'refused':
      return 'refused_by_robots';
    case 'forbidden':
      return 'blocked';
    case 'elsewhere':
      return 'social_only';
    case 'held':
      return 'suppressed';
    case 'parked':
      return 'nothing';
    case 'unreachable':
      return 'unreachable';
    case 'answered':
  }
  const { status } = followed.answer;
  if ([401, 403, 405, 406, 429, 451].includes(status)) return 'blocked';
  if (status >= 500 || (status >= 300 && status < 400)) return 'unreachable';
  return status >= 400 ? 'nothing' : 'found';
}

const ended = (status: SiteStatus): SiteVisit => ({ status, emails: [], phones: [], profiles: [] });
/** Where all paths lead to the same ones on another host, only those of robots.txt are known: they are no profile. */
const elsewhere = (url: URL) =>
  url.pathname.endsWith('/robots.txt')
    ? []
    : [{ profile: url.href.slice(0, LONGEST_PAGE_URL), page: url.href.slice(0, LONGEST_PAGE_URL) }];

/** Whether a page stands on another host of the domain than a website that stands below it, such as that of one of many agents. */
function isBeside({ hostname }: URL, home: URL): boolean {
  const [host, own] = [plainHost(hostname), plainHost(home.hostname)];
  return (
    own !== registrable(own) && registrable(host) === registrable(own) && host !== own && !host.endsWith(`.${own}`)
  );
}
const plainHost = (host: string) => host.replace(/^www\d?\./, '');

/**
 * The domain that was asked, and the one that it led to.
 * - `isTheirs`: whether what stands on a page is of the business.
 * - `isByName`: whether that was told by its name.
 */
type Site = Pick<Visiting, 'isShared'> & {
  own: string;
  movedTo: string | undefined;
  isTheirs(url: URL): boolean;
  isByName: boolean;
};

function gather(pages: readonly Page[], site: Site): SiteVisit {
  const addresses: FoundAddress[] = [];
  const phones: OnPage<{ phone: string }>[] = [];
  const profiles: OnPage<{ profile: string }>[] = [];
  let notice: SiteVisit['notice'];
  for (const { url, content } of pages) {
    const page = url.href.slice(0, LONGEST_PAGE_URL);
    const contact = isOwnContactPage(url);
    const isTheirs = site.isTheirs(url);
    // A domain that is no one's may still name those of the one that led to it.
    const mayName = registrable(url.hostname) !== site.own;
    for (const found of findAddresses(content, registrable(url.hostname)))
      if (isTheirs || (mayName && registrable(found.email) === site.own)) addresses.push({ ...found, page, contact });
    const words = notice ? undefined : noticeOf(content);
    if (words) notice = { words, page };
    if (!isTheirs) continue;
    phones.push(...findPhones(content).map((phone) => ({ phone, page })));
    profiles.push(...findProfiles(content).map((profile) => ({ profile, page })));
  }
  const emails = notice ? [] : chooseAddresses(addresses, site).map(({ email, page }) => ({ email, page }));
  const visit: SiteVisit = {
    status: 'nothing',
    emails: emails.slice(0, MOST_FOUND),
    phones: firstOfEach(phones, ({ phone }) => phone.replace(/\D/g, '').replace(/^1(?=\d{10}$)/, '')),
    profiles: firstOfEach(profiles, ({ profile }) => profile.toLowerCase()),
    ...(notice ? { notice } : {}),
    ...(site.isByName ? { isByName: true as const } : {}),
  };
  return visit.emails.length > 0 ? { ...visit, status: 'found' } : visit;
}

function firstOfEach<Value>(values: readonly Value[], keyOfValue: (value: Value) => string): Value[] {
  const seen = new Map<string, Value>();
  for (const value of values) if (!seen.has(keyOfValue(value))) seen.set(keyOfValue(value), value);
  return [...seen.values()].slice(0, MOST_FOUND);
}
