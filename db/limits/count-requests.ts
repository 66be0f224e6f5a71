import type { Db } from '#db/connection/client.ts';
import type { Vault } from '#db/sealed/vault.ts';
import { type Counter, countHits } from './count-hits.ts';

/** At most `hits` in a fixed window of `windowMs`, counted in the database for all processes. Refused requests count too. */
export type RequestLimit = { bucket: string; hits: number; windowMs: number };

/** One request too many, and how long until the next one counts in a new window. */
export type Excess<L extends RequestLimit> = { limit: L; resetsInMs: number };

/**
 * Counts one request under each limit, all in one statement.
 * - `counted`: each limit with its subject, such as a person or a network.
 * - Returns the excess that lasts longest, or undefined.
 */
export async function countRequests<L extends RequestLimit>(
  { db, vault }: { db: Db; vault: Vault },
  counted: readonly (readonly [limit: L, subject: string])[],
): Promise<Excess<L> | undefined> {
  const counts = await countHits(
    db,
    counted.map(([limit, subject]) => counterOf(vault, limit, subject)),
  );
  const excesses = counted.flatMap(([limit], index) => {
    const count = counts[index];
    return count && count.hits > limit.hits ? [{ limit, resetsInMs: count.resetsInMs }] : [];
  });
  return excesses.sort((one, other) => other.resetsInMs - one.resetsInMs)[0];
}

/** Where requests under a limit are counted. The subject is stored as a fingerprint only. */
export const counterOf = (vault: Vault, { bucket, windowMs }: RequestLimit, subject: string): Counter => ({
  bucket: `${bucket}:${vault.fingerprint(subject)}`,
  windowMs,
});

/** What `Retry-After` says. */
export const retryAfterSeconds = (resetsInMs: number): number => Math.max(1, Math.ceil(resetsInMs / 1000));

/** `1 second`, `59 seconds`, `3 minutes`. */
export function inWords(seconds: number): string {
  if (seconds < 120) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
