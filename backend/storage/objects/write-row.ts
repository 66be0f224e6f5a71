import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import type { Caller } from '#backend/data/caller.ts';
import { noSuchKey } from '#backend/storage/storage-error.ts';

/** `create` refuses a name that is taken, `update` one that is not. */
export type WriteMode = 'create' | 'update' | 'upsert';
/** The system's metadata are what is known of the bytes; `userMetadata` is whatever the uploader says. */
export type NewObject = {
  bucket: string;
  name: string;
  version: string;
  metadata: object;
  userMetadata: object | null;
};

/**
 * Writes the row of an object under the policies of whom the transaction runs for, and answers its id.
 * @throws NoSuchKey, or PostgreSQL's refusal: 23505 for a name that is taken, 42501 where no policy allows it.
 */
export async function writeRow(
  client: PoolClient,
  mode: WriteMode,
  object: NewObject,
  owner: string | null,
): Promise<string> {
  const { bucket, name, version, metadata, userMetadata } = object;
  const values = [bucket, name, version, JSON.stringify(metadata), userMetadata && JSON.stringify(userMetadata), owner];
  if (mode === 'create') {
    // The response has no body: that would need a policy to read as well.
    const id = randomUUID();
    await client.query(`${INSERT} values ($1, $2, $3, $4, $5, $6::uuid, $6::uuid::text, $7)`, [...values, id]);
    return id;
  }
  const { rows } = await client.query<{ id: string }>(mode === 'upsert' ? UPSERT : UPDATE, values);
  if (!rows[0]) throw noSuchKey();
  return rows[0].id;
}

const INSERT = 'insert into storage.objects (bucket_id, name, version, metadata, user_metadata, owner, owner_id, id)';
const UPSERT = `${INSERT} values ($1, $2, $3, $4, $5, $6::uuid, $6::uuid::text, gen_random_uuid())
  on conflict (bucket_id, name) do update set version = excluded.version, metadata = excluded.metadata,
    user_metadata = excluded.user_metadata, owner = excluded.owner, owner_id = excluded.owner_id, updated_at = now()
  returning id`;
const UPDATE = `update storage.objects
  set version = $3, metadata = $4, user_metadata = $5, owner = $6::uuid, owner_id = $6::uuid::text, updated_at = now()
  where bucket_id = $1 and name = $2 returning id`;

/** Whose an object is that this caller writes. */
export const ownerOf = (caller: Caller): string | null => (caller.role === 'authenticated' ? caller.userId : null);
