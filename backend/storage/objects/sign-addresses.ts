import { z } from 'zod/mini';
import { asCaller } from '#backend/data/transaction.ts';
import { addressed, addressedBucket, type Call, readBody } from '#backend/storage/call.ts';
import { findObject } from './find-object.ts';
import { MAX_SIGNED_SECONDS, sign, verifySignature } from './signatures.ts';
import { storeUpload, tryWriting } from './store-upload.ts';
import { countUpload } from './upload.ts';

/** Seconds that an address for an upload is good for; hosted Storage’s. */
const UPLOAD_SECONDS = 2 * 60 * 60;
const MAX_ADDRESSES = 1_000;

const expiresIn = z.int().check(z.positive(), z.maximum(MAX_SIGNED_SECONDS));
const One = z.object({ expiresIn });
const Many = z.object({ expiresIn, paths: z.array(z.string()).check(z.maxLength(MAX_ADDRESSES)) });

const signedPath = (bucket: string, name: string, token: string) => `/object/sign/${bucket}/${name}?token=${token}`;

/** POST /object/sign/:bucket/:name, for anyone who may download it */
export async function signAddress(call: Call): Promise<Response> {
  const { expiresIn } = await readBody(call, One);
  const { bucket, name } = addressed(call);
  await findObject(call, { bucket, name });
  const token = await sign(call.vault, 'read', { bucket, name }, { seconds: expiresIn, signer: call.caller });
  return call.c.json({ signedURL: signedPath(bucket, name, token) });
}

/** POST /object/sign/:bucket: an answer for each path, in their order */
export async function signAddresses(call: Call): Promise<Response> {
  const { expiresIn, paths } = await readBody(call, Many);
  const bucket = addressedBucket(call.c);
  const { rows } = await asCaller(
    call.pool,
    call.caller,
    'read only',
    (client) =>
      client.query<{ name: string }>('select name from storage.objects where bucket_id = $1 and name = any($2)', [
        bucket,
        paths,
      ]),
    call.c.req.raw.signal,
  );
  const readable = new Set(rows.map(({ name }) => name));
  const signed = paths.map(async (path) => {
    if (!readable.has(path)) return { error: NOT_READABLE, path, signedURL: null };
    const token = await sign(call.vault, 'read', { bucket, name: path }, { seconds: expiresIn, signer: call.caller });
    return { error: null, path, signedURL: signedPath(bucket, path, token) };
  });
  return call.c.json(await Promise.all(signed));
}

const NOT_READABLE = 'Either the object does not exist or you do not have access to it';

/** POST /object/upload/sign/:bucket/:name, for anyone who may upload it now */
export async function signUpload(call: Call): Promise<Response> {
  const { bucket, name } = addressed(call);
  const upsert = call.c.req.header('x-upsert') === 'true';
  await countUpload(call);
  await tryWriting(call, { bucket, name, mode: upsert ? 'upsert' : 'create' });
  const token = await sign(
    call.vault,
    'upload',
    { bucket, name },
    {
      seconds: UPLOAD_SECONDS,
      signer: call.caller,
      upsert,
    },
  );
  return call.c.json({ url: `/object/upload/sign/${bucket}/${name}?token=${token}`, token });
}

/** PUT /object/upload/sign/:bucket/:name?token=, in the name of the person who signed it, if they still may */
export async function uploadSigned(call: Call): Promise<Response> {
  const { bucket, name } = addressed(call);
  const { signer, upsert } = await verifySignature(call.vault, 'upload', call.c.req.query('token'), { bucket, name });
  const asSigner = { ...call, caller: signer };
  await countUpload(asSigner);
  await storeUpload(asSigner, { bucket, name, mode: upsert ? 'upsert' : 'create' });
  return call.c.json({ Key: `${bucket}/${name}` });
}
