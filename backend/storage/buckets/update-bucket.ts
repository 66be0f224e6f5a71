import { asCaller } from '#backend/data/transaction.ts';
import { addressedBucket, type Call, readBody } from '#backend/storage/call.ts';
import { noSuchBucket } from '#backend/storage/storage-error.ts';
import { BucketChanges, bytesOf } from './bucket-body.ts';

/** PUT /bucket/:bucket. What is not sent stays as it is; null takes a limit away. */
export async function updateBucket(call: Call): Promise<Response> {
  const id = addressedBucket(call.c);
  const changes = await readBody(call, BucketChanges);
  const { rowCount } = await asCaller(call.pool, call.caller, 'read write', (client) =>
    client.query(
      `update storage.buckets set public = coalesce($2, public), updated_at = now(),
         file_size_limit = case when $3 then $4::bigint else file_size_limit end,
         allowed_mime_types = case when $5 then $6::text[] else allowed_mime_types end
       where id = $1`,
      [
        id,
        changes.public ?? null,
        changes.file_size_limit !== undefined,
        bytesOf(changes.file_size_limit),
        changes.allowed_mime_types !== undefined,
        changes.allowed_mime_types ?? null,
      ],
    ),
  );
  if (rowCount === 0) throw noSuchBucket();
  return call.c.json({ message: 'Successfully updated' });
}
