import { errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod/mini';
import type { Caller } from '#backend/data/caller.ts';
import { invalidSignature, invalidToken } from '#backend/storage/storage-error.ts';
import type { Vault } from '#db/sealed/vault.ts';

/** What an address was signed for. Each has a key of its own. */
type Purpose = 'read' | 'upload';
type Address = { bucket: string; name: string };

/** Seconds that a signed address lasts at most. */
export const MAX_SIGNED_SECONDS = 86_400;

/** Who signed. Of a person no more than finds their session: anyone who holds the address can read this. */
const Signer = z.discriminatedUnion('role', [
  z.object({ role: z.literal('anon') }),
  z.object({ role: z.literal('service_role') }),
  z.object({ role: z.literal('authenticated'), sub: z.string(), session_id: z.string(), aal: z.optional(z.string()) }),
]);
const Claims = z.object({
  url: z.string(),
  by: Signer,
  iat: z.number(),
  exp: z.number(),
  upsert: z.optional(z.boolean()),
});
/** `signer`: in whose name the address is used, under the policies and in the session of that moment. */
export type Signed = { signer: Caller; upsert: boolean };

const label = (purpose: Purpose) => `storage address:${purpose}`;
const urlOf = ({ bucket, name }: Address) => `${bucket}/${name}`;

/** A token that opens one address for `seconds` to anyone who holds it, while its signer has access. */
export function sign(
  vault: Vault,
  purpose: Purpose,
  address: Address,
  { seconds, signer, upsert }: { seconds: number; signer: Caller; upsert?: boolean },
): Promise<string> {
  const key = Buffer.from(vault.fingerprint(label(purpose)), 'hex');
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ url: urlOf(address), by: namedBy(signer), ...(upsert ? { upsert } : {}) })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuedAt(now)
    .setExpirationTime(now + seconds)
    .sign(key);
}

function namedBy(signer: Caller): z.output<typeof Signer> {
  if (signer.role !== 'authenticated') return signer;
  const { aal } = signer.claims;
  const proven = typeof aal === 'string' ? { aal } : {};
  return { role: 'authenticated', sub: signer.userId, session_id: signer.sessionId, ...proven };
}

function callerOf(by: z.output<typeof Signer>): Caller {
  if (by.role !== 'authenticated') return by;
  return { role: 'authenticated', userId: by.sub, sessionId: by.session_id, claims: by };
}

/**
 * What was signed, also under a key that is being rotated out.
 * @throws InvalidJWT, also for an address that names no signer or lasts longer than a day.
 * @throws InvalidSignature for another address.
 */
export async function verifySignature(
  vault: Vault,
  purpose: Purpose,
  token: string | undefined,
  address: Address,
): Promise<Signed> {
  if (!token) throw invalidToken('querystring must have required property token');
  for (const print of vault.fingerprints(label(purpose))) {
    const claims = await open(token, Buffer.from(print, 'hex'));
    if (!claims) continue;
    if (claims.url !== urlOf(address)) throw invalidSignature();
    return { signer: callerOf(claims.by), upsert: claims.upsert ?? false };
  }
  throw invalidToken('signature verification failed');
}

/** Undefined when it was not signed with this key, or is not of our making today. */
async function open(token: string, key: Uint8Array): Promise<z.output<typeof Claims> | undefined> {
  try {
    const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'], requiredClaims: ['exp'] });
    const claims = Claims.safeParse(payload).data;
    return claims && claims.exp - claims.iat <= MAX_SIGNED_SECONDS ? claims : undefined;
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw invalidToken('"exp" claim timestamp check failed');
    return undefined;
  }
}
