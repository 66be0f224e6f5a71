import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';

export type Address = { address: string; family: 4 | 6 };

/**
 * Where a name leads:
 * - `public`: to these addresses, all of them on the public internet
 * - `forbidden`: at least one of them is not
 * - `none`: the name does not exist, or has no address
 * - `unknown`: the name servers did not say
 */
export type Resolved = { kind: 'public'; addresses: Address[] } | { kind: 'forbidden' | 'none' | 'unknown' };

/** What asks name servers; Node's own resolver, or that of a test. */
export type NameServers = Pick<Resolver, 'resolve4' | 'resolve6' | 'resolveMx'>;

const TIMEOUT_MS = 3_000;
const TRIES = 2;
/** Each of several name servers is tried for as long: a turn to ask a website must not run out over them. */
const LONGEST_MS = 10_000;

/** `server`: "host:port" of the one name server to ask, instead of the system's. An IP address; IPv6 in brackets. */
export function nameServers(server?: string): NameServers {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (server) resolver.setServers([server]);
  return resolver;
}

/** Says that a name, or what was asked about it, does not exist. Other codes say that no one knows. */
const NO_SUCH = new Set(['ENOTFOUND', 'ENODATA']);
export const isNoSuch = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && NO_SUCH.has(String(error.code));

/** Asks for IPv4 and IPv6 addresses of a host. Never rejects. An IP address leads to itself. */
export async function resolveName(names: NameServers, host: string): Promise<Resolved> {
  const family = isIP(host);
  if (family === 4 || family === 6) return judge([{ address: host, family }]);
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('The name servers took too long.')), LONGEST_MS);
  const inTime = <Answer>(answer: Promise<Answer>) => Promise.race([answer, late.promise]);
  const [v4, v6] = await Promise.allSettled([inTime(names.resolve4(host)), inTime(names.resolve6(host))]);
  clearTimeout(timer);
  const addresses: Address[] = [
    ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 as const })) : []),
    ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 as const })) : []),
  ];
  if (addresses.length > 0) return judge(addresses);
  const silent = [v4, v6].some((answer) => answer.status === 'rejected' && !isNoSuch(answer.reason));
  return { kind: silent ? 'unknown' : 'none' };
}

function judge(addresses: Address[]): Resolved {
  if (!addresses.every(({ address }) => isPublicAddress(address))) return { kind: 'forbidden' };
  return { kind: 'public', addresses };
}
