import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { listImportsEndpoint, removeSourceEndpoint, startImportEndpoint } from '#contract/admin/open-data.ts';
import type { BodyOf, DataOf } from '#contract/endpoint.ts';
import { callApi } from '#web/lib/backend/api-client.ts';
import { SOURCES_KEY } from '#web/lib/query/open-sources.ts';

const IMPORTS_KEY = ['open-imports'];
/** How often an import that is at work is looked at, in ms. */
const LOOK_MS = 2_000;

type Imports = DataOf<typeof listImportsEndpoint>;

const idle = ({ imports }: Imports): string =>
  imports
    .filter(({ atWork }) => !atWork)
    .map(({ id }) => id)
    .join();

export const importsQuery = queryOptions({
  queryKey: IMPORTS_KEY,
  queryFn: async ({ signal, client }) => {
    const before = client.getQueryData<Imports>(IMPORTS_KEY);
    const now = await callApi(listImportsEndpoint, { signal });
    // One that has ended has changed what is loaded.
    if (before && idle(before) !== idle(now)) void client.invalidateQueries({ queryKey: SOURCES_KEY });
    return now;
  },
  refetchInterval: ({ state }) => (state.data?.imports.some(({ atWork }) => atWork) ? LOOK_MS : false),
});

function useReadAgain() {
  const queries = useQueryClient();
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: IMPORTS_KEY }),
      queries.invalidateQueries({ queryKey: SOURCES_KEY }),
    ]);
}

export function useStartImport() {
  const readAgain = useReadAgain();
  return useMutation({
    mutationFn: (body: BodyOf<typeof startImportEndpoint>) => callApi(startImportEndpoint, { body }),
    onSettled: readAgain,
  });
}

export function useRemoveSource() {
  const readAgain = useReadAgain();
  return useMutation({
    mutationFn: (source: string) => callApi(removeSourceEndpoint, { query: { source } }),
    onSettled: readAgain,
  });
}
