import { z } from 'zod/mini';
import { CALL_SCOPES } from '#contract/calling/call-scopes.ts';
import { endpoint, looseId, upTo100Ids } from '#contract/endpoint.ts';
import { CALL_VERDICTS } from './call-verdicts.ts';

const CallReason = z.object({
  code: z.string(),
  text: z.string(),
  citation: z.optional(z.string()),
  effectiveFrom: z.optional(z.string()),
});

/**
 * Whether a number may be called at a moment. Times are ISO.
 * - `window`: the law of hours alone. `verdict` takes everything together.
 * - `reasons`: those that decided come first. `rulesAsOf`: the day of the oldest review among the rules.
 */
export const Callability = z.object({
  verdict: z.enum(CALL_VERDICTS),
  window: z.object({
    state: z.enum(['open', 'closed', 'barred', 'review', 'unknown']),
    opensAt: z.optional(z.string()),
    closesAt: z.optional(z.string()),
  }),
  zones: z.array(z.string()),
  reasons: z.array(CallReason),
  rulesAsOf: z.string(),
});
export type Callability = z.infer<typeof Callability>;

const at = z.optional(
  z.iso.datetime({ offset: true, error: 'at must be a time such as 2026-11-24T15:00:00Z.' }).check(
    z.refine((time) => {
      const year = new Date(time).getUTCFullYear();
      return year >= 2020 && year <= 2030;
    }, 'at must be a time from 2020 to 2030.'),
  ),
);

/** Judges a number. Nothing is paid, and no provider is asked. `state`: the letters or the name of one. */
export const checkCallabilityEndpoint = endpoint({
  method: 'POST',
  path: '/api/callability/check',
  body: z.object({
    phone: z.string().check(z.trim(), z.minLength(1, 'Enter a phone number.'), z.maxLength(100)),
    address: z.optional(z.string().check(z.maxLength(500))),
    state: z.optional(z.string().check(z.trim(), z.maxLength(100))),
    postalCode: z.optional(z.string().check(z.trim(), z.regex(/^\d{5}(-\d{4})?$/, 'A ZIP code has five digits.'))),
    at,
  }),
  data: Callability,
});

/**
 * The same of a lead, with what its check says.
 * - `callFrom`, `callTo`: the next time for a call, unset where nothing says that it may be called.
 * - `today`: the hours that are open now, as clocks of `zone` show them, and the law that ends them.
 * - `scope`: whose protection counts here. `notChecked`: what no verdict looks at.
 */
export const LeadCallability = z.extend(Callability, {
  callFrom: z.optional(z.string()),
  callTo: z.optional(z.string()),
  today: z.optional(z.object({ from: z.string(), to: z.string(), zone: z.string(), citation: z.string() })),
  checkedOn: z.optional(z.string()),
  expiresOn: z.optional(z.string()),
  scope: z.enum(CALL_SCOPES),
  notChecked: z.array(z.string()),
});
export type LeadCallability = z.infer<typeof LeadCallability>;

/** Judges one of the caller's leads. */
export const leadCallabilityEndpoint = endpoint({
  method: 'GET',
  path: '/api/leads/:id/callability',
  reads: true,
  query: z.object({ id: looseId, at }),
  data: LeadCallability,
});

const LeadVerdict = z.object({
  id: z.string(),
  verdict: z.enum(CALL_VERDICTS),
  /** When a call may begin: only of what is not callable now, and will be then. */
  opensAt: z.optional(z.string()),
  /** The last moment for a call: only of what is callable now. */
  closesAt: z.optional(z.string()),
  /** What decided, in words. */
  why: z.string(),
});

/** How many leads of a list have which verdict at a moment, and when those open that are closed. */
export const listCallabilityEndpoint = endpoint({
  method: 'GET',
  path: '/api/lists/:listId/callability',
  growsWith: 'list',
  reads: true,
  query: z.object({ listId: looseId, at }),
  data: z.object({
    at: z.string(),
    counts: z.record(z.enum(CALL_VERDICTS), z.number()),
    /** Leads that are not callable now, by when within a day they are, the soonest first. `inReview`: those of them in review until then. */
    opening: z.array(z.object({ opensAt: z.string(), leads: z.number(), inReview: z.number() })),
    rulesAsOf: z.string(),
  }),
});

/** The verdicts of some leads of a list, those that are named, separated by commas. */
export const leadVerdictsEndpoint = endpoint({
  method: 'GET',
  path: '/api/lists/:listId/callability/leads',
  query: z.object({
    listId: looseId,
    at,
    ids: upTo100Ids,
  }),
  data: z.object({ leads: z.array(LeadVerdict) }),
});
