import type { ProviderError } from '#providers/provider.ts';

/** Up to a minute in all: some limits are counted by the minute, and not all of them say so. */
const RATE_LIMITED_TRIES = 8;
const TRANSIENT_TRIES = 3;
const LONGEST_BACKOFF_MS = 30_000;
const FIRST_BACKOFF_MS = 500;
/** A run does not wait for a provider that asks for more than this. */
const LONGEST_RETRY_AFTER_MS = 60_000;

/**
 * Returns the ms to wait after the `tries`-th failure of a call, or undefined when it is not to be tried again.
 * Only for failures after which repeating costs nothing.
 */
export function retryPause(
  error: ProviderError,
  tries: number,
  random: () => number = Math.random,
): number | undefined {
  if (error.kind !== 'rate_limited' && error.kind !== 'transient') return undefined;
  if (tries >= (error.kind === 'rate_limited' ? RATE_LIMITED_TRIES : TRANSIENT_TRIES)) return undefined;
  if (error.retryAfterMs !== undefined)
    return error.retryAfterMs <= LONGEST_RETRY_AFTER_MS ? error.retryAfterMs : undefined;
  return Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (tries - 1)) * (0.5 + random() / 2);
}
