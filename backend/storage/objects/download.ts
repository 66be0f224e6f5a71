import { findBucket } from '#backend/storage/buckets/find-bucket.ts';
import { addressed, type Call, SERVICE } from '#backend/storage/call.ts';
import { accessDenied, noSuchBucket } from '#backend/storage/storage-error.ts';
import { findObject, type StoredObject } from './find-object.ts';
import { sendObject } from './send-object.ts';
import { verifySignature } from './signatures.ts';

/** GET /object/:bucket/:name and /object/authenticated/:bucket/:name */
export async function download(call: Call): Promise<Response> {
  const address = addressed(call);
  const object = await findObject(call, address);
  await requireToLeave(call, address);
  return sendObject(call, object);
}

/** @throws AccessDenied for what the product does not hand out any more. */
export async function requireToLeave({ whyKept }: Call, address: { bucket: string; name: string }): Promise<void> {
  const why = await whyKept?.(address);
  if (why) throw accessDenied(why);
}

/**
 * GET /object/public/:bucket/:name.
 * @throws NoSuchBucket for a bucket that is not public.
 */
export async function downloadPublic(call: Call): Promise<Response> {
  const object = await findPublic(call);
  await requireToLeave(call, addressed(call));
  return sendObject(call, object);
}

/** GET /object/sign/:bucket/:name?token=, for what its signer may read at this moment */
export async function downloadSigned(call: Call): Promise<Response> {
  const address = addressed(call);
  const { signer } = await verifySignature(call.vault, 'read', call.c.req.query('token'), address);
  const object = await findObject({ ...call, caller: signer }, address);
  await requireToLeave(call, address);
  return sendObject(call, object);
}

/** GET /object/info/:bucket/:name, for anyone who may download it */
export async function info(call: Call): Promise<Response> {
  return describe(call, await findObject(call, addressed(call)));
}

/** GET /object/info/public/:bucket/:name */
export async function infoPublic(call: Call): Promise<Response> {
  return describe(call, await findPublic(call));
}

async function findPublic(call: Call): Promise<StoredObject> {
  const address = addressed(call);
  const { isPublic } = await findBucket(call, address.bucket);
  if (!isPublic) throw noSuchBucket();
  return findObject({ ...call, caller: SERVICE }, address);
}

function describe(call: Call, { id, version, metadata, userMetadata, createdAt, updatedAt }: StoredObject): Response {
  const { bucket, name } = addressed(call);
  return call.c.json({
    id,
    name,
    version,
    bucket_id: bucket,
    size: metadata.size,
    content_type: metadata.mimetype,
    cache_control: metadata.cacheControl,
    etag: metadata.eTag,
    metadata: userMetadata ?? {},
    last_modified: updatedAt,
    created_at: createdAt,
  });
}
