import { z } from 'zod/mini';
import { endpoint, looseId, looseNumber } from '#contract/endpoint.ts';
import { LeadRow } from '#contract/work/leads.ts';
import { OpenOrigin } from '#contract/work/open-origins.ts';
import { ALL_RESULTS } from './areas.ts';
import { businessType } from './search.ts';
import { hasPlace, NO_PLACE, WhereRequest } from './surveys.ts';

/** The most businesses that one search of open data puts into a list. */
export const MOST_OPEN_LEADS = 100_000;
/** Leads that come with the answer; the list has all of them. */
export const OPEN_LEADS_ANSWERED = 1_000;
const MOST_QUERIES = 10;

/** Whether a search is for open data alone. */
export const isForOpen = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'source' in body && body.source === 'open';

/** What to look for in open data. `query` and `queries`: business types, or a name. */
const OpenSearchRequest = z
  .object({
    source: z.literal('open'),
    query: z.optional(businessType),
    queries: z.optional(
      z.array(businessType).check(z.minLength(1, 'Enter at least one business type.'), z.maxLength(MOST_QUERIES)),
    ),
    ...WhereRequest,
    maxResults: z._default(
      z.union([
        z.literal(ALL_RESULTS),
        looseNumber.check(
          z.refine((n) => Number.isInteger(n) && n >= 1 && n <= MOST_OPEN_LEADS, 'Choose at least 1 result.'),
        ),
      ]),
      ALL_RESULTS,
    ),
    onlyNew: z.optional(z.boolean()),
    list_id: looseId,
  })
  .check(
    z.refine(({ query, queries }) => query !== undefined || queries !== undefined, 'Enter a business type.'),
    z.refine(hasPlace, NO_PLACE),
  );

/** Fills a list from open data, at once. It needs no key and costs nothing. Found = added + duplicates + alreadyListed + beyondMaximum. */
export const searchOpenEndpoint = endpoint({
  method: 'POST',
  path: '/api/search-leads',
  body: OpenSearchRequest,
  data: z.object({
    place: z.string(),
    found: z.number(),
    added: z.number(),
    /** The same business in another source, or in this list already. */
    duplicates: z.number(),
    alreadyListed: z.number(),
    beyondMaximum: z.number(),
    /** Where those that were found came from. */
    sources: z._default(z.array(z.string()), []),
    /** `open`: which release brought the lead, and how sure that is; null for one that is there from elsewhere. */
    leads: z.array(z.extend(LeadRow, { open: z._default(z.nullable(OpenOrigin), null) })),
  }),
});
