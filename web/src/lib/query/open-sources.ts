import { queryOptions } from '@tanstack/react-query';
import { listSourcesEndpoint } from '#contract/work/open-data.ts';
import { callApi } from '#web/lib/backend/api-client.ts';

export const SOURCES_KEY = ['open-sources'];

/** What is loaded of open data. */
export const sourcesQuery = queryOptions({
  queryKey: SOURCES_KEY,
  queryFn: ({ signal }) => callApi(listSourcesEndpoint, { signal }),
});
