import { readStored, removeStored, writeStored } from './storage.ts';

/** In localStorage, because the link of the e-mail opens in another tab. */
const KEY = 'return-to';

/** As long as a sign-in link lives, in ms. */
const MAX_AGE_MS = 3_600_000;

/** Whether `path` leads to a page of ours, and neither to another site nor back to the sign-in. */
const isOwnPath = (path: string): boolean => /^\/(?!\/|login)/.test(path) && !path.includes('\\');

/** Remembers where somebody without a session wanted to go: path, query and hash. */
export function rememberReturnTo(path: string, now: number = Date.now()): void {
  if (!isOwnPath(path)) return;
  writeStored(KEY, `${now} ${path}`);
}

/** Where to go after sign-in; `/` if nothing was remembered in the last hour. */
export function readReturnTo(now: number = Date.now()): string {
  const stored = /^(\d+) (.+)$/.exec(readStored(KEY) ?? '');
  const path = stored?.[2];
  if (!path || !isOwnPath(path) || now - Number(stored[1]) > MAX_AGE_MS) return '/';
  return path;
}

/** The same, once: it is forgotten then. */
export function takeReturnTo(now: number = Date.now()): string {
  const path = readReturnTo(now);
  removeStored(KEY);
  return path;
}
