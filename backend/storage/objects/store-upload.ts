import { asCaller } from '#backend/data/transaction.ts';
import { type Bucket, findBucket } from '#backend/storage/buckets/find-bucket.ts';
import type { Call } from '#backend/storage/call.ts';
import { invalidMimeType, tooLarge } from '#backend/storage/storage-error.ts';
import { isDatabaseGone } from '#db/connection/database-gone.ts';
import { readUpload } from './read-upload.ts';
import { ownerOf, type WriteMode, writeRow } from './write-row.ts';

/** Bytes of a file in a bucket that has no limit of its own; hosted Storage begins with the same. */
const MAX_FILE_BYTES = 50 * 1024 ** 2;

type Target = { bucket: string; name: string; mode: WriteMode };

/**
 * Stores what a request carries and returns the object's id. Whether it may is asked before a byte is read, and again when the row is
 * written.
 * @throws whatever `writeRow` throws, InvalidMimeType and EntityTooLarge.
 */
export async function storeUpload(call: Call, { bucket, name, mode }: Target): Promise<string> {
  const { c, pool, caller, files } = call;
  const takes = await findBucket(call, bucket);
  await tryWriting(call, { bucket, name, mode });
  const most = takes.fileSizeLimit ?? MAX_FILE_BYTES;
  const isForm = /^multipart\//i.test(c.req.header('content-type') ?? '');
  if (!isForm && Number(c.req.header('content-length') ?? 0) > most) throw tooLarge();
  const { body, type, cacheControl, userMetadata } = await readUpload(c, most);
  requireType(takes, type);

  const { version, size, md5 } = await files.write(body, most);
  const metadata = {
    eTag: `"${md5}"`,
    size,
    mimetype: type,
    cacheControl,
    lastModified: new Date().toISOString(),
    contentLength: size,
    httpStatusCode: 200,
  };
  try {
    return await asCaller(pool, caller, 'read write', (client) =>
      writeRow(client, mode, { bucket, name, version, metadata, userMetadata }, ownerOf(caller)),
    );
  } catch (error) {
    // If the database goes away during the commit, no one knows whether it took place.
    if (!isDatabaseGone(error)) await files.remove(version);
    throw error;
  }
}

/** Writes the row and takes it back: a refusal is thrown as the real one would be. */
export async function tryWriting({ pool, caller }: Call, { bucket, name, mode }: Target): Promise<void> {
  const object = { bucket, name, version: '', metadata: {}, userMetadata: null };
  await asCaller(pool, caller, 'rolled back', (client) => writeRow(client, mode, object, ownerOf(caller)));
}

/** @throws InvalidMimeType for a type that the bucket does not take; `image/*` takes all images. */
export function requireType({ allowedMimeTypes }: Pick<Bucket, 'allowedMimeTypes'>, type: string): void {
  const [plain = ''] = type.toLowerCase().split(';');
  const takes = (one: string) =>
    one === plain.trim() || one === '*/*' || (one.endsWith('/*') && plain.startsWith(one.slice(0, -1)));
  if (allowedMimeTypes && !allowedMimeTypes.some(takes)) throw invalidMimeType(type);
}
