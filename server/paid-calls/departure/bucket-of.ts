import type { ProviderId } from '#contract/providers.ts';

/** What the limits, prices and failures of a key with a provider are kept under, across all runs and processes. */
export const bucketOf = ({ fingerprint }: { fingerprint: string }, provider: ProviderId): string =>
  `${provider}:${fingerprint}`;
