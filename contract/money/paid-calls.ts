import { z } from 'zod/mini';
import { endpoint, looseId } from '#contract/endpoint.ts';

/** `not_sent`: its run ended, or needed it no more, before it left. It cost nothing. */
export const CALL_STATES = ['planned', 'sent', 'answered', 'failed', 'uncertain', 'not_sent'] as const;
export type CallState = (typeof CALL_STATES)[number];
export const OPERATIONS = [
  'locate',
  'search_page',
  'area_count',
  'domain_search',
  'email_verify',
  'phone_scrub',
] as const;

/** One row of the ledger. Money in micro-dollars. */
export const PaidCall = z.object({
  id: z.string(),
  operation: z.enum(OPERATIONS),
  /** What was asked about: a typed place, a page of a search, a domain, an email, a phone number of ten digits. */
  subject: z.string(),
  state: z.enum(CALL_STATES),
  /** How often it was sent. */
  attempts: z.number(),
  /** What is booked: nothing until it is sent, the estimate while its outcome is not known, then the price. */
  costMicros: z.number(),
  errorMessage: z.nullable(z.string()),
  plannedAt: z.string(),
  sentAt: z.nullable(z.string()),
  settledAt: z.nullable(z.string()),
  /** When its owner said whether it was charged; null where the provider said so. */
  settledByHandAt: z.nullable(z.string()),
});
export type PaidCall = z.infer<typeof PaidCall>;

/**
 * A page of the calls of one of the caller's runs, in one state or in all: those sent last first, those that wait to be sent behind them.
 * `next` begins the following page.
 */
export const listCallsEndpoint = endpoint({
  method: 'GET',
  path: '/api/runs/:id/calls',
  reads: true,
  query: z.object({ id: looseId, state: z.optional(z.enum(CALL_STATES)), after: z.optional(looseId) }),
  data: z.object({ calls: z.array(PaidCall), next: z.nullable(z.string()) }),
});

/** Most calls that are settled at once. */
const SETTLE_MOST = 1_000;

/**
 * Says of uncertain calls of the caller, some or all of a run, whether they were charged. Calls that are settled already stay as they
 * are. `settled`: how many were not.
 */
export const settleCallsEndpoint = endpoint({
  method: 'POST',
  path: '/api/paid-calls/settle',
  body: z
    .object({
      call_ids: z.optional(z.array(looseId).check(z.minLength(1), z.maxLength(SETTLE_MOST))),
      run_id: z.optional(looseId),
      charged: z.boolean(),
    })
    .check(
      z.refine(({ call_ids, run_id }) => (call_ids === undefined) !== (run_id === undefined), {
        error: 'The request must name call_ids or a run_id.',
      }),
    ),
  data: z.object({ settled: z.number() }),
});
