import { useQuery } from '@tanstack/react-query';
import { z } from 'zod/mini';
import type { AppConfig } from '#contract/config.ts';
import { isBackendDisabled, useConfig } from './config.tsx';

/** What of the backend's settings is looked at: which ways in are open, by their names. */
const Settings = z.object({ external: z.record(z.string(), z.unknown()) });
/** Ways in that are not somebody else's word. */
const OWN = new Set(['email', 'phone', 'anonymous_users', 'web3_solana', 'web3_ethereum']);

async function readProviders({ backendUrl, backendKey }: AppConfig, signal: AbortSignal): Promise<string[]> {
  const response = await fetch(`${backendUrl}/auth/v1/settings`, { headers: { apikey: backendKey }, signal });
  const { external } = Settings.parse(await response.json());
  return Object.keys(external).filter((name) => external[name] === true && !OWN.has(name));
}

/** By whose word people can sign in here, as the backend names them. Empty until that is known. */
export function useSignInProviders(): string[] {
  const config = useConfig();
  const { data = [] } = useQuery({
    queryKey: ['sign-in-providers', config.backendUrl],
    queryFn: ({ signal }) => readProviders(config, signal),
    enabled: !isBackendDisabled(config),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data;
}

const NAMES: Readonly<Record<string, string>> = {
  ...{ apple: 'Apple', azure: 'Microsoft', bitbucket: 'Bitbucket', discord: 'Discord', facebook: 'Facebook' },
  ...{ github: 'GitHub', gitlab: 'GitLab', google: 'Google', keycloak: 'Keycloak', linkedin_oidc: 'LinkedIn' },
  slack_oidc: 'Slack',
};

/** A provider's name for people: google → Google, custom:harbour-id → Harbour id. */
export function providerName(provider: string): string {
  const known = NAMES[provider];
  if (known) return known;
  const words = provider.replace(/^custom:/, '').replaceAll(/[-_]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
