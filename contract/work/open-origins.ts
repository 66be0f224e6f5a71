import { z } from 'zod/mini';
import { endpoint, looseId, upTo100Ids } from '#contract/endpoint.ts';

/**
 * A release of open data that values of a lead come from.
 * - `name`: as `sources` calls it. `title`: as people call its source.
 * - `confidence`: from 0 to 1, as the source states it in `stated`, its last release that has the place. Never proof that a business is open.
 * - `goneOn`: since when a later release has the place no more.
 */
export const OpenOrigin = z.object({
  name: z.string(),
  title: z.string(),
  release: z.string(),
  license: z.string(),
  confidence: z.nullable(z.number()),
  stated: z.nullable(z.string()),
  goneOn: z.nullable(z.string()),
});
export type OpenOrigin = z.infer<typeof OpenOrigin>;

/** Which releases of open data brought some leads of a list, those that are named, separated by commas. Leads from elsewhere are left out. */
export const leadOriginsEndpoint = endpoint({
  method: 'GET',
  path: '/api/lists/:listId/leads/origins',
  reads: true,
  query: z.object({
    listId: looseId,
    ids: upTo100Ids,
  }),
  data: z.object({ leads: z.array(z.extend(OpenOrigin, { id: z.string() })) }),
});
