import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { getSessionEndsEndpoint, type SessionEnds, setSessionEndsEndpoint } from '#contract/access/session-ends.ts';
import { callApi } from '#web/lib/backend/api-client.ts';

/** When sessions end by themselves; null where hosted Supabase keeps them. */
export const sessionEndsQuery = queryOptions({
  queryKey: ['admin', 'session-ends'],
  queryFn: async ({ signal }) => (await callApi(getSessionEndsEndpoint, { signal })).ends,
});

export function useSetSessionEnds() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (ends: SessionEnds) => callApi(setSessionEndsEndpoint, { body: ends }),
    onSuccess: ({ ends }) => queries.setQueryData(sessionEndsQuery.queryKey, ends),
  });
}
