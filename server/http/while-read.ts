import { CallerGone, whileAsked } from '#db/cancel/while-asked.ts';
import { AppError } from '#server/lib/app-error.ts';

/** The longest that one read may keep a connection from others, in ms. */
const LONGEST_READ_MS = 5_000;

/**
 * Does what only reads the database: until its caller hangs up, and for `LONGEST_READ_MS` at most.
 * @throws CallerGone when the caller has gone, UNAVAILABLE when it took too long.
 */
export async function whileRead<T>(asked: AbortSignal, read: () => Promise<T>): Promise<T> {
  const late = AbortSignal.timeout(LONGEST_READ_MS);
  try {
    return await whileAsked(AbortSignal.any([asked, late]), read);
  } catch (error) {
    if (!(error instanceof CallerGone) || asked.aborted) throw error;
    throw new AppError('UNAVAILABLE', 'This took too long and was stopped. Try again in a moment.', {
      cause: error,
      retryAfterSeconds: 5,
    });
  }
}
