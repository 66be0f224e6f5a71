import { createRemoteJWKSet, type JWTVerifyGetKey } from 'jose';
import { allowInsecureRequests, type Configuration, discovery, enableNonRepudiationChecks } from 'openid-client';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { IdentityProvider } from '#backend/auth/kit/identity-provider.ts';

/** How long what a provider publishes about itself is believed. Its keys are fetched again whenever one is not known. */
const REMEMBERED_MS = 60 * 60 * 1000;
/** The limit of every request to a provider, because someone waits for it. */
const TIMEOUT_SECONDS = 5;

/** What a provider publishes about itself, with our client's credentials, and the keys that it signs ID tokens with. */
type Published = { configuration: Configuration; keys: JWTVerifyGetKey };

/** @throws AuthError 503 when the provider cannot be asked. */
export type Discover = (provider: IdentityProvider) => Promise<Published>;

/** Asks each provider once an hour. */
export function createDiscovery(): Discover {
  const known = new Map<string, { published: Promise<Published>; until: number }>();
  return async (provider) => {
    let entry = known.get(provider.name);
    if (!entry || entry.until < Date.now()) {
      entry = { published: ask(provider), until: Date.now() + REMEMBERED_MS };
      known.set(provider.name, entry);
    }
    try {
      return await entry.published;
    } catch {
      known.delete(provider.name);
      throw unreachable();
    }
  };
}

async function ask({ issuer, clientIds, clientSecret }: IdentityProvider): Promise<Published> {
  const url = new URL(issuer);
  const configuration = await discovery(url, clientIds[0], clientSecret, undefined, {
    timeout: TIMEOUT_SECONDS,
    // Signatures of ID tokens are checked, too, although they come straight from the provider.
    execute: [enableNonRepudiationChecks, ...(url.protocol === 'http:' ? [allowInsecureRequests] : [])],
  });
  const keys = new URL(configuration.serverMetadata().jwks_uri ?? issuer);
  return { configuration, keys: createRemoteJWKSet(keys, { timeoutDuration: TIMEOUT_SECONDS * 1000 }) };
}

/** A provider that cannot be asked: 503. */
export const unreachable = () =>
  new AuthError(503, 'unexpected_failure', 'The sign-in service cannot be reached right now. Please try again.');
