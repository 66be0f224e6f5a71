/** When the newest refusal for asking too often ends, as its Retry-After says, and when it came. In ms since 1970. */
let newest: { until: number; at: number } | undefined;

/** Longer than an answer takes to become an error of the library, shorter than the next press. */
const FRESH_MS = 2_000;
const MINUTE_MS = 60_000;

/** Keeps how long a refusal lasts: the library's errors do not carry its headers. */
export function noteWait({ status, headers }: Response): void {
  if (status !== 429) return;
  const seconds = Number(headers.get('Retry-After'));
  const at = Date.now();
  newest = seconds > 0 ? { until: at + seconds * 1_000, at } : undefined;
}

/**
 * When what was refused for asking too often can be tried again, in ms since 1970: by the server's Retry-After, else by its words, else in a
 * minute. `words`: of the refusal.
 */
export function waitsUntil(words: string): number {
  const now = Date.now();
  if (newest && now - newest.at < FRESH_MS) return newest.until;
  const [, count, unit] = /(\d+) (second|minute)/.exec(words) ?? [];
  if (!count) return now + MINUTE_MS;
  return now + Number(count) * (unit === 'minute' ? MINUTE_MS : 1_000);
}

/** `37 s`, or `36:59` from a minute on. */
export function countdown(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** `12 seconds ago`, `3 minutes ago`. `since`: in ms since 1970. */
export function ago(since: number): string {
  const seconds = Math.max(1, Math.round((Date.now() - since) / 1_000));
  if (seconds < 90) return seconds === 1 ? '1 second ago' : `${seconds} seconds ago`;
  return `${Math.round(seconds / 60)} minutes ago`;
}

/** `Try again in 37 minutes.` */
export function tryAgainText(words: string): string {
  const seconds = Math.max(1, Math.ceil((waitsUntil(words) - Date.now()) / 1_000));
  if (seconds < 90) return `Try again in ${seconds === 1 ? '1 second' : `${seconds} seconds`}.`;
  return `Try again in ${Math.ceil(seconds / 60)} minutes.`;
}
