import { buildAuthorizationUrl, calculatePKCECodeChallenge } from 'openid-client';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import type { IdentityProvider } from '#backend/auth/kit/identity-provider.ts';
import { beginFlow, type NewFlow, secretsOf } from './flows.ts';

/** What clients may say to a provider, besides what we say. */
const PASSED_ON = ['access_type', 'display', 'hd', 'login_hint', 'prompt', 'ui_locales'];

/** Those that GoTrue knows by name, as it knows them. Of them it says that they are switched off; any other name it cannot find. */
const KNOWN_BY_NAME: ReadonlySet<string> = new Set([
  ...['apple', 'azure', 'bitbucket', 'discord', 'facebook', 'figma', 'fly', 'github', 'gitlab', 'google', 'kakao'],
  ...['keycloak', 'linkedin', 'linkedin_oidc', 'notion', 'slack', 'slack_oidc', 'snapchat', 'spotify', 'twitch'],
  ...['twitter', 'workos', 'x', 'zoom'],
]);

/** Where providers send people back to. */
export const callbackUrl = (issuer: string) => `${issuer}/callback`;

/**
 * The provider of a name.
 * @throws AuthError 400 `validation_failed`, in GoTrue's words.
 */
export function findProvider({ identityProviders }: AuthContext, name = ''): IdentityProvider {
  const provider = identityProviders.find((one) => one.name === name);
  if (provider) return provider;
  const why = KNOWN_BY_NAME.has(name) ? 'provider is not enabled' : `Provider ${name} could not be found`;
  throw new AuthError(400, 'validation_failed', `Unsupported provider: ${why}`);
}

/**
 * Begins a flow. Returns the provider's address to go to.
 * @throws AuthError 503 when the provider cannot be asked for it.
 */
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
