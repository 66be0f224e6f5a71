import type { Context } from 'hono';
import { MOST_POINTS } from '#contract/work/search/areas.ts';
import { nestsTooDeep } from '#db/values/json-depth.ts';
import { AppError } from '#server/lib/app-error.ts';

/** Most bytes of a request's body. */
export const BODY_LIMIT_BYTES = 1_000_000;

const AREA_PATHS = /^\/api\/(search-leads|areas)(\/|$)/;

/** What is said of a body that is larger, by the address it was sent to. */
export const tooLargeText = (path: string): string =>
  AREA_PATHS.test(path)
    ? `The request is larger than 1 MB. An area has at most ${MOST_POINTS.toLocaleString('en-US')} points: simplify its lines, then try again.`
    : 'The request is larger than 1 MB.';

/**
 * Reads a JSON body.
 * @throws UNSUPPORTED_MEDIA_TYPE, or BAD_REQUEST for what is not JSON.
 */
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
