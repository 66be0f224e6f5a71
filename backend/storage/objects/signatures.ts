import { errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod/mini';
import { invalidSignature, invalidToken } from '#backend/storage/storage-error.ts';
import type { Vault } from '#db/vault.ts';

/** What an address was signed for. Each has a key of its own. */
type Purpose = 'read' | 'upload';
type Address = { bucket: string; name: string };

const Claims = z.object({ url: z.string(), owner: z.nullish(z.string()), upsert: z.optional(z.boolean()) });
export type SignedClaims = z.output<typeof Claims>;

const label = (purpose: Purpose) => `storage address:${purpose}`;
const urlOf = ({ bucket, name }: Address) => `${bucket}/${name}`;

/** A token that opens one address for `seconds`, whoever holds it. */
export function sign(
  vault: Vault,
  purpose: Purpose,
  address: Address,
  seconds: number,
  claims: Omit<SignedClaims, 'url'> = {},
): Promise<string> {
  const key = Buffer.from(vault.fingerprint(label(purpose)), 'hex');
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ ...claims, url: urlOf(address) })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuedAt(now)
    .setExpirationTime(now + seconds)
    .sign(key);
}

/** What was signed, also under a key that is being rotated out. Throws InvalidJWT, or InvalidSignature for another address. */
export async function verifySignature(
  vault: Vault,
  purpose: Purpose,
  token: string | undefined,
  address: Address,
): Promise<SignedClaims> {
  if (!token) throw invalidToken('querystring must have required property token');
  for (const print of vault.fingerprints(label(purpose))) {
    const claims = await open(token, Buffer.from(print, 'hex'));
    if (!claims) continue;
    if (claims.url !== urlOf(address)) throw invalidSignature();
    return claims;
  }
  throw invalidToken('signature verification failed');
}

/** Undefined when it was not signed with this key. */
async function open(token: string, key: Uint8Array): Promise<SignedClaims | undefined> {
  try {
    const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'], requiredClaims: ['exp'] });
    return Claims.parse(payload);
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw invalidToken('"exp" claim timestamp check failed');
    return undefined;
  }
}
