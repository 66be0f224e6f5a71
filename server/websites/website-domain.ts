import { parse } from 'tldts';
import { SHARED_HOSTS, SOLD_SUFFIXES } from './shared-hosts.ts';

/** Whose domain a website stands on. `none`: no usable address. `shared`: a page on a host of many businesses. */
export type WebsiteDomain = { kind: 'own'; domain: string } | { kind: 'shared' } | { kind: 'none' };

/** The registrable domain of a website (Public Suffix List, private part included), in lower case and punycode. */
export function websiteDomain(website: string | null): WebsiteDomain {
  const host = hostOf(website);
  if (!host) return { kind: 'none' };
  const { domain, isIp, isPrivate, publicSuffix } = parse(host, { allowPrivateDomains: true });
  const names = host.split('.').map((_, index, labels) => labels.slice(index).join('.'));
  if (names.some((name) => SHARED_HOSTS.has(name))) return { kind: 'shared' };
  if (isIp || !publicSuffix) return { kind: 'none' };
  if (isPrivate && !SOLD_SUFFIXES.has(publicSuffix)) return { kind: 'shared' };
  return domain ? { kind: 'own', domain } : { kind: 'none' };
}

function hostOf(website: string | null): string | undefined {
  const text = website?.trim() ?? '';
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  if (!text || !URL.canParse(address)) return undefined;
  return new URL(address).hostname.replace(/\.$/, '');
}

/** Whether many businesses have pages on a host. */
export const isSharedHost = (host: string): boolean => websiteDomain(`https://${host}/`).kind === 'shared';
