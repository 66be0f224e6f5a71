import type { Shown } from '#contract/money/budgets.ts';
import type { ProviderId } from '#contract/providers.ts';
import type { EnrichmentStep } from '#contract/work/enrichment-steps.ts';
import type { ChosenLeads } from '#contract/work/lead-choice.ts';
import type { LeadList } from '#contract/work/lists.ts';
import { runWorkOf } from '#contract/work/run-work.ts';
import type { ListRunKind } from '#contract/work/runs.ts';
import { ALL_RESULTS, type AreaSearch } from '#contract/work/search/areas.ts';
import { complianceErrorText, requestCompliance } from '#web/features/compliance/api.ts';
import { enrichmentErrorText, requestEnrichment } from '#web/features/enrichment/api.ts';
import type { EnrichmentChoice, ShownBounds } from '#web/features/enrichment/enrichment-options.ts';
import type { Work } from '#web/features/runs/failure.ts';
import { wordsOf } from '#web/features/runs/work-words.ts';
import {
  type OpenSearch,
  requestAreaSearch,
  requestOpenSearch,
  requestSearch,
  type SearchRequest,
  searchErrorText,
} from '#web/features/search/api.ts';
import { ApiError } from '#web/lib/backend/api-error.ts';
import { formatCount, formatMoney, plural } from '#web/lib/format/format.ts';

/** What work may cost, as it was shown. `typedMicros`: as its user has typed it, in micro-dollars. */
export type Limit = Shown & { typedMicros?: number | undefined };

/** The name of a dialog about a list, or about the leads selected in it. */
export const dialogName = (kind: string, listId: string, selected = false): string =>
  `${kind}:${listId}${selected ? ':selected' : ''}`;

/** What was chosen for a list, and what each part of it may cost. `steps`: where emails are looked for. */
export type WantedEnrichment = {
  list: LeadList;
  chosen: ChosenLeads | undefined;
  choice: EnrichmentChoice;
  steps: readonly EnrichmentStep[];
  limits: Record<keyof ShownBounds, Limit>;
};

/** One piece of paid work on a list. */
export type Job = { listId: string; limit: Limit } & (
  | { kind: 'search'; search: SearchRequest | AreaSearch | OpenSearch }
  | { kind: 'enrichment'; chosen?: ChosenLeads | undefined; steps?: readonly EnrichmentStep[] | undefined }
  | { kind: 'compliance'; chosen?: ChosenLeads | undefined }
);

/** The same as a record of what was asked for. */
export const workOfJob = (job: Job): Work => ({
  kind: job.kind,
  ...(job.kind !== 'search' && job.chosen ? { chosen: job.chosen } : {}),
  ...(job.kind === 'enrichment' && job.steps ? { steps: [...job.steps] } : {}),
  ...(job.kind === 'search' && job.search.source !== 'open' ? { searchFor: job.search } : {}),
  ...(job.limit.typedMicros === undefined ? {} : { spendAtMostMicros: job.limit.typedMicros }),
});

/** `empty`: it went through, but brought nothing. */
export type News = { run: string | undefined; title: string; text: string; empty?: boolean };

/** Which provider's key each kind of work needs. */
export const PROVIDER_OF: Record<ListRunKind, ProviderId> = {
  search: 'google_places',
  enrichment: 'hunter_io',
  compliance: 'searchbug',
};

/** Asks the server for it, waits for its end, and returns what there is to tell. The search of an area is not waited for. */
export async function perform(job: Job): Promise<News | undefined> {
  switch (job.kind) {
    case 'search': {
      if (job.search.source === 'open') {
        const { added, sources } = await requestOpenSearch(job.listId, job.search);
        if (added === 0)
          return { run: undefined, title: 'No leads found', text: 'Try adjusting your search parameters', empty: true };
        return {
          run: undefined,
          title: 'Search complete',
          text: `${plural(added, 'lead')} found in open data: ${sources.join(', ')}.`,
        };
      }
      if (job.search.maxResults === ALL_RESULTS) {
        await requestAreaSearch(job.listId, job.search, job.limit);
        return undefined;
      }
      const { leads, run } = await requestSearch(job.listId, job.search, job.limit);
      if (leads === 0)
        return { run, title: 'No leads found', text: 'Try adjusting your search parameters', empty: true };
      return { run, title: 'Search complete', text: `${plural(leads, 'lead')} found.` };
    }
    case 'enrichment': {
      const { listId, chosen, steps, limit } = job;
      const { data, run } = await requestEnrichment({ listId, chosen, steps }, limit);
      const { emails_added: emails, contacts_added: contacts, websites_found: websites, cost } = data;
      const { emails_verified: verified = 0, emails_invalid: invalid = 0 } = data;
      const paid = formatMoney(cost * 1_000_000);
      const checks = `${plural(verified, 'email')} checked, ${formatCount(invalid)} not valid.`;
      const title = wordsOf(job).complete;
      if (runWorkOf(job) === 'verification') return { run, title, text: `${checks} Cost: ${paid}.` };
      return {
        run,
        title,
        text: `${plural(emails, 'email')} and ${plural(contacts, 'contact')} added. ${verified > 0 ? `${checks} ` : ''}Cost: ${paid}.${websites ? ` ${onWebsites(websites)}` : ''}`,
      };
    }
    case 'compliance': {
      const { data, run } = await requestCompliance(job.listId, job.chosen, job.limit);
      const { total, safe, flagged, cost } = data;
      const paid = formatMoney(cost * 1_000_000);
      if (total === 0)
        return {
          run,
          title: 'Nothing could be checked',
          text: `No number has a verdict. The list says why. Cost: ${paid}.`,
          empty: true,
        };
      return {
        run,
        title: 'Compliance check complete',
        text: `${plural(total, 'lead')} checked: ${formatCount(safe)} safe, ${formatCount(flagged)} flagged. Cost: ${paid}.`,
      };
    }
  }
}

/** How many websites told an address themselves. */
const onWebsites = (count: number): string => `${plural(count, 'website')} had an address.`;

/** The toast of work that failed (spec section 8). */
export function failureNews(job: Job, error: unknown): Pick<News, 'title' | 'text'> {
  const title = wordsOf(job).failed;
  switch (job.kind) {
    case 'search':
      return { title, text: searchErrorText(error) };
    case 'enrichment':
      return { title, text: enrichmentErrorText(error, { onlyVerifies: runWorkOf(job) === 'verification' }) };
    case 'compliance':
      return { title, text: complianceErrorText(error) };
  }
}

/** Refused because the session had ended: nothing has been done. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof ApiError && (error.kind === 'unauthenticated' || error.status === 401);

/** No answer came: the server may well be at work, so nothing has failed yet. */
export const isCut = (error: unknown): boolean => error instanceof ApiError && error.kind === 'network';

/** Refusals that fail a list whatever their status (spec section 8). */
const FAILS_ANYWAY: ReadonlySet<string> = new Set(['MISSING_API_KEY', 'SANDBOX_MISMATCH']);

/**
 * Whether a refusal means that the work has failed although no run says so. That is an error of the server or a proxy,
 * or a refused search whose list waits for nothing else. Other refusals (a budget, a limit of requests, another choice
 * of leads) leave the list as it was.
 */
export function isFailedStart(refused: ApiError, job: Job): boolean {
  const { kind, status, code, run } = refused;
  if (run !== undefined || kind === 'network' || isSignedOut(refused)) return false;
  return status >= 500 || FAILS_ANYWAY.has(code) || (job.kind === 'search' && status >= 400);
}
