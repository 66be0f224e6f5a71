import { z } from 'zod/mini';
import { endpoint, looseId } from './endpoint.ts';

export const RUN_KINDS = ['search', 'enrichment', 'compliance'] as const;
export type RunKind = (typeof RUN_KINDS)[number];
export const RUN_STATES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
export type RunState = (typeof RUN_STATES)[number];

const count = z._default(z.number(), 0);

/** Where a search's places went: found = kept + outsideRadius + closed + duplicates + beyondMaximum. */
export const SearchTotals = z.object({
  requested: count,
  found: count,
  kept: count,
  outsideRadius: count,
  closed: count,
  duplicates: count,
  beyondMaximum: count,
  /** Kept without a distance, because the business has no storefront. */
  serviceArea: count,
  pages: count,
  /** A page whose answer was lost: what it would have held is missing. */
  pagesLost: count,
});
export type SearchTotals = z.infer<typeof SearchTotals>;

export const EnrichmentTotals = z.object({
  leads: count,
  withoutWebsite: count,
  /** Leads whose website is a page on a shared or social host. */
  onSharedHost: count,
  domains: count,
  domainsDone: count,
  domainsKnown: count,
  domainsUncertain: count,
  leadsUpdated: count,
  emailsAdded: count,
  contactsAdded: count,
});
export type EnrichmentTotals = z.infer<typeof EnrichmentTotals>;

export const ComplianceTotals = z.object({
  leads: count,
  withoutPhone: count,
  /** Leads whose number is not a US number; they are never sent. */
  notUs: count,
  numbers: count,
  numbersDone: count,
  numbersKnown: count,
  numbersUncertain: count,
  safe: count,
  flagged: count,
});
export type ComplianceTotals = z.infer<typeof ComplianceTotals>;

export const Run = z.object({
  id: z.string(),
  listId: z.nullable(z.string()),
  kind: z.enum(RUN_KINDS),
  state: z.enum(RUN_STATES),
  search: z.optional(SearchTotals),
  enrichment: z.optional(EnrichmentTotals),
  compliance: z.optional(ComplianceTotals),
  /** The leads that a check was narrowed to, if it did not go well: what Retry repeats. */
  leadIds: z.optional(z.array(z.string())),
  /** Micro-dollars. */
  estimateMicros: z.number(),
  /** Booked so far, in micro-dollars: calls that are sent or uncertain count at their estimate. */
  costMicros: z.number(),
  errorCode: z.nullable(z.string()),
  errorMessage: z.nullable(z.string()),
  createdAt: z.string(),
  startedAt: z.nullable(z.string()),
  finishedAt: z.nullable(z.string()),
});
export type Run = z.infer<typeof Run>;

/** Newest first: all runs of one list, or, without `list_id`, the newest run of each of the caller's lists. */
export const listRuns = endpoint({
  method: 'GET',
  path: '/api/runs',
  query: z.object({ list_id: z.optional(looseId) }),
  data: z.object({ runs: z.array(Run) }),
});
