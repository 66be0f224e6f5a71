import { readStored, removeStored, writeStored } from '#web/lib/storage/storage.ts';

/** In localStorage, because the link of the email opens in another tab. */
const KEY = 'return-to';

/** As long as a sign-in link lives, in ms. */
const MAX_AGE_MS = 3_600_000;

/** `path` as the browser understands it; undefined unless it leads to a page of ours that is not the sign-in. */
function ownPath(path: string): string | undefined {
  const url = URL.parse(path, window.location.origin);
  if (url?.origin !== window.location.origin || !/^\/(?!\/|login)/.test(url.pathname)) return undefined;
  return `${url.pathname}${url.search}${url.hash}`;
}

/** Remembers where someone without a session wanted to go: path, query and hash. */
export function rememberReturnTo(path: string, now: number = Date.now()): void {
  const own = ownPath(path);
  if (own) writeStored(KEY, `${now} ${own}`);
}

/** Where to go after sign-in; `/` if nothing was remembered in the last hour. */
export function readReturnTo(now: number = Date.now()): string {
  const stored = /^(\d+) (.+)$/s.exec(readStored(KEY) ?? '');
  if (!stored || now - Number(stored[1]) > MAX_AGE_MS) return '/';
  return ownPath(stored[2] ?? '') ?? '/';
}

/** The same, once: it is forgotten then. */
export function takeReturnTo(now: number = Date.now()): string {
  const path = readReturnTo(now);
  removeStored(KEY);
  return path;
}
