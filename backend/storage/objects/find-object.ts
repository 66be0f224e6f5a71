import type { PoolClient } from 'pg';
import { asCaller } from '#backend/data/transaction.ts';
import type { Call } from '#backend/storage/call.ts';
import { noSuchKey } from '#backend/storage/storage-error.ts';

/** What is known of the bytes. `size` in bytes. */
type FileMetadata = { eTag: string; size: number; mimetype: string; cacheControl: string };
export type StoredObject = {
  id: string;
  version: string;
  metadata: FileMetadata;
  userMetadata: object | null;
  createdAt: Date;
  updatedAt: Date;
};

/**
 * The object, as far as the caller may read it.
 * @throws NoSuchKey, also for what no one may know of.
 */
export async function findObject(
  { c, pool, caller }: Pick<Call, 'c' | 'pool' | 'caller'>,
  { bucket, name }: { bucket: string; name: string },
): Promise<StoredObject> {
  const find = (client: PoolClient) =>
    client.query<StoredObject>(
      `select id, version, metadata, user_metadata as "userMetadata", created_at as "createdAt", updated_at as "updatedAt"
       from storage.objects where bucket_id = $1 and name = $2`,
      [bucket, name],
    );
  const { rows } = await asCaller(pool, caller, 'read only', find, c.req.raw.signal);
  if (!rows[0]) throw noSuchKey();
  return rows[0];
}
