const SECONDS_PER_DAY = 86_400;

/** A cookie's value; undefined if there is none. */
export function readCookie(name: string): string | undefined {
  const prefix = `${name}=`;
  const pair = document.cookie.split('; ').find((candidate) => candidate.startsWith(prefix));
  return pair?.slice(prefix.length);
}

/** Keeps a cookie of the whole site for some days. `value` must need no quoting. */
export function writeCookie(name: string, value: string, days: number): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not everywhere, and cannot be read before the first paint
  document.cookie = `${name}=${value}; path=/; max-age=${days * SECONDS_PER_DAY}; samesite=lax`;
}
