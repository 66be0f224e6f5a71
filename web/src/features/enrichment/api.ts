import { queryOptions } from '@tanstack/react-query';
import { quoteOf, type Shown } from '#contract/money/budgets.ts';
import { MISSING_KEY } from '#contract/providers.ts';
import { enrichEmailsEndpoint, estimateEnrichmentEndpoint } from '#contract/work/enrichment.ts';
import type { EnrichmentStep } from '#contract/work/enrichment-steps.ts';
import { type ChosenLeads, digestOf, type LeadChoice } from '#contract/work/lead-choice.ts';
import { callApi, callPaidApi } from '#web/lib/backend/api-client.ts';
import { ApiError, errorMessage } from '#web/lib/backend/api-error.ts';

export type EnrichmentRequest = {
  listId: string;
  /** All leads where it is left out. */
  choice?: LeadChoice | undefined;
  /** Everywhere where it is left out. */
  steps?: readonly EnrichmentStep[] | undefined;
};

const bodyOf = ({ listId, choice, steps }: EnrichmentRequest) => ({
  list_id: listId,
  ...choice,
  ...(steps ? { steps: [...steps] } : {}),
});

/** Looks up emails and owners for a list, or for the chosen leads only. Returns when it has ended; the server goes on if no one waits. */
export const requestEnrichment = (
  { listId, chosen, steps }: Omit<EnrichmentRequest, 'choice'> & { chosen?: ChosenLeads | undefined },
  shown: Shown = {},
) =>
  callPaidApi(enrichEmailsEndpoint, {
    body: { ...bodyOf({ listId, choice: chosen?.choice, steps }), ...digestOf(chosen), ...quoteOf(shown) },
  });

/** What an enrichment of a list would cost now: counted again whenever someone is about to decide. */
export const enrichmentEstimateQuery = (request: EnrichmentRequest) =>
  queryOptions({
    queryKey: ['enrichment-estimate', request],
    queryFn: ({ signal }) => callApi(estimateEnrichmentEndpoint, { body: bodyOf(request), signal }),
    staleTime: 0,
    gcTime: 0,
  });

/** What the toast of a failed enrichment, or of one that only verifies emails, says (spec sections 6 and 8). */
export function enrichmentErrorText(error: unknown, { onlyVerifies }: { onlyVerifies: boolean }): string {
  if (!(error instanceof ApiError)) return errorMessage(error);
  if (error.kind === 'unauthenticated' || error.status === 401) return 'Please sign in to enrich emails.';
  if (error.kind !== 'http') return error.message;
  if (error.code === 'MISSING_API_KEY') return error.serverMessage ?? MISSING_KEY.hunter_io;
  if (error.serverMessage !== undefined) return error.serverMessage;
  return onlyVerifies
    ? `Email verification failed with HTTP ${error.status}`
    : `Email enrichment failed with HTTP ${error.status}`;
}
