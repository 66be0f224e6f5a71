import type { Context } from 'hono';
import type { HttpEnv } from '#server/http/http-env.ts';
import type { Upload } from './open-upload.ts';
import { refuseUnreadable } from './refuse-unreadable.ts';
import { untilSilent } from './until-silent.ts';

/** How often it is looked at whether anything comes at all, in ms. */
const LOOK_MS = 30_000;

/**
 * Has the file read that is the body of a request.
 * @throws VALIDATION_FAILED for what cannot be read, CONFLICT once nothing more comes of it, and what `read` throws
 */
export async function takeUpload<T>(c: Context<HttpEnv>, read: (upload: Upload) => Promise<T>): Promise<T> {
  const length = c.req.header('content-length');
  const body = c.req.raw.body && untilSilent(c.req.raw.body);
  const listening = setInterval(() => body?.look(), LOOK_MS);
  try {
    return await read({
      type: c.req.header('content-type') ?? '',
      length: length === undefined ? undefined : Number(length),
      body: body?.chunks ?? null,
    });
  } catch (error) {
    // What is refused is not read to its end, so the connection cannot be used again.
    c.header('Connection', 'close');
    return refuseUnreadable(error);
  } finally {
    clearInterval(listening);
  }
}
