import { limitBody } from '#db/values/limit-body.ts';
import { AuthError } from './auth-error.ts';
import { BODY_LIMIT } from './limits.ts';

export const limitAuthBody = limitBody(BODY_LIMIT, tooLarge);

function tooLarge(): never {
  const headers = { Connection: 'close' };
  throw new AuthError(413, 'request_too_large', `The body must be under ${BODY_LIMIT / 1024} kB`, headers);
}
