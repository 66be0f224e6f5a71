import { addressed, type Call } from '#backend/storage/call.ts';
import { slowDown } from '#backend/storage/storage-error.ts';
import { countHits } from '#db/limits/count-hits.ts';
import { networkOf } from '#db/values/ip-network.ts';
import { storeUpload } from './store-upload.ts';
import { ownerOf } from './write-row.ts';

const UPLOADS = { hits: 60, windowMs: 60_000 };

/** POST /object/:bucket/:name; `x-upsert: true` replaces what is there. */
export const upload = (call: Call): Promise<Response> =>
  store(call, call.c.req.header('x-upsert') === 'true' ? 'upsert' : 'create');

/** PUT /object/:bucket/:name */
export const update = (call: Call): Promise<Response> => store(call, 'update');

async function store(call: Call, mode: 'create' | 'update' | 'upsert'): Promise<Response> {
  const { bucket, name } = addressed(call);
  await countUpload(call);
  const id = await storeUpload(call, { bucket, name, mode });
  return call.c.json({ Id: id, Key: `${bucket}/${name}` });
}

/**
 * Counts one upload of the caller, or of this network.
 * @throws SlowDown
 */
export async function countUpload({ c, db, vault, caller, clientIp }: Call): Promise<void> {
  if (caller.role === 'service_role') return;
  const who = vault.fingerprint(ownerOf(caller) ?? networkOf(clientIp(c.req.raw)));
  const [counted] = await countHits(db, [{ bucket: `storage.upload.1m:${who}`, windowMs: UPLOADS.windowMs }]);
  if (counted && counted.hits > UPLOADS.hits) throw slowDown();
}
