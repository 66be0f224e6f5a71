import { z } from 'zod/mini';
import { endpoint, looseId } from '#contract/endpoint.ts';
import { maxCost, quotedSandbox } from '#contract/money/budgets.ts';
import { EnrichmentStep } from './enrichment-steps.ts';
import { CHOICE_FIELDS, digest } from './lead-choice.ts';
import { BegunRun } from './runs.ts';

const steps = z.optional(z.array(EnrichmentStep).check(z.minLength(1)));

/** Looks up emails and owners for every lead of a list, or of those chosen, that has a website of its own. `cost` is in US dollars. Without `steps`: all but the verifier. */
export const enrichEmailsEndpoint = endpoint({
  method: 'POST',
  path: '/api/enrich/emails',
  query: BegunRun,
  body: z.object({ list_id: looseId, ...CHOICE_FIELDS, digest, max_cost: maxCost, sandbox: quotedSandbox, steps }),
  data: z.object({
    total_domains_processed: z.number(),
    leads_updated: z.number(),
    emails_added: z.number(),
    contacts_added: z.number(),
    /** Websites that had an address, where any had one. */
    websites_found: z.optional(z.number()),
    /** Emails that were verified, and of these that cannot receive mail, where that was asked for. */
    emails_verified: z.optional(z.number()),
    emails_invalid: z.optional(z.number()),
    cost: z.number(),
  }),
});

/** What an enrichment of a list would cost now. */
export const EnrichmentEstimate = z.object({
  leads: z.number(),
  /** Leads on the suppression list; they are never looked up. */
  suppressed: z._default(z.number(), 0),
  withoutWebsite: z.number(),
  /** Leads whose website is a page on a shared or social host. */
  onSharedHost: z.number(),
  /** Domains that Hunter may be asked about: `known` of all those that the leads have are not. */
  toLookUp: z.number(),
  /** Websites that are visited. */
  toVisit: z._default(z.number(), 0),
  /** Domains whose leads have what a free step found, or will have it at once because it is remembered. */
  foundFree: z._default(z.number(), 0),
  known: z.number(),
  /** Emails that the verifier may be asked about, those included that may be found; `verified` were checked before, and need not be again. */
  toVerify: z._default(z.number(), 0),
  verified: z._default(z.number(), 0),
  /** Leads that stand in another of the caller's lists too, by place, phone or domain. */
  elsewhere: z._default(z.number(), 0),
  /** The most that it can cost, in micro-dollars. */
  boundMicros: z.number(),
  /** What the first call of it costs, in micro-dollars: with less, nothing can be bought. */
  callMicros: z._default(z.number(), 0),
  /** Whether it would be sandbox money. */
  sandbox: z.optional(z.boolean()),
});
export type EnrichmentEstimate = z.infer<typeof EnrichmentEstimate>;

/** Counts what an enrichment would pay for and what is known already. Free. */
export const estimateEnrichmentEndpoint = endpoint({
  method: 'POST',
  path: '/api/enrich/estimate',
  growsWith: 'list',
  reads: true,
  body: z.object({ list_id: looseId, ...CHOICE_FIELDS, steps }),
  data: EnrichmentEstimate,
});
