import { z } from 'zod/mini';
import { asCaller } from '#backend/data/transaction.ts';
import { addressed, addressedBucket, type Call, readBody } from '#backend/storage/call.ts';
import { noSuchKey } from '#backend/storage/storage-error.ts';

const Body = z.object({ prefixes: z.array(z.string()).check(z.minLength(1), z.maxLength(1_000)) });

/** DELETE /object/:bucket: returns what was removed; what is not there, or not to be removed, is passed over. Files go with the next sweep. */
export async function removeObjects(call: Call): Promise<Response> {
  const { prefixes } = await readBody(call, Body);
  return call.c.json(await remove(call, addressedBucket(call.c), prefixes));
}

/** DELETE /object/:bucket/:name */
export async function removeObject(call: Call): Promise<Response> {
  const { bucket, name } = addressed(call);
  const removed = await remove(call, bucket, [name]);
  if (removed.length === 0) throw noSuchKey();
  return call.c.json({ message: 'Successfully deleted' });
}

async function remove({ pool, caller }: Call, bucket: string, names: readonly string[]): Promise<object[]> {
  const { rows } = await asCaller(pool, caller, 'read write', (client) =>
    client.query(
      `delete from storage.objects where bucket_id = $1 and name = any($2)
       returning bucket_id, name, id, owner, owner_id, version, created_at, updated_at, last_accessed_at, metadata, user_metadata`,
      [bucket, names],
    ),
  );
  return rows;
}
