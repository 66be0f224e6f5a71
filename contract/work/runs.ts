import { z } from 'zod/mini';
import { endpoint, looseId } from '#contract/endpoint.ts';
import { CALL_STATES } from '#contract/money/paid-calls.ts';
import { EnrichmentStep } from './enrichment-steps.ts';
import { AreaSearch } from './search/areas.ts';

/** Work on a list. */
export const LIST_RUN_KINDS = ['search', 'enrichment', 'compliance'] as const;
export type ListRunKind = (typeof LIST_RUN_KINDS)[number];
/** For no list: `place` finds out where a location is, `survey` counts the places of an area. */
export const RUN_KINDS = [...LIST_RUN_KINDS, 'place', 'survey'] as const;
export type RunKind = (typeof RUN_KINDS)[number];
export const RUN_STATES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;

/**
 * Query of what is answered when a run has ended. `run`: the id of the run that this request has begun already, at a process that was
 * stopped meanwhile; it is waited for, and none is begun.
 */
export const BegunRun = z.object({ run: z.optional(z.string()) });

/** The response header with the id of the run that a paid call is about, whether it succeeded, failed or was refused. */
export const RUN_HEADER = 'Fairlead-Run';

const count = z._default(z.number(), 0);

/** Where a search's places went: found = kept + outsideRadius + closed + duplicates + alreadyListed + beyondMaximum. */
export const SearchTotals = z.object({
  requested: count,
  found: count,
  kept: count,
  outsideRadius: count,
  closed: count,
  duplicates: count,
  /** Left out because another list of the user has them. */
  alreadyListed: count,
  beyondMaximum: count,
  /** Kept without a distance, because the business has no storefront. */
  serviceArea: count,
  pages: count,
  /** A page whose answer was lost: what it would have held is missing. */
  pagesLost: count,
  /** Pages that a search of a whole area has to buy. */
  pagesToBuy: count,
  /** Of these, pages that it did not come to, and the places on them. */
  pagesLeft: count,
  placesLeft: count,
});
export type SearchTotals = z.infer<typeof SearchTotals>;

export const EnrichmentTotals = z.object({
  leads: count,
  /** On the suppression list: nothing was asked about them. */
  suppressed: count,
  withoutWebsite: count,
  /** Leads whose website is a page on a shared or social host. */
  onSharedHost: count,
  domains: count,
  domainsDone: count,
  domainsKnown: count,
  domainsUncertain: count,
  /** Domains that Hunter is asked about: those that the free steps have left. */
  domainsForHunter: count,
  /** Websites to visit, and of those that are done: how many were remembered, had an address, or did not want to be read. */
  sites: count,
  sitesDone: count,
  sitesKnown: count,
  sitesFound: count,
  sitesRefused: count,
  /** Emails to verify, how many of them are done, and of those: how many were remembered, or cannot receive mail. */
  emailsToVerify: count,
  emailsVerified: count,
  emailsKnown: count,
  emailsInvalid: count,
  /** Of those that are done, the ones that Hunter has no result for yet. */
  emailsPending: count,
  emailsUncertain: count,
  /** Emails to verify that only leads on the suppression list have: nothing was asked about them. */
  emailsSuppressed: count,
  leadsUpdated: count,
  emailsAdded: count,
  contactsAdded: count,
});
export type EnrichmentTotals = z.infer<typeof EnrichmentTotals>;

