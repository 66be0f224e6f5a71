import { z } from 'zod/mini';
import { listKeysEndpoint } from '#contract/account/api-keys.ts';
import { addressOf } from '#contract/address.ts';
import { endpoint, looseId } from '#contract/endpoint.ts';
import { countLeadsEndpoint } from './lead-counts.ts';
import { listRunsEndpoint } from './runs.ts';

/** One read of a page, as it would be sent alone. With a body it is a POST. */
export type PageRead = { address: string; body?: string };

/** What the page of a list shows first, but for its leads. */
export const listPageReads = (listId: string): PageRead[] => [
  { address: '/rest/v1/lists?select=*&order=created_at.desc%2Cid.asc&offset=0&limit=1000' },
  { address: addressOf(listRunsEndpoint.path, { list_id: listId }) },
  { address: addressOf(countLeadsEndpoint.path, { listId }), body: '{}' },
  { address: listKeysEndpoint.path },
];

/**
 * Answers these reads together: each request of its own costs a round trip.
 * - `answers`: by address and body. What was refused or took long is missing, and can be read alone.
 */
export const readListPageEndpoint = endpoint({
  method: 'GET',
  path: '/api/lists/:listId/page',
  query: z.object({ listId: looseId }),
  data: z.object({ answers: z.record(z.string(), z.unknown()) }),
});
