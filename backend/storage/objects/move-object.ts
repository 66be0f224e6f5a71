import type { PoolClient } from 'pg';
import { z } from 'zod/mini';
import { asCaller } from '#backend/data/transaction.ts';
import { findBucket } from '#backend/storage/buckets/find-bucket.ts';
import { type Call, readBody } from '#backend/storage/call.ts';
import { requireBucketName, requireObjectName } from '#backend/storage/names.ts';
import { noSuchKey, tooLarge } from '#backend/storage/storage-error.ts';
import { requireToLeave } from './download.ts';
import { findObject } from './find-object.ts';
import { requireType } from './store-upload.ts';
import { ownerOf, writeRow } from './write-row.ts';

const Body = z.object({
  bucketId: z.string(),
  sourceKey: z.string(),
  destinationKey: z.string(),
  destinationBucket: z.nullish(z.string()),
});

/** POST /object/move: another name for the same object. Needs policies to read and to change. */
export async function moveObject(call: Call): Promise<Response> {
  const { from, to } = await readAddresses(call);
  const id = await asCaller(call.pool, call.caller, 'read write', (client) => rename(client, from, to));
  return call.c.json({ message: 'Successfully moved', Id: id, Key: `${to.bucket}/${to.name}` });
}

/** POST /object/copy: a new object of the caller's. The bytes are shared, as no file is ever changed. */
export async function copyObject(call: Call): Promise<Response> {
  const { from, to, source } = await readAddresses(call);
  const { version, metadata, userMetadata } = source;
  const mode = call.c.req.header('x-upsert') === 'true' ? 'upsert' : 'create';
  const id = await asCaller(call.pool, call.caller, 'read write', (client) =>
    writeRow(client, mode, { ...to, version, metadata, userMetadata }, ownerOf(call.caller)),
  );
  return call.c.json({ Id: id, Key: `${to.bucket}/${to.name}`, from: `${from.bucket}/${from.name}` });
}

type Address = { bucket: string; name: string };

async function rename(client: PoolClient, from: Address, to: Address): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `update storage.objects set bucket_id = $3, name = $4, updated_at = now()
     where bucket_id = $1 and name = $2 returning id`,
    [from.bucket, from.name, to.bucket, to.name],
  );
  if (!rows[0]) throw noSuchKey();
  return rows[0].id;
}

/**
 * From where to where.
 * @throws NoSuchKey, and what an upload to there would throw.
 */
async function readAddresses(call: Call) {
  const body = await readBody(call, Body);
  const from = { bucket: requireBucketName(body.bucketId), name: requireObjectName(body.sourceKey) };
  const bucket = requireBucketName(body.destinationBucket ?? body.bucketId);
  const to = { bucket, name: requireObjectName(body.destinationKey) };
  const source = await findObject(call, from);
  await requireToLeave(call, from);
  const takes = await findBucket(call, bucket);
  requireType(takes, source.metadata.mimetype);
  if (source.metadata.size > (takes.fileSizeLimit ?? Number.POSITIVE_INFINITY)) throw tooLarge();
  return { from, to, source };
}