export const ComplianceTotals = z.object({
  leads: count,
  /** On the suppression list: nothing was asked about them. */
  suppressed: count,
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

/** Why a run does not move: a `limit` of the provider, an `other_run` that has asked for the same, `provider_down`. */
export const WAITING_REASONS = ['limit', 'other_run', 'provider_down'] as const;
export type WaitingReason = (typeof WAITING_REASONS)[number];

/** What a search was asked for, so that Retry can repeat it: for every business of an area, or for so many. Radius in meters. */
export const SearchedFor = z.union([
  AreaSearch,
  z.object({
    query: z.string(),
    location: z.string(),
    radius: z.number(),
    maxResults: z.number(),
    onlyNew: z.optional(z.boolean()),
    source: z.optional(z.literal('open_first')),
  }),
]);

export const Run = z.object({
  id: z.string(),
  /** Null for a list that is gone, and for work on no list. */
  listId: z.nullable(z.string()),
  kind: z.enum(RUN_KINDS),
  state: z.enum(RUN_STATES),
  search: z.optional(SearchTotals),
  enrichment: z.optional(EnrichmentTotals),
  compliance: z.optional(ComplianceTotals),
  /** The leads that a check was narrowed to, where it may be repeated: what Retry repeats. */
  leadIds: z.optional(z.array(z.string())),
  /** How many they are, where they are too many to be named: then Retry asks for those of the run. */
  leadCount: z.optional(z.number()),
  searchFor: z.optional(SearchedFor),
  /** Where an enrichment looks. */
  steps: z.optional(z.array(EnrichmentStep)),
  /** What its work was priced at when it began, in micro-dollars. */
  estimateMicros: z.number(),
  /** What it may spend at most, in micro-dollars. A server of an earlier version leaves it out here. */
  boundMicros: z.optional(z.number()),
  /** Booked so far, in micro-dollars: calls that are sent or uncertain count at their estimate. */
  costMicros: z.number(),
  /** The part booked for calls whose answer was lost. */
  uncertainMicros: z.number(),
  /** Set while a run that is worked on does not move; `until` where it is known when it goes on. */
  waiting: z.nullable(z.object({ reason: z.enum(WAITING_REASONS), until: z.nullable(z.string()) })),
  /** When a search that met a day's limit goes on by itself, if its owner chose so. */
  resumeAt: z._default(z.nullable(z.string()), null),
  errorCode: z.nullable(z.string()),
  errorMessage: z.nullable(z.string()),
  createdAt: z.string(),
  startedAt: z.nullable(z.string()),
  finishedAt: z.nullable(z.string()),
});
export type Run = z.infer<typeof Run>;

/**
 * All runs of one list, newest first. Without `list_id`: of each of the caller's lists, the run that ended last, or the newest where none has
 * ended; newest first.
 */
export const listRunsEndpoint = endpoint({
  method: 'GET',
  path: '/api/runs',
  reads: true,
  query: z.object({ list_id: z.optional(looseId) }),
  data: z.object({ runs: z.array(Run) }),
});

const ofRun = z.object({ id: looseId });

export const RunDetail = z.extend(Run, {
  /** For a look-up: the place, as it was typed. */
  listName: z.string(),
  /** What it may spend at most, in micro-dollars. */
  boundMicros: z.number(),
  sandbox: z.boolean(),
  /**
   * What it waits behind before it begins; null when there is nothing. `behind`: a run of the same list, or one of as many as may be at work;
   * `ahead`: runs of the same person that begin before it.
   */
  queue: z.nullable(
    z.object({
      behind: z.nullable(
        z.object({ kind: z.enum(RUN_KINDS), steps: z.optional(z.array(EnrichmentStep)), listName: z.string() }),
      ),
      ahead: z.number(),
    }),
  ),
  /** Whether its owner has asked for its end. */
  cancelling: z.boolean(),
  /** Its calls by state; a state that none is in is left out. */
  calls: z.partialRecord(z.enum(CALL_STATES), z.number()),
});
export type RunDetail = z.infer<typeof RunDetail>;

/** One of the caller's runs. */
export const getRunEndpoint = endpoint({
  method: 'GET',
  path: '/api/runs/:id',
  reads: true,
  query: ofRun,
  data: z.object({ run: RunDetail }),
});

/** Ends one of the caller's runs as soon as nothing of it is under way; one that has ended stays as it is. */
export const cancelRunEndpoint = endpoint({
  method: 'POST',
  path: '/api/runs/:id/cancel',
  query: ofRun,
  data: z.object({ cancelled: z.boolean() }),
});
