import type { PageContent } from './read-page.ts';
import { readStructured } from './structured-data.ts';

/** By host, what the path of a profile looks like. A link to share the page is none. */
const NETWORKS: Readonly<Record<string, RegExp>> = {
  'facebook.com':
    /^\/(?!sharer|share|dialog|plugins|tr\b|policies|privacy|help|login|home|events?\/|groups\/?$|hashtag|watch)[\w.-]/i,
  'instagram.com': /^\/(?!p\/|reel|explore|accounts|about|legal)[\w.]/i,
  'linkedin.com': /^\/(?:company|in|school|showcase)\/[^/]/i,
  'twitter.com': /^\/(?!share|intent|home|search|hashtag|privacy|tos|i\/)\w/i,
  'x.com': /^\/(?!share|intent|home|search|hashtag|privacy|tos|i\/)\w/i,
  'youtube.com': /^\/(?:@|c\/|channel\/|user\/)[\w-]/i,
  'tiktok.com': /^\/@[\w.]/i,
  'pinterest.com': /^\/(?!pin\/)\w/i,
  'yelp.com': /^\/biz\/[\w-]/i,
  'nextdoor.com': /^\/pages\/[\w-]/i,
};

/** The profiles that a page links to, as plain https addresses. */
export function findProfiles(page: PageContent): string[] {
  const addresses = [...page.links.map(({ href }) => href), ...readStructured(page).profiles];
  return [...new Set(addresses.flatMap((address) => profileOf(address) ?? []))];
}

function profileOf(address: string): string | undefined {
  const url = URL.parse(address.startsWith('//') ? `https:${address}` : address);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  const host = url.hostname.replace(/^(www|m|mobile|web|[a-z]{2}(-[a-z]{2})?)\./, '');
  if (!NETWORKS[host]?.test(url.pathname)) return undefined;
  const id = host === 'facebook.com' && url.pathname === '/profile.php' ? url.search : '';
  const profile = `https://${host}${url.pathname.replace(/\/+$/, '')}${id}`;
  return profile.length <= 300 ? profile : undefined;
}
