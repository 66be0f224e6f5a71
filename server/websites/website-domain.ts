import { parse } from 'tldts';
import { SHARED_HOSTS, SOLD_SUFFIXES } from './shared-hosts.ts';

/** Whose domain a website stands on. `none`: no usable address. `shared`: a page on a host of many businesses. */
export type WebsiteDomain = { kind: 'own'; domain: string } | { kind: 'shared' } | { kind: 'none' };

/** The registrable domain of a website (Public Suffix List, private part included), in lower case and punycode. */
export function websiteDomain(website: string | null): WebsiteDomain {
  const host = hostOf(website);
  if (!host) return { kind: 'none' };
  const { domain, isIp, isPrivate, publicSuffix } = parse(host, { allowPrivateDomains: true });
  if (isBelowShared(host)) return { kind: 'shared' };
  if (isIp || !publicSuffix) return { kind: 'none' };
  if (isPrivate && !SOLD_SUFFIXES.has(publicSuffix)) return { kind: 'shared' };
  return domain ? { kind: 'own', domain } : { kind: 'none' };
}

/** What tells the site of one business from those of others on the same domain: its host, without "www.". Undefined without one. */
export const siteHost = (website: string): string | undefined => hostOf(website)?.replace(/^www\d?\.(?=.*\.)/, '');

function isBelowShared(host: string): boolean {
  for (let at = 0; at >= 0; at = host.indexOf('.', at + 1))
    if (SHARED_HOSTS.has(at === 0 ? host : host.slice(at + 1))) return true;
  return false;
}

/** An address whose host stands there as it is: in plain letters, no number, no port. Lists have many, and a URL is slow to make. */
const PLAIN = /^https?:\/\/((?:[a-z\d-]+\.)+[a-z]{2,})(?:[/?#]|$)/i;

function hostOf(website: string | null): string | undefined {
  const text = website?.trim() ?? '';
  const plain = PLAIN.exec(text)?.[1]?.toLowerCase();
  if (plain && !plain.includes('xn--')) return plain;
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  if (!text || !URL.canParse(address)) return undefined;
  return new URL(address).hostname.replace(/\.$/, '');
}

/** Whether many businesses have pages on a host. */
export const isSharedHost = (host: string): boolean => websiteDomain(`https://${host}/`).kind === 'shared';
