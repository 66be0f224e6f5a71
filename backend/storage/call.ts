import type { Context } from 'hono';
import type { Pool } from 'pg';
import { z } from 'zod/mini';
import type { Caller, VerifyAccessToken } from '#backend/data/caller.ts';
import type { Connections } from '#backend/data/transaction.ts';
import type { InTurn } from '#backend/in-turn.ts';
import type { Db } from '#db/connection/client.ts';
import type { Vault } from '#db/sealed/vault.ts';
import { nestsTooDeep } from '#db/values/json-depth.ts';
import { collect } from './bounded-body.ts';
import type { FileStore } from './file-store.ts';
import { requireBucketName, requireObjectName } from './names.ts';
import { invalidRequest } from './storage-error.ts';

export type StorageOptions = {
  /** Where hits are counted. */
  db: Db;
  /** Connections of a role that may become anon, authenticated and service_role. */
  pool: Pool;
  /** Makes the keys that sign addresses. */
  vault: Vault;
  files: FileStore;
  verifyAccessToken: VerifyAccessToken;
  publishableKey: string;
  /** Whether a request came with the secret key, and in no one else's name. */
  isService(request: Request): boolean;
  clientIp(request: Request): string;
  /** Why the bytes of an object are not handed out, in words. Undefined where they may be. */
  whyKept?(address: { bucket: string; name: string }): Promise<string | undefined>;
  inTurn: InTurn;
  log: { error(details: object, message: string): void };
};

/** One request, and in whose name it runs. */
export type Call = Omit<StorageOptions, 'pool'> & { c: Context; caller: Caller; pool: Connections };

const MAX_JSON_BYTES = 1_000_000;

/** The service's own name, for what a signature or a public bucket allows anyone. */
export const SERVICE: Caller = { role: 'service_role' };

/**
 * The bucket and the object that the path names.
 * @throws InvalidBucketName or InvalidKey.
 */
export function addressed({ c }: Call): { bucket: string; name: string } {
  return { bucket: addressedBucket(c), name: requireObjectName(c.req.param('name') ?? '') };
}

/**
 * The bucket that the path names.
 * @throws InvalidBucketName
 */
export const addressedBucket = (c: Context): string => requireBucketName(c.req.param('bucket') ?? '');

/**
 * Reads a JSON body.
 * @throws InvalidRequest for what does not fit `schema`.
 */
export async function readBody<T>({ c }: Call, schema: z.ZodMiniType<T>): Promise<T> {
  const text = (await collect(c.req.raw.body, MAX_JSON_BYTES)).toString('utf8');
  if (nestsTooDeep(text)) throw invalidRequest('The body nests too deep');
  const parsed = schema.safeParse(parse(text));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw invalidRequest(`body/${issue?.path.join('/') ?? ''} ${issue?.message ?? 'is not valid'}`);
}

function parse(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    throw invalidRequest('The body is not valid JSON');
  }
}

/** A whole number that is not negative. */
export const count = z.int().check(z.nonnegative());
