import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  type Configuration,
  fetchUserInfo,
  type IDToken,
  ResponseBodyError,
} from 'openid-client';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import type { IdentityProvider } from '#backend/auth/kit/identity-provider.ts';
import { callbackUrl } from './begin-oauth.ts';
import { unreachable } from './discovery.ts';
import { type ExternalIdentity, readClaims } from './external-identity.ts';
import { secretsOf } from './flows.ts';

/** Who someone is by their provider's word, or its refusal, such as `access_denied` when someone thinks better of it. */
type ProviderAnswer = { state: 'identified'; identity: ExternalIdentity } | { state: 'refused'; error: string };

/**
 * What a provider sent someone back with: exchanged, and its ID token checked for signature, issuer, audience, times and nonce.
 * @throws AuthError 400 `bad_oauth_callback` for what does not check out, 503 when the provider cannot be reached.
 */
export async function readAnswer(
  context: AuthContext,
  provider: IdentityProvider,
  query: URLSearchParams,
): Promise<ProviderAnswer> {
  const { configuration } = await context.discover(provider);
  const state = query.get('state') ?? '';
  const { nonce, verifier } = secretsOf(context.vault, state);
  try {
    const granted = await authorizationCodeGrant(configuration, new URL(`${callbackUrl(context.issuer)}?${query}`), {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
    });
    const claims = granted.claims();
    const known = claims && (await withEmail(configuration, claims, granted.access_token));
    return { state: 'identified', identity: readClaims(provider.name, known) };
  } catch (error) {
    if (error instanceof AuthError) throw error;
    if (error instanceof AuthorizationResponseError) return { state: 'refused', error: error.error };
    throw failure(context, provider, error);
  }
}

/** The claims, with those of the userinfo endpoint where the ID token does not say what the address is. */
async function withEmail(configuration: Configuration, claims: IDToken, accessToken: string): Promise<object> {
  if (claims.email !== undefined || !configuration.serverMetadata().userinfo_endpoint) return claims;
  return { ...(await fetchUserInfo(configuration, accessToken, claims.sub)), ...claims };
}

/** Logged by its code alone: its cause may hold codes and tokens. */
function failure({ log }: AuthContext, { name }: IdentityProvider, error: unknown): AuthError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'none';
  const isRefusal = error instanceof ResponseBodyError;
  log.error(
    { provider: name, code, ...(isRefusal ? { error: error.error } : {}) },
    'A provider’s response could not be used',
  );
  const isLost = error instanceof TypeError ? !code.startsWith('ERR_') : code === 'OAUTH_TIMEOUT';
  if (isLost) return unreachable();
  return new AuthError(
    400,
    'bad_oauth_callback',
    'The response from the sign-in service could not be used. Please try again.',
  );
}
