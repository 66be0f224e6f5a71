/** Milliseconds that a Retry-After header (seconds or an HTTP date) asks for; undefined when absent or unreadable. */
export function parseRetryAfter(header: string | null, nowMs: number = Date.now()): number | undefined {
  const value = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  // A date names a weekday or month: this keeps Date.parse from reading "-5" as a year.
  if (!/[a-z]{3}/i.test(value)) return undefined;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}
