import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { hostOf } from './page-url.ts';
import { readBody } from './read-body.ts';
import type { Address } from './resolve-name.ts';

/** One answer. `body` is decompressed and cut at the limit; empty for a redirect. */
export type PageAnswer = { status: number; location?: string; contentType: string; body: Buffer };

/** Why no answer came: `silent` in time or at all, or not readable. */
export type NoAnswer = 'unreachable';

/** Where the connection goes: to addresses that were resolved and judged, or to what stands in for the internet. */
export type Target = { addresses: readonly Address[] } | { standIn: URL };

export type FetchLimits = { maxBytes: number; timeoutMs: number };

/**
 * Asks once for one page, without cookies, credentials or a connection kept open.
 * - The connection goes to `target` and nowhere else, whatever the name means by then.
 * - Never rejects, but with the signal's reason.
 */
export async function fetchPage(
  url: URL,
  target: Target,
  { maxBytes, timeoutMs }: FetchLimits,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<PageAnswer | NoAnswer> {
  signal.throwIfAborted();
  const ends = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    // Not "deflate", by which servers mean two things.
    const sent = send(url, target, { ...headers, host: url.host, 'accept-encoding': 'gzip, br' }, ends);
    const answer = await answerOf(sent);
    const status = answer.statusCode ?? 0;
    const { location, 'content-type': contentType = '' } = answer.headers;
    const isRedirect = status >= 300 && status < 400 && location !== undefined;
    const body = isRedirect ? Buffer.alloc(0) : await readBody(answer, maxBytes);
    sent.destroy();
    // Of a body that only the connection ends, the part that came in time would count as a whole one.
    ends.throwIfAborted();
    return { status, contentType, body, ...(location === undefined ? {} : { location }) };
  } catch {
    signal.throwIfAborted();
    return 'unreachable';
  }
}

function send(url: URL, target: Target, headers: Record<string, string>, signal: AbortSignal): ClientRequest {
  const options = { method: 'GET', path: `${url.pathname}${url.search}`, headers, signal, agent: false };
  if ('standIn' in target) {
    const { standIn } = target;
    const ask = standIn.protocol === 'https:' ? httpsRequest : httpRequest;
    // It could not tell otherwise which of both schemes is meant.
    const asked = { ...headers, 'x-forwarded-proto': url.protocol.slice(0, -1) };
    return ask({ ...options, headers: asked, host: hostOf(standIn), port: standIn.port || undefined });
  }
  const port = url.port || (url.protocol === 'https:' ? 443 : 80);
  const host = hostOf(url);
  const pinned = { ...options, host, port, lookup: pinTo(target.addresses) };
  if (url.protocol === 'http:') return httpRequest(pinned);
  return httpsRequest({ ...pinned, ...(isIP(host) ? {} : { servername: host }) });
}

/** Answers every look-up with the addresses that were judged: a second look-up could tell something else. */
function pinTo(addresses: readonly Address[]): LookupFunction {
  return (_name, options, callback) => {
    const [first] = addresses;
    if (!first) callback(new Error('no address'), '', 0);
    else if (options.all) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}

function answerOf(sent: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.once('response', resolve);
    // Stays: a late failure of the connection must not end the process.
    sent.on('error', reject);
    // Without an error, too: a change to another protocol, which no one asked for, only closes the connection.
    sent.once('close', () => reject(new Error('closed without an answer')));
    sent.end();
  });
}
