import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose';
import { hashOfToken } from '#backend/auth/kit/secrets.ts';
import type { Db } from '#db/connection/client.ts';
import { createPublicKeys } from './public-keys.ts';

const ALGORITHM = 'ES256';
const AUDIENCE = 'authenticated';
/** Ours are under 1.5 kB; what is longer is not worth hashing. */
const MAX_LENGTH = 8192;
/** Verified tokens remembered: one for every client that is active within the hour, up to a megabyte or so. */
const REMEMBERED = 1000;

/** A token that is ours and not expired. `findSession` in #db/roles/sessions.ts tells whether its session still exists. */
type VerifiedToken = {
  userId: string;
  sessionId: string;
  email: string;
  role: 'authenticated';
  /** `aal2` where a second factor was proven. */
  aal: 'aal1' | 'aal2';
  claims: JWTPayload;
};
export type TokenVerifier = { verify(accessToken: string): Promise<VerifiedToken | undefined> };

/** Verifies signature (ES256 only, with our published keys), `iss`, `aud` and `exp`. Returns undefined for a token with anything wrong. */
export function createTokenVerifier(options: { db: Db; issuer: string; audience?: typeof AUDIENCE }): TokenVerifier {
  const keys = createPublicKeys(options.db);
  const remembered = new Map<string, { kid: string; expiresAt: number; token: VerifiedToken }>();

  async function verifyFresh(accessToken: string, kid: string): Promise<VerifiedToken | undefined> {
    const key = await keys.find(kid);
    if (!key) return undefined;
    try {
      const { payload } = await jwtVerify(accessToken, key, {
        issuer: options.issuer,
        audience: options.audience ?? AUDIENCE,
        algorithms: [ALGORITHM],
        requiredClaims: ['exp', 'sub', 'session_id'],
      });
      return fromClaims(payload);
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }

  return {
    async verify(accessToken) {
      if (accessToken.length > MAX_LENGTH) return undefined;
      const hash = hashOfToken(accessToken).toString('base64url');
      const known = remembered.get(hash);
      remembered.delete(hash);
      if (known && known.expiresAt > Date.now() && (await keys.find(known.kid))) {
        remembered.set(hash, known);
        return known.token;
      }
      const kid = keyIdOf(accessToken);
      const token = kid ? await verifyFresh(accessToken, kid) : undefined;
      if (!kid || !token?.claims.exp) return undefined;
      remembered.set(hash, { kid, expiresAt: token.claims.exp * 1000, token });
      const oldest = remembered.size > REMEMBERED ? remembered.keys().next().value : undefined;
      if (oldest !== undefined) remembered.delete(oldest);
      return token;
    },
  };
}

function keyIdOf(accessToken: string): string | undefined {
  try {
    const header = decodeProtectedHeader(accessToken);
    return header.alg === ALGORITHM ? header.kid : undefined;
  } catch {
    return undefined;
  }
}

function fromClaims(claims: JWTPayload): VerifiedToken | undefined {
  const { sub, session_id: sessionId, email, role, is_anonymous: anonymous, aal } = claims;
  if (typeof sub !== 'string' || typeof sessionId !== 'string' || typeof email !== 'string') return undefined;
  if (role !== 'authenticated' || anonymous !== false) return undefined;
  return { userId: sub, sessionId, email, role, aal: aal === 'aal2' ? aal : 'aal1', claims };
}
