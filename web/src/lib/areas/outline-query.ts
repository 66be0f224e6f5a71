import { queryOptions, skipToken } from '@tanstack/react-query';
import type { BodyOf } from '#contract/endpoint.ts';
import type { Geometry } from '#contract/work/search/areas.ts';
import { outlineEndpoint } from '#contract/work/search/coverage.ts';
import { callApi } from '#web/lib/backend/api-client.ts';

/** How an area is drawn. Nothing is asked without one. */
export const outlineQuery = (body: BodyOf<typeof outlineEndpoint> | undefined) =>
  queryOptions({
    queryKey: ['outline', body],
    queryFn: body ? ({ signal }) => callApi(outlineEndpoint, { body, signal }) : skipToken,
    // Only a place that was not looked up yet gets another outline later.
    staleTime: ({ state: { data } }) => (data?.outline ? Number.POSITIVE_INFINITY : 0),
  });

/** The polygons of a geometry; none without one. */
export const polygonsOf = (geometry: Geometry | null | undefined): number[][][][] => {
  if (!geometry) return [];
  return geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
};
