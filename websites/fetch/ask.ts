import type { Pace } from '#websites/pace.ts';
import { fetchPage, type NoAnswer, type PageAnswer, type Target } from './fetch-page.ts';
import { hostOf } from './page-url.ts';
import { type NameServers, resolveName } from './resolve-name.ts';

/** Nothing more often, in ms. A site may ask for more. */
export const GAP_MS = 1_000;
const TIMEOUT_MS = 10_000;

/** Everything that asking a website needs. */
export type Asking = {
  /** Undefined where `standIn` answers for all names, so that no one need resolve them. */
  names: NameServers | undefined;
  /** What stands in for the internet. Names that can be resolved are judged all the same. */
  standIn: URL | undefined;
  /** How we introduce ourselves: "FairleadBot/1.0 (+https://…)". */
  userAgent: string;
  pace: Pace;
  signal: AbortSignal;
};

/** One request to one address, judged and pinned; `forbidden`: its name leads to where no one may be sent. */
export async function ask(
  { names, standIn, userAgent, pace, signal }: Asking,
  url: URL,
  paceOf: string,
  { pauseMs, maxBytes }: { pauseMs: number; maxBytes: number },
): Promise<PageAnswer | NoAnswer | 'forbidden'> {
  return pace(
    paceOf,
    Math.max(GAP_MS, pauseMs),
    async () => {
      // Within the turn: what a name leads to is asked right before the connection.
      const target = await targetOf(names, standIn, hostOf(url));
      if (typeof target === 'string') return target;
      const headers = { 'user-agent': userAgent, accept: 'text/html, application/xhtml+xml, text/plain;q=0.5' };
      return fetchPage(url, target, { maxBytes, timeoutMs: TIMEOUT_MS }, headers, signal);
    },
    signal,
  );
}

async function targetOf(
  names: NameServers | undefined,
  standIn: URL | undefined,
  host: string,
): Promise<Target | NoAnswer | 'forbidden'> {
  if (!names) return standIn ? { standIn } : 'unreachable';
  const resolved = await resolveName(names, host);
  if (resolved.kind === 'forbidden') return 'forbidden';
  if (resolved.kind !== 'public') return 'unreachable';
  return standIn ? { standIn } : { addresses: resolved.addresses };
}
