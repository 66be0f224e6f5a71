import { createHash } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import type { z } from 'zod/mini';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import type { IdentityProvider } from '#backend/auth/kit/identity-provider.ts';
import type { IdTokenBody } from '#backend/auth/kit/request-body.ts';
import { unreachable } from './discovery.ts';
import { type ExternalIdentity, readClaims } from './external-identity.ts';

/** All that sign with a key that only the provider has. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/**
 * Returns the person of an ID token that a client got by itself. It checks signature, issuer, audience, times, and the
 * access token that came with it. As in GoTrue, the token's nonce must be the hash of the given one.
 * @throws AuthError 400 `provider_disabled`, 400 `validation_failed`, 503.
 */
export async function readIdToken(context: AuthContext, body: z.output<typeof IdTokenBody>): Promise<ExternalIdentity> {
  const provider = providerOf(context, body.provider);
  const { payload, algorithm } = await verify(context, provider, body.id_token);
  const { nonce } = payload;
  if ((typeof nonce === 'string') !== Boolean(body.nonce))
    throw bad('Passed nonce and nonce in id_token should either both exist or not.');
  if (
    typeof nonce === 'string' &&
    createHash('sha256')
      .update(body.nonce ?? '')
      .digest('hex') !== nonce
  )
    throw bad('Nonces mismatch');
  if (body.access_token && payload.at_hash !== undefined && payload.at_hash !== atHash(body.access_token, algorithm))
    throw bad('Bad ID token');
  return readClaims(provider.name, payload);
}

function providerOf({ identityProviders }: AuthContext, name: string): IdentityProvider {
  const provider = identityProviders.find((one) => one.name === name || one.issuer === name);
  if (provider) return provider;
  if (name === 'google' || name === 'https://accounts.google.com')
    throw new AuthError(400, 'provider_disabled', 'Provider (issuer "https://accounts.google.com") is not enabled');
  throw new AuthError(400, 'validation_failed', `Custom OIDC provider "${name.slice(0, 100)}" not allowed`);
}

async function verify(
  context: AuthContext,
  provider: IdentityProvider,
  token: string,
): Promise<{ payload: JWTPayload; algorithm: string }> {
  const { configuration, keys } = await context.discover(provider);
  try {
    const verified = await jwtVerify(token, keys, {
      issuer: configuration.serverMetadata().issuer,
      audience: [...provider.clientIds],
      algorithms: ALGORITHMS,
      requiredClaims: ['sub', 'exp', 'iat'],
    });
    return { payload: verified.payload, algorithm: verified.protectedHeader.alg };
  } catch (error) {
    if (error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError)) throw unreachable();
    if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud')
      throw bad('Unacceptable audience in id_token');
    throw bad('Bad ID token');
  }
}

/** OpenID Connect Core 3.1.3.6: the left half of the hash that the token's own signature uses. */
function atHash(accessToken: string, algorithm: string): string {
  const bits = /(256|384|512)$/.exec(algorithm)?.[0] ?? '512';
  const hash = createHash(`sha${bits}`).update(accessToken).digest();
  return hash.subarray(0, hash.length / 2).toString('base64url');
}

const bad = (message: string) => new AuthError(400, 'validation_failed', message);
