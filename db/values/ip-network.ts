import { isIPv6 } from 'node:net';

/**
 * Returns the network that limits are counted for: an IPv4 address, or the /64 network of an IPv6 address.
 * Every household has all of a /64 network and could use another address for each try.
 */
export const networkOf = (ip: string): string => networkIn(ip, 4);

/** The same, or the /48 network of an IPv6 address: as much as one customer is given, with 65,536 networks to ask from. */
export const siteNetworkOf = (ip: string): string => networkIn(ip, 3);

/** `most`: groups of an IPv6 address. */
function networkIn(ip: string, most: number): string {
  const address = ip.replace(/%.*$/, '');
  if (!isIPv6(address)) return ip;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  const [head = '', tail] = address.toLowerCase().split('::');
  const before = head ? head.split(':') : [];
  const after = tail ? tail.split(':') : [];
  // A dotted end stands for two groups.
  const given = before.length + after.length + (address.includes('.') ? 1 : 0);
  const zeros = tail === undefined ? 0 : 8 - given;
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after];
  return `${groups
    .slice(0, most)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/${most * 16}`;
}
