import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  addSuppressionEndpoint,
  importSuppressionFileEndpoint,
  listSuppressionsEndpoint,
  removeSuppressionEndpoint,
} from '#contract/calling/suppressions.ts';
import type { BodyOf, DataOf } from '#contract/endpoint.ts';
import { callApi } from '#web/lib/backend/api-client.ts';
import type { SuppressionsView } from './suppressions-view.ts';

const KEY = ['suppressions'];

/** One page of the list. The page before stays while the next one is on its way. */
export const suppressionsQuery = ({ q, kind, before }: SuppressionsView) =>
  queryOptions({
    queryKey: [...KEY, q, kind, before],
    queryFn: ({ signal }) =>
      callApi(listSuppressionsEndpoint, {
        query: { ...(q.trim() ? { q: q.trim() } : {}), ...(kind ? { kind } : {}), ...(before ? { before } : {}) },
        signal,
      }),
    placeholderData: keepPreviousData,
  });

/** What an entry holds back shows on every page: all that was read is read again. */
function useReadAgain() {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries();
}

export function useAddSuppression() {
  const readAgain = useReadAgain();
  return useMutation({
    mutationFn: (body: BodyOf<typeof addSuppressionEndpoint>) => callApi(addSuppressionEndpoint, { body }),
    onSettled: readAgain,
  });
}

export function useRemoveSuppression() {
  const readAgain = useReadAgain();
  return useMutation({
    mutationFn: ({ id, reason }: { id: string; reason: string }) =>
      callApi(removeSuppressionEndpoint, { query: { id }, body: { reason } }),
    onSettled: readAgain,
  });
}

export type Imported = DataOf<typeof importSuppressionFileEndpoint>;

/** Sends a file as it is. What is in it decides how it is read, whatever the browser takes it for. */
export function useImportSuppressions() {
  const readAgain = useReadAgain();
  return useMutation({
    mutationFn: (file: File) =>
      callApi(importSuppressionFileEndpoint, { file: file.slice(0, file.size, 'application/octet-stream') }),
    onSettled: readAgain,
  });
}
