import { z } from 'zod/mini';
import { endpoint, looseId, looseNumber } from '#contract/endpoint.ts';
import { EXPORT_COMPLIANCE, EXPORT_FILTERS } from './exports.ts';
import { FILTER_FIELDS, LeadChoice } from './lead-choice.ts';
import { LeadRow } from './leads.ts';

export const LEAD_SORTS = ['businessName', 'phone', 'email', 'ownerName'] as const;
export type LeadSort = (typeof LEAD_SORTS)[number];

const MOST_LEADS_AT_ONCE = 500;
const wholeNumber = (most: number) => z.optional(looseNumber.check(z.int(), z.maximum(most)));

/**
 * Leads of a list in an order; without `sort`, in the order in which they were found.
 * - `after`: the `next` of the leads before. `offset`: how many are left out first.
 */
export const listLeadsEndpoint = endpoint({
  method: 'GET',
  path: '/api/lists/:listId/leads',
  query: z.object({
    ...FILTER_FIELDS,
    listId: looseId,
    sort: z.optional(
      z
        .string()
        .check(z.regex(/^(businessName|phone|email|ownerName)\.(asc|desc)$/, 'Sort by phone.asc, for example.')),
    ),
    after: z.optional(z.string().check(z.maxLength(4_000))),
    offset: wholeNumber(10_000_000),
    limit: wholeNumber(MOST_LEADS_AT_ONCE),
  }),
  data: z.object({ leads: z.array(LeadRow), next: z.nullable(z.string()) }),
});

/** How many leads of a list are meant, and what they have. */
const LeadCounts = z.object({
  leads: z.number(),
  emails: z.number(),
  /** With an owner's name or title. */
  contacts: z.number(),
  /** With a verified or refuted email, or the type of the phone. */
  verifications: z.number(),
  /** By verdict, as it holds today. */
  safe: z.number(),
  flagged: z.number(),
  expired: z.number(),
  /** How many an export holds, by its two choices. */
  exports: z.record(z.enum(EXPORT_FILTERS), z.record(z.enum(EXPORT_COMPLIANCE), z.number())),
});
export type LeadCounts = z.infer<typeof LeadCounts>;

export const countLeadsEndpoint = endpoint({
  method: 'POST',
  path: '/api/lists/:listId/leads/counts',
  query: z.object({ listId: looseId }),
  body: LeadChoice,
  data: LeadCounts,
});
