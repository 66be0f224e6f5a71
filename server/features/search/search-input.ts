import { z } from 'zod/mini';
import { MAX_RESULTS_LIMIT, type SearchRequest } from '#contract/work/search/search.ts';
import { boundingBox } from '#providers/geo.ts';
import type { Coordinates, PlaceQuery } from '#providers/provider.ts';
import { type ResolvedArea, resolveArea } from './area/resolve-area.ts';
import { placeSubject } from './search-operations.ts';

/** Places on one page: Google's maximum. Every page of a query must ask for the same number. */
export const PAGE_SIZE = 20;

/** What a search run stores as its input. Radius in meters. */
export const SearchInput = z.object({
  query: z.string(),
  location: z.string(),
  radiusMeters: z.number(),
  maxResults: z.number(),
  onlyNew: z.optional(z.boolean()),
  source: z.optional(z.literal('open_first')),
});
export type SearchInput = z.infer<typeof SearchInput>;

export const inputOf = ({ query, location, radius, maxResults, onlyNew, source }: SearchRequest): SearchInput => ({
  query,
  location,
  radiusMeters: radius,
  maxResults,
  ...(onlyNew ? { onlyNew } : {}),
  ...(source === 'open_first' ? { source } : {}),
});

/** The last page that a search may reach: as many as it asks for, or all there are while it looks for new places. */
export const lastPage = ({ maxResults, onlyNew }: SearchInput): number =>
  Math.ceil((onlyNew ? MAX_RESULTS_LIMIT : maxResults) / PAGE_SIZE);

/** The subject of one page of a search, for any of a person's lists. */
export const pageSubject = (input: SearchInput, { latitude, longitude }: Coordinates, page: number): string =>
  `${placeSubject(input.query)} within ${input.radiusMeters} m of ${latitude},${longitude}, page ${page}`;

/** The circle of a search as an area. */
export const circleOf = ({ radiusMeters: meters }: SearchInput, center: Coordinates): ResolvedArea =>
  resolveArea({ kind: 'circle', center, meters });

export const queryOf = (input: SearchInput, center: Coordinates): PlaceQuery => ({
  category: input.query,
  within: boundingBox(center.latitude, center.longitude, input.radiusMeters),
  pageSize: PAGE_SIZE,
});
