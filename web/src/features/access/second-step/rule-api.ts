import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  getSecondStepRuleEndpoint,
  type SecondStepRule,
  setSecondStepRuleEndpoint,
} from '#contract/access/second-step.ts';
import { callApi } from '#web/lib/backend/api-client.ts';

/** Who must use two-step sign-in. */
export const secondStepRuleQuery = queryOptions({
  queryKey: ['admin', 'second-step'],
  queryFn: async ({ signal }) => (await callApi(getSecondStepRuleEndpoint, { signal })).required,
});

/** The changes of several clicks are sent one after the other, so that the last click decides. */
export function useSetSecondStepRule() {
  const queries = useQueryClient();
  const { queryKey } = secondStepRuleQuery;
  return useMutation({
    scope: { id: 'second-step-rule' },
    mutationFn: (required: SecondStepRule) => callApi(setSecondStepRuleEndpoint, { body: { required } }),
    onSuccess: ({ required }) => queries.setQueryData(queryKey, required),
    onSettled: () => void queries.invalidateQueries({ queryKey }),
  });
}
