import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { leadCallabilityEndpoint, listCallabilityEndpoint } from '#contract/calling/callability.ts';
import {
  addCallingRuleEndpoint,
  type CallingRules,
  endCallingRuleEndpoint,
  readCallingRulesEndpoint,
  setCallScopeEndpoint,
} from '#contract/calling/rules.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { callApi } from '#web/lib/backend/api-client.ts';
import { callingKeys } from './calling-keys.ts';

const MINUTE_MS = 60_000;
/** A window that is about to open is asked for a moment after it has, in ms. */
const AFTER_MS = 1_000;

/** How many leads of a list may be called now, and when others open. Read again each minute, and as soon as something opens. */
export const sessionCountsQuery = (listId: string) =>
  queryOptions({
    queryKey: [...callingKeys.all, 'list', listId],
    queryFn: ({ signal }) => callApi(listCallabilityEndpoint, { query: { listId }, signal }),
    refetchInterval: ({ state: { data } }) => {
      const next = data?.opening[0]?.opensAt;
      if (next === undefined) return MINUTE_MS;
      return Math.min(MINUTE_MS, Math.max(AFTER_MS, Date.parse(next) - Date.now() + AFTER_MS));
    },
  });

/** Whether a lead may be called now, and why. */
export const leadCallQuery = (id: string) =>
  queryOptions({
    queryKey: [...callingKeys.leads, id],
    queryFn: ({ signal }) => callApi(leadCallabilityEndpoint, { query: { id }, signal }),
    refetchInterval: MINUTE_MS,
  });

export const callingRulesQuery = queryOptions({
  queryKey: [...callingKeys.all, 'rules'],
  queryFn: ({ signal }) => callApi(readCallingRulesEndpoint, { signal }),
});

/** Every verdict of the workspace depends on them: all that was read is read again. */
function useStored() {
  const queries = useQueryClient();
  return {
    onSuccess: (rules: CallingRules) => queries.setQueryData(callingRulesQuery.queryKey, rules),
    onSettled: () => void queries.invalidateQueries(),
  };
}

export function useSetScope() {
  const stored = useStored();
  return useMutation({
    mutationFn: (body: BodyOf<typeof setCallScopeEndpoint>) => callApi(setCallScopeEndpoint, { body }),
    ...stored,
  });
}

export function useAddRule() {
  const stored = useStored();
  return useMutation({
    mutationFn: (body: BodyOf<typeof addCallingRuleEndpoint>) => callApi(addCallingRuleEndpoint, { body }),
    ...stored,
  });
}

export function useEndRule() {
  const stored = useStored();
  return useMutation({
    mutationFn: ({ id, reason }: { id: string; reason: string }) =>
      callApi(endCallingRuleEndpoint, { query: { id }, body: { reason } }),
    ...stored,
  });
}
