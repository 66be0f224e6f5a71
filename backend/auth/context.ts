import type { TokenVerifier } from './access-token.ts';
import type { Hooks } from './hooks/hook-options.ts';
import type { Discover } from './oauth/discovery.ts';
import type { AuthOptions, IdentityProvider } from './options.ts';
import type { SigningKeys } from './signing-keys.ts';

/** What every verb of this folder works with. */
export type AuthContext = Omit<AuthOptions, 'hooks'> & {
  hooks: Hooks;
  signingKeys: SigningKeys;
  tokens: TokenVerifier;
  identityProviders: readonly IdentityProvider[];
  discover: Discover;
};

/** Where a request came from: limits are counted by `ip`; both are kept with the session. */
export type Caller = { ip: string; userAgent: string | undefined };

/** A caller who signs in, and how. */
export type Arrival = Caller & { way: 'link' | 'code' | 'oauth' };
