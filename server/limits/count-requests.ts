import { countHits } from '#db/count-hits.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/http/app-error.ts';

/** At most `hits` in a fixed window of `windowMs`, counted in the database for all processes; refused requests count too. */
export type RequestLimit = { bucket: string; hits: number; windowMs: number };

/**
 * Counts one request under each limit, by its subject, which is stored as a fingerprint; all in one statement.
 * Throws RATE_LIMITED, with the seconds to wait, when it is one too many for any of them.
 */
export async function countRequest(
  { db, vault }: Pick<Deps, 'db' | 'vault'>,
  ...counted: readonly (readonly [limit: RequestLimit, subject: string])[]
): Promise<void> {
  const counters = counted.map(([{ bucket, windowMs }, subject]) => ({
    bucket: `${bucket}:${vault.fingerprint(subject)}`,
    windowMs,
  }));
  const counts = await countHits(db, counters);
  for (const [index, [limit]] of counted.entries()) {
    const count = counts[index];
    if (count && count.hits > limit.hits) throw tooMany(count.resetsInMs);
  }
}

function tooMany(resetsInMs: number): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(resetsInMs / 1000));
  return new AppError('RATE_LIMITED', `Too many attempts. Please try again in ${inWords(retryAfterSeconds)}.`, {
    retryAfterSeconds,
  });
}

function inWords(seconds: number): string {
  if (seconds > 60) return `${Math.ceil(seconds / 60)} minutes`;
  return seconds > 30 ? 'a minute' : 'half a minute';
}
