import { queryOptions } from '@tanstack/react-query';
import { maxCostOf } from '#contract/money/budgets.ts';
import {
  type ComplianceSummary,
  checkComplianceEndpoint,
  estimateComplianceEndpoint,
  type StoredVerdict,
  summarizeCompliance,
  VERDICT_VALID_MS,
} from '#contract/work/compliance.ts';
import { MISSING_SEARCHBUG_KEY } from '#contract/work/enrichment.ts';
import type { LeadList } from '#contract/work/lists.ts';
import { callApi, callPaidApi } from '#web/lib/backend/api-client.ts';
import { ApiError, errorMessage } from '#web/lib/backend/api-error.ts';
import { getSupabase } from '#web/lib/backend/supabase.ts';
import { allRows } from '#web/lib/query/all-rows.ts';

export const complianceKeys = { all: ['compliance-summary'] as const };

/** What the checks of a list have found and cost, from the verdicts alone; read again when the list changes. */
export const complianceSummaryQuery = (list: Pick<LeadList, 'id' | 'updatedAt' | 'complianceCostMicros'>) =>
  queryOptions({
    queryKey: [...complianceKeys.all, list.id, list.updatedAt],
    queryFn: async (): Promise<ComplianceSummary> => {
      const supabase = await getSupabase();
      const since = new Date(Date.now() - VERDICT_VALID_MS).toISOString();
      const stillHolds = `compliance_status.eq.litigator,compliance_checked_at.is.null,compliance_checked_at.gte."${since}"`;
      const rows = await allRows((from, to) =>
        supabase
          .from('leads')
          .select('compliance_status')
          .eq('list_id', list.id)
          .or(stillHolds)
          .order('position')
          .range(from, to),
      );
      return summarizeCompliance(rows as StoredVerdict[], list.complianceCostMicros);
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

const selection = (listId: string, leadIds: readonly string[] | undefined) => ({
  list_id: listId,
  ...(leadIds ? { lead_ids: [...leadIds] } : {}),
});

/** What a check would cost now: counted again whenever someone is about to decide. */
export const complianceEstimateQuery = (listId: string, leadIds?: readonly string[]) =>
  queryOptions({
    queryKey: ['compliance-estimate', listId, leadIds],
    queryFn: ({ signal }) => callApi(estimateComplianceEndpoint, { body: selection(listId, leadIds), signal }),
    staleTime: 0,
    gcTime: 0,
  });

/** Checks the phones of a list, or of the named leads only. Returns when it has ended; the server goes on if no one waits. */
export const requestCompliance = (listId: string, leadIds?: readonly string[], boundMicros?: number) =>
  callPaidApi(checkComplianceEndpoint, { body: { ...selection(listId, leadIds), ...maxCostOf(boundMicros) } });

/** What the toast of a failed check says (spec sections 6 and 8). */
export function complianceErrorText(error: unknown): string {
  if (!(error instanceof ApiError)) return errorMessage(error);
  if (error.kind === 'unauthenticated' || error.status === 401) return 'Please sign in to check compliance.';
  if (error.kind !== 'http') return error.message;
  if (error.code === 'MISSING_API_KEY') return error.serverMessage ?? MISSING_SEARCHBUG_KEY;
  return error.serverMessage ?? `Compliance failed with HTTP ${error.status}`;
}
