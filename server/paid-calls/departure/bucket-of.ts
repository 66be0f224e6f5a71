import type { ProviderId } from '#contract/providers.ts';

/** The name under which a key's limits, prices and failures with a provider are kept, across all runs and processes. */
export const bucketOf = ({ fingerprint }: { fingerprint: string }, provider: ProviderId): string =>
  `${provider}:${fingerprint}`;
