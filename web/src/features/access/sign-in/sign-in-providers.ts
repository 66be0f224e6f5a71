import { useOpenWays } from '#web/lib/backend/auth-settings.ts';

/** Ways in that are not someone else's word. */
const OWN = new Set(['email', 'phone', 'anonymous_users', 'web3_solana', 'web3_ethereum']);

/** By whose word people can sign in here, as the backend names them. Empty until that is known. */
export const useSignInProviders = (): string[] => useOpenWays().filter((name) => !OWN.has(name));

const NAMES: Readonly<Record<string, string>> = {
  apple: 'Apple',
  azure: 'Microsoft',
  bitbucket: 'Bitbucket',
  discord: 'Discord',
  facebook: 'Facebook',
  github: 'GitHub',
  gitlab: 'GitLab',
  google: 'Google',
  keycloak: 'Keycloak',
  linkedin_oidc: 'LinkedIn',
  slack_oidc: 'Slack',
};

/** A provider's name for people: google → Google, custom:harbour-id → Harbour id. */
export function providerName(provider: string): string {
  const known = NAMES[provider];
  if (known) return known;
  const words = provider.replace(/^custom:/, '').replaceAll(/[-_]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
