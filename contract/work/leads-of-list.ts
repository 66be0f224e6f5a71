import { z } from 'zod/mini';
import { endpoint, looseId, looseNumber } from '#contract/endpoint.ts';
import { FILTER_FIELDS } from './lead-choice.ts';
import { LeadRow } from './leads.ts';

/** `call`: what may be called now comes first, then what opens soonest. */
export const LEAD_SORTS = ['businessName', 'phone', 'email', 'ownerName', 'call'] as const;
export type LeadSort = (typeof LEAD_SORTS)[number];

const MOST_LEADS_AT_ONCE = 500;
const wholeNumber = (most: number) => z.optional(looseNumber.check(z.int(), z.maximum(most)));

/**
 * Leads of a list in an order; without `sort`, in the order in which they were found.
 * - `after`: the `next` of the leads before, in the order of calls at most an hour old, less those that `call` fits no more. `offset`: how many are left out first.
 */
export const listLeadsEndpoint = endpoint({
  method: 'GET',
  path: '/api/lists/:listId/leads',
  growsWith: 'verdicts',
  reads: true,
  query: z.object({
    ...FILTER_FIELDS,
    listId: looseId,
    sort: z.optional(
      z
        .string()
        .check(z.regex(/^(businessName|phone|email|ownerName|call)\.(asc|desc)$/, 'Sort by phone.asc, for example.')),
    ),
    after: z.optional(z.string().check(z.maxLength(4_000))),
    offset: wholeNumber(10_000_000),
    limit: wholeNumber(MOST_LEADS_AT_ONCE),
  }),
  data: z.object({ leads: z.array(LeadRow), next: z.nullable(z.string()) }),
});
