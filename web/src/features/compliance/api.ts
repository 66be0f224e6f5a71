import { queryOptions } from '@tanstack/react-query';
import { quoteOf, type Shown } from '#contract/money/budgets.ts';
import { microsToDollars } from '#contract/money/costs.ts';
import { MISSING_KEY } from '#contract/providers.ts';
import {
  type ComplianceSummary,
  checkComplianceEndpoint,
  estimateComplianceEndpoint,
  type StoredVerdict,
  summarizeCompliance,
  VERDICT_VALID_MS,
} from '#contract/work/compliance.ts';
import { type ChosenLeads, digestOf, type LeadChoice } from '#contract/work/lead-choice.ts';
import { countLeadsEndpoint } from '#contract/work/lead-counts.ts';
import type { LeadList } from '#contract/work/lists.ts';
import { callApi, callPaidApi } from '#web/lib/backend/api-client.ts';
import { ApiError, errorMessage } from '#web/lib/backend/api-error.ts';
import { readRows } from '#web/lib/backend/read-rows.ts';

export const complianceKeys = { all: ['compliance-summary'] as const };

/** With more leads the server counts: then the verdicts are not read one by one. */
const MOST_READ = 1_000;

type Checked = Pick<LeadList, 'id' | 'leadCount' | 'updatedAt' | 'complianceCostMicros'>;

/** What the checks of a list have found and cost, from the verdicts alone; read again when the list changes. */
export const complianceSummaryQuery = (list: Checked) =>
  queryOptions({
    queryKey: [...complianceKeys.all, list.id, list.updatedAt],
    queryFn: ({ signal }) => (list.leadCount > MOST_READ ? countVerdicts(list, signal) : readVerdicts(list, signal)),
    staleTime: Number.POSITIVE_INFINITY,
  });

async function countVerdicts(list: Checked, signal: AbortSignal): Promise<ComplianceSummary> {
  const { safe, flagged } = await callApi(countLeadsEndpoint, { query: { listId: list.id }, body: {}, signal });
  return { total: safe + flagged, safe, flagged, cost: microsToDollars(list.complianceCostMicros) };
}

async function readVerdicts(list: Checked, signal: AbortSignal): Promise<ComplianceSummary> {
  const since = new Date(Date.now() - VERDICT_VALID_MS).toISOString();
  const stillHolds = `compliance_status.eq.litigator,compliance_checked_at.is.null,compliance_checked_at.gte."${since}"`;
  const verdicts = { select: 'compliance_status', list_id: `eq.${list.id}`, or: `(${stillHolds})` };
  const rows = await readRows('leads', verdicts, signal);
  return summarizeCompliance(rows as StoredVerdict[], list.complianceCostMicros);
}

/** What a check would cost now: counted again whenever someone is about to decide. */
export const complianceEstimateQuery = (listId: string, choice: LeadChoice = {}) =>
  queryOptions({
    queryKey: ['compliance-estimate', listId, choice],
    queryFn: ({ signal }) => callApi(estimateComplianceEndpoint, { body: { list_id: listId, ...choice }, signal }),
    staleTime: 0,
    gcTime: 0,
  });

/** Checks the phones of a list, or of the chosen leads only. Returns when it has ended; the server goes on if no one waits. */
export const requestCompliance = (listId: string, chosen: ChosenLeads | undefined, shown: Shown = {}) =>
  callPaidApi(checkComplianceEndpoint, {
    body: { list_id: listId, ...chosen?.choice, ...digestOf(chosen), ...quoteOf(shown) },
  });

/** What the toast of a failed check says (spec sections 6 and 8). */
export function complianceErrorText(error: unknown): string {
  if (!(error instanceof ApiError)) return errorMessage(error);
  if (error.kind === 'unauthenticated' || error.status === 401) return 'Please sign in to check compliance.';
  if (error.kind !== 'http') return error.message;
  if (error.code === 'MISSING_API_KEY') return error.serverMessage ?? MISSING_KEY.searchbug;
  return error.serverMessage ?? `Compliance failed with HTTP ${error.status}`;
}
