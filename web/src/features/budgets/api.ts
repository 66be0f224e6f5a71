import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  type BudgetLimits,
  type BudgetNotice,
  dismissNoticeEndpoint,
  readBudgetsEndpoint,
  readUserBudgetsEndpoint,
  setBudgetsEndpoint,
  setUserBudgetsEndpoint,
} from '#contract/money/budgets.ts';
import { callApi } from '#web/lib/backend/api-client.ts';

/** The caller's budgets. What is spent changes with every run. */
export const budgetsQuery = queryOptions({
  queryKey: ['budgets'],
  queryFn: ({ signal }) => callApi(readBudgetsEndpoint, { signal }),
});

export function useSetBudgets() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (limits: BudgetLimits) => callApi(setBudgetsEndpoint, { body: { limits } }),
    onSuccess: (budgets) => queries.setQueryData(budgetsQuery.queryKey, budgets),
  });
}

export function useDismissNotice() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (notice: BudgetNotice) => callApi(dismissNoticeEndpoint, { body: notice }),
    onSuccess: (budgets) => queries.setQueryData(budgetsQuery.queryKey, budgets),
  });
}

/** Someone's budgets, for administrators. */
export const userBudgetsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['admin', 'budgets', userId],
    queryFn: ({ signal }) => callApi(readUserBudgetsEndpoint, { query: { user_id: userId }, signal }),
  });

export function useSetUserBudgets(userId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (limits: BudgetLimits) =>
      callApi(setUserBudgetsEndpoint, { query: { user_id: userId }, body: { limits } }),
    onSuccess: (budgets) => {
      queries.setQueryData(userBudgetsQuery(userId).queryKey, budgets);
      return queries.invalidateQueries({ queryKey: budgetsQuery.queryKey });
    },
  });
}
