import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';

const PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };
/** Names that mean a network of one's own, wherever they lead. */
const PRIVATE_NAMES = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|private|localdomain|home\.arpa|onion)$/;
const LONGEST_URL = 2_000;

/**
 * The address of a page as it may be asked for, without fragment and credentials; undefined when it may not be:
 * - other than http and https, or another port than 80 and 443
 * - a name without a dot or of a private network
 * - an IP address that is not public, in whichever way it is written
 */
export function pageUrl(address: string, base?: URL): URL | undefined {
  const url = URL.parse(address, base?.href);
  if (!url || url.href.length > LONGEST_URL) return undefined;
  const port = PORTS[url.protocol];
  if (port === undefined || !['80', '443'].includes(url.port || port)) return undefined;
  if (url.username || url.password) return undefined;
  const host = hostOf(url);
  if (isIP(host) ? !isPublicAddress(host) : !/[^.]\.[^.]+$/.test(host) || PRIVATE_NAMES.test(host)) return undefined;
  url.hash = '';
  return url;
}

/** The host of a URL: a name in lower case without a dot at its end, or an IP address without brackets. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
