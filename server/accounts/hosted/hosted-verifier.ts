import { createRemoteJWKSet, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose';
import { z } from 'zod/mini';
import type { AccessClaims } from '#server/accounts/access-claims.ts';
import type { HostedSupabase } from '#server/config/env.ts';
import { AppError } from '#server/lib/app-error.ts';

const ASYMMETRIC = ['ES256', 'RS256'];
/** Supabase's own edge keeps the keys this long, and wants no one to keep them longer. */
const KEYS_KEPT_MS = 600_000;
/** How often an unknown key id may make them be fetched again. */
const COOLDOWN_MS = 30_000;
/** Ours are under 1.5 kB; what is longer is not worth a look. */
const MAX_LENGTH = 8192;

/**
 * Verifies what hosted Supabase signs: by its published keys (ES256, RS256), and by the shared secret (HS256) where one is configured.
 * Returns undefined for anything wrong with a token.
 * @throws UNAVAILABLE when the keys cannot be fetched.
 */
export function createHostedVerifier({ url, jwtSecret }: Pick<HostedSupabase, 'url' | 'jwtSecret'>) {
  const issuer = `${url}/auth/v1`;
  const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`), {
    cacheMaxAge: KEYS_KEPT_MS,
    cooldownDuration: COOLDOWN_MS,
  });
  const secret = jwtSecret === undefined ? undefined : new TextEncoder().encode(jwtSecret);
  const rules = { issuer, audience: 'authenticated', requiredClaims: ['exp', 'sub', 'session_id'] };

  return async (token: string): Promise<AccessClaims | undefined> => {
    if (token.length > MAX_LENGTH) return undefined;
    try {
      const { alg = '' } = decodeProtectedHeader(token);
      if (ASYMMETRIC.includes(alg))
        return claimsOf((await jwtVerify(token, keys, { ...rules, algorithms: ASYMMETRIC })).payload);
      // Never as a way out for a token that the published keys refuse.
      if (alg === 'HS256' && secret)
        return claimsOf((await jwtVerify(token, secret, { ...rules, algorithms: ['HS256'] })).payload);
      return undefined;
    } catch (error) {
      if (isOfToken(error)) return undefined;
      throw new AppError('UNAVAILABLE', 'Your identity cannot be checked right now. Try again in a minute.', {
        cause: error,
      });
    }
  };
}

/** Whether an error tells of the token, and not of fetching the keys. */
const isOfToken = (error: unknown) =>
  error instanceof errors.JWKSNoMatchingKey ||
  (error instanceof errors.JOSEError &&
    !(error instanceof errors.JWKSTimeout) &&
    !(error instanceof errors.JWKSInvalid) &&
    error.code !== 'ERR_JOSE_GENERIC') ||
  (error instanceof TypeError && /token|header/i.test(error.message));

function claimsOf({
  sub,
  session_id: sessionId,
  email,
  role,
  is_anonymous: anonymous,
  aal,
  amr,
}: JWTPayload): AccessClaims | undefined {
  if (typeof sub !== 'string' || typeof sessionId !== 'string' || typeof email !== 'string') return undefined;
  if (role !== 'authenticated' || anonymous === true) return undefined;
  return { userId: sub, sessionId, email, aal: aal === 'aal2' ? aal : 'aal1', provenAt: lastProof(amr) };
}

const Proofs = z.array(z.object({ method: z.string(), timestamp: z.number() }));

/** When the newest proof of a session was given, in ms since 1970; 0 where the token does not tell. Renewing a token proves nothing. */
function lastProof(amr: unknown): number {
  const proofs = Proofs.safeParse(amr).data ?? [];
  const given = proofs.filter(({ method }) => method !== 'token_refresh').map(({ timestamp }) => timestamp * 1000);
  return Math.max(0, ...given);
}
