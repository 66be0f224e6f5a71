import { countRequests, inWords, type RequestLimit, retryAfterSeconds } from '#db/limits/count-requests.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/lib/app-error.ts';

/**
 * Counts one request under each limit, by its subject.
 * @throws AppError RATE_LIMITED, with the seconds to wait, when it is one too many for any of them
 */
export async function countRequest(
  deps: Pick<Deps, 'db' | 'vault'>,
  ...counted: readonly (readonly [limit: RequestLimit, subject: string])[]
): Promise<void> {
  const excess = await countRequests(deps, counted);
  if (!excess) return;
  const seconds = retryAfterSeconds(excess.resetsInMs);
  throw new AppError('RATE_LIMITED', `Too many attempts. Please try again in ${inWords(seconds)}.`, {
    retryAfterSeconds: seconds,
  });
}
