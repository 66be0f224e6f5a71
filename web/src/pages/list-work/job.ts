import type { ProviderId } from '#contract/providers.ts';
import type { ListRunKind } from '#contract/runs.ts';
import type { SearchForm } from '#contract/search.ts';
import { complianceErrorText, requestCompliance } from '#web/features/compliance/api.ts';
import { enrichmentErrorText, requestEnrichment } from '#web/features/enrichment/api.ts';
import { requestSearch, searchErrorText } from '#web/features/search/api.ts';
import { ApiError } from '#web/lib/api-error.ts';
import { formatMoney, plural } from '#web/lib/format.ts';

/** One piece of paid work on a list. `boundMicros`: what it may cost at the most, where that was shown. */
export type Job = { listId: string; boundMicros?: number | undefined } & (
  | { kind: 'search'; form: SearchForm }
  | { kind: 'enrichment' }
  | { kind: 'compliance'; leadIds?: string[] }
);

/** `empty`: it went through, but brought nothing. */
export type News = { title: string; text: string; empty?: boolean };

/** Which provider's key each kind of work needs. */
export const PROVIDER_OF: Record<ListRunKind, ProviderId> = {
  search: 'google_places',
  enrichment: 'hunter_io',
  compliance: 'searchbug',
};

/** Asks the server for it, waits for its end, and answers what there is to tell. */
export async function perform(job: Job): Promise<News> {
  switch (job.kind) {
    case 'search': {
      const leads = await requestSearch(job.listId, job.form, job.boundMicros);
      if (leads === 0) return { title: 'No leads found', text: 'Try adjusting your search parameters', empty: true };
      return { title: 'Search complete', text: `${plural(leads, 'lead')} found.` };
    }
    case 'enrichment': {
      const {
        emails_added: emails,
        contacts_added: contacts,
        cost,
      } = await requestEnrichment(job.listId, job.boundMicros);
      const paid = formatMoney(cost * 1_000_000);
      return {
        title: 'Enrichment complete',
        text: `${plural(emails, 'email')} and ${plural(contacts, 'contact')} added. Cost: ${paid}.`,
      };
    }
    case 'compliance': {
      const { total, safe, flagged, cost } = await requestCompliance(job.listId, job.leadIds, job.boundMicros);
      const paid = formatMoney(cost * 1_000_000);
      if (total === 0)
        return {
          title: 'Nothing could be checked',
          text: `No number has a verdict; the list says why. Cost: ${paid}.`,
          empty: true,
        };
      return {
        title: 'Compliance check complete',
        text: `${plural(total, 'number')}: ${safe} safe, ${flagged} flagged. Cost: ${paid}.`,
      };
    }
  }
}

/** The toast of work that failed (spec section 8). */
export function failureNews(kind: ListRunKind, error: unknown): News {
  switch (kind) {
    case 'search':
      return { title: 'Search failed', text: searchErrorText(error) };
    case 'enrichment':
      return { title: 'Enrichment failed', text: enrichmentErrorText(error) };
    case 'compliance':
      return { title: 'Compliance check failed', text: complianceErrorText(error) };
  }
}

/** No answer came: the server may well be at work, so nothing has failed yet. */
export const isCut = (error: unknown): boolean => error instanceof ApiError && error.kind === 'network';
