import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  mailHeadEndpoint,
  type PackQuestion,
  packEvidenceEndpoint,
  packFileName,
  readHeadEndpoint,
} from '#contract/calling/evidence.ts';
import { callApi, fetchFile } from '#web/lib/backend/api-client.ts';
import { readFile } from '#web/lib/browser/read-file.ts';
import { saveFile } from '#web/lib/browser/save-file.ts';

/** The head of the chain, and whether it comes by mail. */
export const headQuery = queryOptions({
  queryKey: ['evidence', 'head'],
  queryFn: ({ signal }) => callApi(readHeadEndpoint, { signal }),
});

/** Starts or ends the daily mail. */
export function useMailHead() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (on: boolean) => callApi(mailHeadEndpoint, { body: { on } }),
    onSettled: () => queries.invalidateQueries({ queryKey: headQuery.queryKey }),
  });
}

/** Downloads a pack. `onBytes` hears how much has come. */
export function useDownloadPack(onBytes: (bytes: number) => void) {
  return useMutation({
    mutationFn: async (question: PackQuestion) => {
      onBytes(0);
      const pack = await readFile(await fetchFile(packEvidenceEndpoint.path, { body: question }), onBytes);
      saveFile(packFileName(new Date()), pack);
    },
  });
}
