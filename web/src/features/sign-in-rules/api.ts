import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { getSecondStepRule, type SecondStepRule, setSecondStepRule } from '#contract/second-step.ts';
import { getSessionEnds, type SessionEnds, setSessionEnds } from '#contract/session-ends.ts';
import { callApi } from '#web/lib/api-client.ts';

/** Who must use two-step sign-in. */
export const secondStepRuleQuery = queryOptions({
  queryKey: ['admin', 'second-step'],
  queryFn: async ({ signal }) => (await callApi(getSecondStepRule, { signal })).required,
});

/** The changes of several clicks are sent one after the other, so that the last click decides. */
export function useSetSecondStepRule() {
  const queries = useQueryClient();
  const { queryKey } = secondStepRuleQuery;
  return useMutation({
    scope: { id: 'second-step-rule' },
    mutationFn: (required: SecondStepRule) => callApi(setSecondStepRule, { body: { required } }),
    onSuccess: ({ required }) => queries.setQueryData(queryKey, required),
    onSettled: () => void queries.invalidateQueries({ queryKey }),
  });
}

/** When sessions end by themselves; null where hosted Supabase keeps them. */
export const sessionEndsQuery = queryOptions({
  queryKey: ['admin', 'session-ends'],
  queryFn: async ({ signal }) => (await callApi(getSessionEnds, { signal })).ends,
});

export function useSetSessionEnds() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (ends: SessionEnds) => callApi(setSessionEnds, { body: ends }),
    onSuccess: ({ ends }) => queries.setQueryData(sessionEndsQuery.queryKey, ends),
  });
}
