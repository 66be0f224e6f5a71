import { z } from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';

/** Where a search looks: Google Places; open data that was loaded here; or open data, and Google for what it lacks. */
export const SEARCH_SOURCES = ['google', 'open', 'open_first'] as const;
export type SearchSource = (typeof SEARCH_SOURCES)[number];

/** What open data brings to a search, before Google is paid, and from where. `matched`: Google's places that are known to be among its own. */
export const OpenDataHere = z.object({
  places: z.number(),
  sources: z._default(z.array(z.string()), []),
  matched: z.number(),
});
export type OpenDataHere = z.infer<typeof OpenDataHere>;

/** Whether a search of one's own reads a release: `last` where the others have nothing for it. */
const SEARCHED = ['first', 'last', 'never'] as const;

/** What is loaded of one release under one license. `count`: its places now. Times are ISO. */
export const OpenRelease = z.object({
  id: z.number(),
  source: z.string(),
  name: z.string(),
  release: z.string(),
  license: z.string(),
  attribution: z.string(),
  /** Whether its places are invented. */
  sandbox: z.boolean(),
  loadedAt: z.string(),
  count: z.number(),
  searched: z.enum(SEARCHED),
});
export type OpenRelease = z.infer<typeof OpenRelease>;

export const listSourcesEndpoint = endpoint({
  method: 'GET',
  path: '/api/sources',
  data: z.object({ sources: z.array(OpenRelease) }),
});
