import { asCaller } from '#backend/data/transaction.ts';
import { type Call, SERVICE } from '#backend/storage/call.ts';
import { noSuchBucket } from '#backend/storage/storage-error.ts';

/** What a bucket takes. `fileSizeLimit` in bytes. */
export type Bucket = { isPublic: boolean; fileSizeLimit: number | null; allowedMimeTypes: string[] | null };

/**
 * The bucket of that name, no matter who asks: what it takes is no secret, and what is in it has policies.
 * @throws NoSuchBucket
 */
export async function findBucket({ pool }: Pick<Call, 'pool'>, id: string): Promise<Bucket> {
  const { rows } = await asCaller(pool, SERVICE, 'read only', (client) =>
    client.query<Bucket>(
      `select public as "isPublic", file_size_limit::float8 as "fileSizeLimit", allowed_mime_types as "allowedMimeTypes"
       from storage.buckets where id = $1`,
      [id],
    ),
  );
  if (!rows[0]) throw noSuchBucket();
  return rows[0];
}
