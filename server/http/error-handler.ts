import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ErrorBody, ErrorCode } from '#contract/errors.ts';
import { CallerGone } from '#db/cancel/while-asked.ts';
import { isDatabaseGone } from '#db/connection/database-gone.ts';
import { ProviderError } from '#providers/provider.ts';
import { AppError } from '#server/lib/app-error.ts';
import { AskAgain } from './ask-again.ts';
import type { HttpEnv } from './http-env.ts';
import { PROVIDER_CODES } from './provider-codes.ts';

/** Turns whatever was thrown into the one JSON shape. What no one wrote for the caller is logged and answered without its text. */
export function answerError(error: unknown, c: Context<HttpEnv>): Response {
  if (error instanceof AskAgain) return sendOn(error, c);
  const known = toAppError(error);
  const log = c.get('log');
  if (known.status >= 500) log.error({ err: error, code: known.code }, 'request failed');
  else log.info({ code: known.code }, 'request refused');
  if (known.retryAfterSeconds !== undefined) c.header('Retry-After', String(Math.ceil(known.retryAfterSeconds)));
  c.header('Cache-Control', 'no-store');
  return c.json(errorBody(known.code, known.message, c.get('requestId')), known.status);
}

const errorBody = (error: ErrorCode, message: string, requestId: string): ErrorBody => ({
  success: false,
  error,
  message,
  requestId,
});

/**
 * Sends the client on by a 307, which it follows by itself with method, body and Authorization.
 * The address is a query alone: it holds under any path, behind a proxy or as a function of the backend.
 */
function sendOn({ query, message }: AskAgain, c: Context<HttpEnv>): Response {
  c.header('Location', `?${new URLSearchParams({ ...c.req.query(), ...query })}`);
  c.header('Cache-Control', 'no-store');
  c.header('Connection', 'close');
  return c.json(errorBody('UNAVAILABLE', message, c.get('requestId')), 307);
}

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof HTTPException && error.status === 413)
    return new AppError('PAYLOAD_TOO_LARGE', 'The request is larger than 1 MB.');
  if (error instanceof ProviderError) {
    const wait = error.retryAfterMs === undefined ? {} : { retryAfterSeconds: Math.ceil(error.retryAfterMs / 1000) };
    return new AppError(PROVIDER_CODES[error.kind], error.message, { cause: error, ...wait });
  }
  if (error instanceof CallerGone)
    return new AppError('BAD_REQUEST', 'The caller closed the connection.', { cause: error });
  if (isBrokenOff(error))
    return new AppError('BAD_REQUEST', 'The request was cut off before its end.', { cause: error });
  if (isDatabaseGone(error))
    return new AppError('UNAVAILABLE', 'The database cannot be reached right now. Try again in a few seconds.', {
      cause: error,
      retryAfterSeconds: 5,
    });
  return new AppError('INTERNAL', 'Something went wrong on our side. Please try again.', { cause: error });
}

/** Anyone who sent it went away before its body was complete: Node gives that the code of a lost connection, as if it were the database's. */
const isBrokenOff = (error: unknown): boolean =>
  error instanceof Error && error.message === 'aborted' && 'code' in error && error.code === 'ECONNRESET';
