import { pageUrl } from '#websites/fetch/page-url.ts';
import { registrable } from './email-address.ts';
import type { PageContent } from './read-page.ts';

/** What pages are called that say how to reach a firm, or what may be done with that; best first. */
const KINDS = [
  /\bcontacts?\b|\bkontakt\b|\bcontacto\b|\bcontactez\b|get[-_ ]in[-_ ]touch|reach[-_ ]us|find[-_ ]us|email[-_ ]us|contact-?us|contactus/i,
  /\bimpressum\b|\bimprint\b|legal[-_ ]?(notice)?|\bterms\b|disclaimer/i,
  /\babout(-?us)?\b|\baboutus\b|über[-_ ]?uns|ueber[-_ ]?uns|who[-_ ]we[-_ ]are|our[-_ ]story/i,
  /\bteam\b|\bstaff\b|\bpeople\b|\bour[-_ ]doctors\b|meet[-_ ]/i,
  /\bprivacy\b|datenschutz/i,
];
const NOT_PAGES = /\.(?:pdf|docx?|xlsx?|zip|jpe?g|png|gif|webp|mp4|vcf|ics)$/i;

/** No link to what stands below a longer one would be asked for. */
const LONGEST_BASE = 2_000;

export type ContactLink = { url: URL; rank: number };

/** Links of a page to pages of the same registrable domain that may say how to reach the firm. Smaller ranks are better. */
export function contactLinks(page: PageContent, at: URL): ContactLink[] {
  const own = registrable(at.hostname);
  const base =
    (page.base === undefined || page.base.length > LONGEST_BASE ? undefined : URL.parse(page.base, at.href)) ?? at;
  return page.links.flatMap(({ href, text }) => {
    if (!/^[a-z][a-z\d+.-]*:/i.test(href) || /^https?:/i.test(href)) {
      const url = pageUrl(href, base);
      if (!url || registrable(url.hostname) !== own || NOT_PAGES.test(url.pathname)) return [];
      const rank = rankOf(
        `${decodePath(url.pathname).replace(/[/_.]+/g, ' ')} ${text.slice(0, 100).replace(/\s+/g, ' ')}`,
      );
      return rank === undefined ? [] : [{ url, rank }];
    }
    return [];
  });
}

/** Whether a page is about reaching the firm, by its own address. Terms and disclaimers name many others. */
export function isOwnContactPage(url: URL): boolean {
  const words = url.pathname.replace(/[/_.]+/g, ' ');
  return KINDS[0]?.test(words) === true || IMPRINT.test(words);
}
const IMPRINT = /\bimpressum\b|\bimprint\b/i;

function rankOf(words: string): number | undefined {
  const rank = KINDS.findIndex((kind) => kind.test(words));
  return rank < 0 ? undefined : rank;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
