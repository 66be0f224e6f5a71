import { buildAuthorizationUrl, calculatePKCECodeChallenge } from 'openid-client';
import { AuthError } from '#backend/auth/auth-error.ts';
import type { AuthContext } from '#backend/auth/context.ts';
import type { IdentityProvider } from '#backend/auth/options.ts';
import { beginFlow, type NewFlow, secretsOf } from './flows.ts';

/** What clients may say to a provider, besides what we say. */
const PASSED_ON = ['access_type', 'display', 'hd', 'login_hint', 'prompt', 'ui_locales'];

/** Where providers send people back to. */
export const callbackUrl = (issuer: string) => `${issuer}/callback`;

/** The provider of a name. Throws AuthError 400 `validation_failed`, in GoTrue's words. */
export function findProvider({ identityProviders }: AuthContext, name: string | undefined): IdentityProvider {
  const provider = identityProviders.find((one) => one.name === name);
  if (provider) return provider;
  const why = name === 'google' ? 'provider is not enabled' : `Provider ${name ?? ''} could not be found`;
  throw new AuthError(400, 'validation_failed', `Unsupported provider: ${why}`);
}

/** Begins a flow. Answers the provider's address to go to. Throws AuthError 503 when the provider can not be asked for it. */
export async function beginOauth(
  context: AuthContext,
  provider: IdentityProvider,
  flow: Omit<NewFlow, 'provider'>,
  query: Record<string, string>,
): Promise<string> {
  const { configuration } = await context.discover(provider);
  const state = await beginFlow(context, { ...flow, provider: provider.name });
  const { nonce, verifier } = secretsOf(context.vault, state);
  const more = (query.scopes ?? '').split(/[\s,]+/).filter((scope) => /^[\w:/.-]{1,100}$/.test(scope));
  const url = buildAuthorizationUrl(configuration, {
    ...Object.fromEntries(Object.entries(query).filter(([name]) => PASSED_ON.includes(name))),
    redirect_uri: callbackUrl(context.issuer),
    scope: [...new Set(['openid', 'email', 'profile', ...more])].join(' '),
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  return url.href;
}
