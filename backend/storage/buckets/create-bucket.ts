import { asCaller } from '#backend/data/transaction.ts';
import { type Call, readBody } from '#backend/storage/call.ts';
import { requireBucketName } from '#backend/storage/names.ts';
import { bytesOf, NewBucket } from './bucket-body.ts';

/** POST /bucket */
export async function createBucket(call: Call): Promise<Response> {
  const body = await readBody(call, NewBucket);
  const name = requireBucketName(body.name);
  const id = requireBucketName(body.id ?? name);
  const owner = call.caller.role === 'authenticated' ? call.caller.userId : null;
  await asCaller(call.pool, call.caller, 'read write', (client) =>
    client.query(
      `insert into storage.buckets (id, name, owner, owner_id, public, file_size_limit, allowed_mime_types)
       values ($1, $2, $3::uuid, $3::uuid::text, $4, $5, $6)`,
      [id, name, owner, body.public ?? false, bytesOf(body.file_size_limit), body.allowed_mime_types ?? null],
    ),
  );
  return call.c.json({ name });
}
