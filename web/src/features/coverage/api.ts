import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { type Coverage, coverageEndpoint, googleCountEndpoint } from '#contract/work/search/coverage.ts';
import { callApi, callPaidApi } from '#web/lib/backend/api-client.ts';
import { saveFile } from '#web/lib/browser/save-file.ts';

/** The certificate of a list. */
export const coverageQuery = (listId: string) =>
  queryOptions({
    queryKey: ['coverage', listId],
    queryFn: ({ signal }) => callApi(coverageEndpoint, { query: { listId }, signal }),
  });

/** Pays Google for its own count. */
export function useGoogleCount(listId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => callPaidApi(googleCountEndpoint, { query: { listId } }),
    onSettled: () => queries.invalidateQueries({ queryKey: coverageQuery(listId).queryKey }),
  });
}

/** Saves a certificate as a file that other programs can read. */
export function saveCertificate(coverage: Coverage, { name, sandbox }: { name: string; sandbox: boolean }): void {
  const json = JSON.stringify({ list: { name, sandbox }, ...coverage }, undefined, 2);
  saveFile(`${name} - coverage.json`, new Blob([json], { type: 'application/json' }));
}
