import type { Discover } from '#backend/auth/oauth/discovery.ts';
import type { TokenVerifier } from '#backend/auth/tokens/access-token.ts';
import type { SigningKeys } from '#backend/auth/tokens/signing-keys.ts';
import type { AuthHooks } from './hooks.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { AuthOptions } from './options.ts';

/** What every verb of this folder works with. */
export type AuthContext = Omit<AuthOptions, 'hooks'> & {
  hooks: AuthHooks;
  signingKeys: SigningKeys;
  tokens: TokenVerifier;
  identityProviders: readonly IdentityProvider[];
  discover: Discover;
};
