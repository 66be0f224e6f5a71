import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { AuthError } from './auth-error.ts';
import { BODY_LIMIT } from './limits.ts';

const measureBody = bodyLimit({ maxSize: BODY_LIMIT, onError: tooLarge });

/** Where the length is announced, Hono's own would open the body first, which costs more than to read it. */
export const limitBody: MiddlewareHandler = (c, next) => {
  const announced = c.req.header('Content-Length');
  if (announced === undefined || c.req.header('Transfer-Encoding') !== undefined) return measureBody(c, next);
  if (Number(announced) > BODY_LIMIT) tooLarge();
  return next();
};

function tooLarge(): never {
  // The rest of the body is not read, so the connection cannot carry another request.
  const headers = { Connection: 'close' };
  throw new AuthError(413, 'request_too_large', `The body must be under ${BODY_LIMIT / 1024} kB`, headers);
}
