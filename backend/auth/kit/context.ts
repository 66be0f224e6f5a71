import type { Discover } from '#backend/auth/oauth/discovery.ts';
import type { TokenVerifier } from '#backend/auth/tokens/access-token.ts';
import type { SigningKeys } from '#backend/auth/tokens/signing-keys.ts';
import type { AuthHooks } from './hooks.ts';
import type { AuthOptions, IdentityProvider } from './options.ts';

/** What every verb of this folder works with. */
export type AuthContext = Omit<AuthOptions, 'hooks'> & {
  hooks: AuthHooks;
  signingKeys: SigningKeys;
  tokens: TokenVerifier;
  identityProviders: readonly IdentityProvider[];
  discover: Discover;
};

/** Where a request came from: limits are counted by `ip`; both are kept with the session. */
export type Caller = { ip: string; userAgent: string | undefined };

/** A caller who signs in, and how. */
export type Arrival = Caller & { way: 'link' | 'code' | 'oauth' };
