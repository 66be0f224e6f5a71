import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  type BudgetLimits,
  type BudgetNotice,
  dismissNotice,
  readBudgets,
  readUserBudgets,
  setBudgets,
  setUserBudgets,
} from '#contract/money/budgets.ts';
import { callApi } from '#web/lib/backend/api-client.ts';

/** The caller's budgets. What is spent changes with every run. */
export const budgetsQuery = queryOptions({
  queryKey: ['budgets'],
  queryFn: ({ signal }) => callApi(readBudgets, { signal }),
});

export function useSetBudgets() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (limits: BudgetLimits) => callApi(setBudgets, { body: { limits } }),
    onSuccess: (budgets) => queries.setQueryData(budgetsQuery.queryKey, budgets),
  });
}

export function useDismissNotice() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (notice: BudgetNotice) => callApi(dismissNotice, { body: notice }),
    onSuccess: (budgets) => queries.setQueryData(budgetsQuery.queryKey, budgets),
  });
}

/** Somebody's budgets, for administrators. */
export const userBudgetsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['admin', 'budgets', userId],
    queryFn: ({ signal }) => callApi(readUserBudgets, { query: { user_id: userId }, signal }),
  });

export function useSetUserBudgets(userId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (limits: BudgetLimits) => callApi(setUserBudgets, { query: { user_id: userId }, body: { limits } }),
    onSuccess: (budgets) => {
      queries.setQueryData(userBudgetsQuery(userId).queryKey, budgets);
      return queries.invalidateQueries({ queryKey: budgetsQuery.queryKey });
    },
  });
}
