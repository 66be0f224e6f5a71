import type { Context } from 'hono';
import { nestsTooDeep } from '#db/values/json-depth.ts';
import { AppError } from '#server/lib/app-error.ts';

/** Most bytes of a request's body. */
export const BODY_LIMIT_BYTES = 1_000_000;

/** Reads a JSON body. Throws UNSUPPORTED_MEDIA_TYPE, or BAD_REQUEST for what is not JSON. */
export async function readJsonBody(c: Context): Promise<unknown> {
  const type = c.req.header('content-type') ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type))
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the request as application/json.');
  const text = await c.req.text();
  if (nestsTooDeep(text)) throw new AppError('BAD_REQUEST', 'The request is nested too deeply.');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError('BAD_REQUEST', 'The request is not valid JSON.', { cause: error });
  }
}
