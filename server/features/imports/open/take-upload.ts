import type { Context } from 'hono';
import { UnreadableFile } from '#server/features/imports/read/row.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { AppError } from '#server/lib/app-error.ts';
import type { Upload } from './open-upload.ts';

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
    throw error instanceof UnreadableFile ? new AppError('VALIDATION_FAILED', error.message, { cause: error }) : error;
  }
}
