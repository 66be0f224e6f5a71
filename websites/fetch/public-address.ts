import { BlockList, isIP } from 'node:net';

/** IPv4 ranges that are not on the public internet, by the IANA registry of special-purpose addresses, and multicast. */
const SPECIAL_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/** In a public range, but answered by the machine's own cloud. */
const CLOUD_V4 = ['168.63.129.16/32'];
/** Inside 2000::/3, the only part of IPv6 that is given out: protocol assignments with Teredo, documentation, 6to4. */
const SPECIAL_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

const specialV4 = blockListOf([...SPECIAL_V4, ...CLOUD_V4], 'ipv4');
const specialV6 = blockListOf(SPECIAL_V6, 'ipv6');
const givenOut = blockListOf(['2000::/3'], 'ipv6');

/**
 * Whether an IP address is on the public internet.
 * IPv4 inside IPv6 (mapped, compatible, NAT64) lies outside 2000::/3 and is refused whatever it holds.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !specialV4.check(address, 'ipv4');
  // A scope ("%eth0") belongs to this machine's own links.
  if (isIP(address) !== 6 || address.includes('%')) return false;
  return givenOut.check(address, 'ipv6') && !specialV6.check(address, 'ipv6');
}

function blockListOf(ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits] = range.split('/');
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}
