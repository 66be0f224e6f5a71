import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';

export type ClientIp = (c: Context) => string;
export type SocketIp = (request: IncomingMessage) => string;

/**
 * Returns what finds the address of a request's sender. X-Forwarded-For is believed only where `trusted` has written it.
 * `trusted`: addresses or networks ("10.0.0.1", "10.0.0.0/8", "loopback").
 */
export function clientIpFinder(trusted: readonly string[]): ClientIp {
  const find = addressFinder(trusted);
  return (c) => find(remoteAddress(c), c.req.header('x-forwarded-for'));
}

/** The same for a request that is to become a socket. */
export function socketIpFinder(trusted: readonly string[]): SocketIp {
  const find = addressFinder(trusted);
  return ({ socket, headers }) => find(socket.remoteAddress ?? '', [headers['x-forwarded-for'] ?? []].flat().join());
}

function addressFinder(trusted: readonly string[]) {
  const proxies = toBlockList(trusted);
  const isProxy = (ip: string) => proxies.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4');
  return (remote: string, forwardedFor = ''): string => {
    let ip = plain(remote);
    const hops = forwardedFor.split(',').map((hop) => plain(hop.trim()));
    while (isIP(ip) && isProxy(ip)) {
      const before = hops.pop();
      if (!before || !isIP(before)) break;
      ip = before;
    }
    return ip;
  };
}

function toBlockList(trusted: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of trusted.flatMap((one) => (one === 'loopback' ? ['127.0.0.0/8', '::1'] : [one]))) {
    const [address = '', prefix] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix) list.addSubnet(address, Number(prefix), family);
    else list.addAddress(address, family);
  }
  return list;
}

/** In-process requests (tests) have no socket. */
function remoteAddress(c: Context): string {
  try {
    return getConnInfo(c).remote.address ?? '127.0.0.1';
  } catch {
    return '127.0.0.1';
  }
}

/** IPv4 addresses mapped into IPv6 count as what they are. The zone of a link-local address is this machine's, and PostgreSQL takes none. */
const plain = (ip: string): string => ip.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
