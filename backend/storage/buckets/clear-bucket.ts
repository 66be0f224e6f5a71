import { asCaller } from '#backend/data/transaction.ts';
import { addressedBucket, type Call } from '#backend/storage/call.ts';
import { noSuchBucket } from '#backend/storage/storage-error.ts';

/**
 * POST /bucket/:bucket/empty: removes the objects that the caller may remove. They are gone with the answer, whose words are
 * those of hosted Storage, which removes them later.
 */
export async function emptyBucket({ c, pool, caller }: Call): Promise<Response> {
  const id = addressedBucket(c);
  await asCaller(pool, caller, 'read write', async (client) => {
    const { rowCount } = await client.query('select from storage.buckets where id = $1', [id]);
    if (rowCount === 0) throw noSuchBucket();
    await client.query('delete from storage.objects where bucket_id = $1', [id]);
  });
  return c.json({ message: 'Empty bucket has been queued. Completion may take up to an hour.' });
}

/**
 * DELETE /bucket/:bucket.
 * @throws InvalidRequest (409) while it holds anything.
 */
export async function deleteBucket({ c, pool, caller }: Call): Promise<Response> {
  const { rowCount } = await asCaller(pool, caller, 'read write', (client) =>
    client.query('delete from storage.buckets where id = $1', [addressedBucket(c)]),
  );
  if (rowCount === 0) throw noSuchBucket();
  return c.json({ message: 'Successfully deleted' });
}
