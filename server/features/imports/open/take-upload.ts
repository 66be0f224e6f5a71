import type { Context } from 'hono';
import type { HttpEnv } from '#server/http/http-env.ts';
import type { Upload } from './open-upload.ts';
import { refuseUnreadable } from './refuse-unreadable.ts';

/**
 * Has the file read that is the body of a request.
 * @throws VALIDATION_FAILED for what cannot be read, and what `read` throws
 */
export async function takeUpload<T>(c: Context<HttpEnv>, read: (upload: Upload) => Promise<T>): Promise<T> {
  const length = c.req.header('content-length');
  try {
    return await read({
      type: c.req.header('content-type') ?? '',
      length: length === undefined ? undefined : Number(length),
      body: c.req.raw.body,
    });
  } catch (error) {
    // What is refused is not read to its end, so the connection cannot be used again.
    c.header('Connection', 'close');
    return refuseUnreadable(error);
  }
}
