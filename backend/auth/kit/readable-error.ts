import { isDatabaseGone } from '#db/connection/database-gone.ts';
import { AuthError } from './auth-error.ts';
import type { AuthContext } from './context.ts';

/** Returns an error that clients may read as it is. Any other is logged, and told without its contents. */
export function readableError(error: unknown, { log }: AuthContext): AuthError {
  if (error instanceof AuthError) return error;
  if (isDatabaseGone(error))
    return new AuthError(
      503,
      'unexpected_failure',
      'The database cannot be reached right now. Try again in a few seconds.',
      {
        'Retry-After': '5',
      },
    );
  log.error({ err: error }, 'An auth request failed');
  return new AuthError(500, 'unexpected_failure', 'Something went wrong on our side. Please try again.');
}
