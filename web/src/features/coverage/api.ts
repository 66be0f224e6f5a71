import { queryOptions } from '@tanstack/react-query';
import { type Coverage, coverageEndpoint } from '#contract/work/surveys.ts';
import { callApi } from '#web/lib/backend/api-client.ts';
import { saveFile } from '#web/lib/browser/save-file.ts';

/** The certificate of a list. */
export const coverageQuery = (listId: string) =>
  queryOptions({
    queryKey: ['coverage', listId],
    queryFn: ({ signal }) => callApi(coverageEndpoint, { query: { listId }, signal }),
  });

/** Saves a certificate as a file that other programs can read. */
export function saveCertificate(coverage: Coverage, listName: string): void {
  const json = JSON.stringify(coverage, undefined, 2);
  saveFile(`${listName} - coverage.json`, new Blob([json], { type: 'application/json' }));
}
