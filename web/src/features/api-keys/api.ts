import { queryOptions, useQuery } from '@tanstack/react-query';
import { type ApiKey, listKeysEndpoint } from '#contract/account/api-keys.ts';
import type { ProviderId } from '#contract/providers.ts';
import { callApi } from '#web/lib/backend/api-client.ts';
import { useSession } from '#web/lib/session/session.tsx';

export const apiKeysQuery = queryOptions({
  queryKey: ['provider-keys'],
  queryFn: async ({ signal }) => (await callApi(listKeysEndpoint, { signal })).apiKeys,
});

/** The caller's keys, one entry for each provider; asked for while someone is signed in. */
export function useProviderKeys() {
  const { status } = useSession();
  return useQuery({ ...apiKeysQuery, enabled: status === 'signed_in' });
}

/** The entry of one provider; undefined while the keys are unknown. */
export const keyOf = (keys: readonly ApiKey[] | undefined, provider: ProviderId): ApiKey | undefined =>
  keys?.find((key) => key.provider === provider);
