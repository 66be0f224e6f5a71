import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { type Caller, callerOf } from '#backend/data/caller.ts';
import { waitingFor } from '#backend/data/transaction.ts';
import type { InTurn } from '#backend/in-turn.ts';
import { TooManyAtOnce, type Waiting } from '#db/turns/turns.ts';
import { deleteBucket, emptyBucket } from './buckets/clear-bucket.ts';
import { createBucket } from './buckets/create-bucket.ts';
import { getBucket, listBuckets } from './buckets/read-buckets.ts';
import { updateBucket } from './buckets/update-bucket.ts';
import { type Call, SERVICE, type StorageOptions } from './call.ts';
import { download, downloadPublic, downloadSigned, info, infoPublic } from './objects/download.ts';
import { listObjects } from './objects/list-objects.ts';
import { listObjectsV2 } from './objects/list-objects-v2.ts';
import { copyObject, moveObject } from './objects/move-object.ts';
import { removeObject, removeObjects } from './objects/remove-objects.ts';
import { signAddress, signAddresses, signUpload, uploadSigned } from './objects/sign-addresses.ts';
import { update, upload } from './objects/upload.ts';
import { featureNotEnabled, notOffered } from './storage-error.ts';
import { toStorageError } from './to-storage-error.ts';

/** Uploads wait for a slow line, not for the database: they take no turn from the person's other requests. */
type Turn = Parameters<InTurn>[3];
type Verb = (call: Call) => Promise<Response>;

/** Paths at which a signature, or that a bucket is public, stands for a key: browsers open them as they are. */
export const OPEN_PATHS = /^\/storage\/v1\/object\/(?:public|info\/public|sign|upload\/sign)\/[^/]+\/./;

/** Buckets and objects in Storage's protocol, to be mounted at /storage/v1. Policies on storage.objects say who may do what. */
export function createStorageApp(options: StorageOptions): Hono {
  const { publishableKey, verifyAccessToken, isService, inTurn, log } = options;
  const callerIn = async ({ req }: Context) =>
    isService(req.raw) ? SERVICE : callerOf(req.header('Authorization'), publishableKey, verifyAccessToken);
  const callOf = (verb: Verb, c: Context, caller: Caller) => (_isHeavy: boolean, waiting: Waiting) =>
    verb({ ...options, c, caller, pool: waitingFor(options.pool, waiting) });
  const named = (verb: Verb, how?: Turn) => async (c: Context) => {
    const caller = await callerIn(c);
    return inTurn(c, caller, callOf(verb, c, caller), how);
  };
  /** Without looking at who asks. */
  const open = (verb: Verb, how?: Turn) => (c: Context) =>
    inTurn(c, { role: 'anon' }, callOf(verb, c, { role: 'anon' }), how);

  const app = new Hono();
  app.onError((error, c) => {
    const refusal = toStorageError(error);
    if (refusal.status >= 500) log.error({ err: error, code: refusal.code }, 'storage request failed');
    c.header('Cache-Control', 'no-store');
    if (error instanceof TooManyAtOnce) c.header('Retry-After', String(error.retryAfterSeconds));
    // What was not read of a body would be taken for the next request.
    if (c.req.raw.body && !c.req.raw.bodyUsed) c.header('Connection', 'close');
    return c.json(refusal.body(), refusal.httpStatus as ContentfulStatusCode);
  });

  app.get('/bucket', named(listBuckets));
  app.post('/bucket', named(createBucket));
  app.get('/bucket/:bucket', named(getBucket));
  app.put('/bucket/:bucket', named(updateBucket));
  app.delete('/bucket/:bucket', named(deleteBucket));
  app.post('/bucket/:bucket/empty', named(emptyBucket));

  app.post('/object/list/:bucket', named(listObjects));
  // Before what takes any two names for a bucket and an object.
  app.post('/object/list-v2/:bucket', named(listObjectsV2));
  app.all('/object/list-v2/*', refuse);
  app.post('/object/move', named(moveObject));
  app.post('/object/copy', named(copyObject));
  app.post('/object/sign/:bucket', named(signAddresses));
  app.post('/object/sign/:bucket/:name{.+}', named(signAddress));
  app.get('/object/sign/:bucket/:name{.+}', open(downloadSigned));
  app.post('/object/upload/sign/:bucket/:name{.+}', named(signUpload));
  app.put('/object/upload/sign/:bucket/:name{.+}', open(uploadSigned, 'only counted'));
  app.get('/object/public/:bucket/:name{.+}', open(downloadPublic));
  app.get('/object/info/public/:bucket/:name{.+}', open(infoPublic));
  app.get('/object/info/:bucket/:name{.+}', named(info));
  app.get('/object/authenticated/:bucket/:name{.+}', named(download));
  app.get('/object/:bucket/:name{.+}', named(download));
  app.post('/object/:bucket/:name{.+}', named(upload, 'only counted'));
  app.put('/object/:bucket/:name{.+}', named(update, 'only counted'));
  app.delete('/object/:bucket/:name{.+}', named(removeObject));
  app.delete('/object/:bucket', named(removeObjects));
  for (const feature of ['render', 'cdn', 'vector', 'iceberg'])
    app.all(`/${feature}/*`, () => {
      throw featureNotEnabled();
    });
  app.all('*', refuse);
  return app;
}

function refuse(): never {
  throw notOffered();
}
