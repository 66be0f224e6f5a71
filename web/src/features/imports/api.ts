import { partialMatchKey, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { addressOf } from '#contract/address.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import type { ImportField } from '#contract/imports/fields.ts';
import {
  cancelImportEndpoint,
  checkImportEndpoint,
  getImportEndpoint,
  importErrorsEndpoint,
  keepImportEndpoint,
  listImportsEndpoint,
  type RetentionChoice,
  startImportEndpoint,
  undoImportEndpoint,
  uploadImportEndpoint,
} from '#contract/imports/imports.ts';
import { callApi, fetchFile } from '#web/lib/backend/api-client.ts';
import { isUnderWay } from './import-words.ts';

const KEY = ['imports'];
const FILE_KEY = [...KEY, 'file'];
/** While rows are on their way, in ms. */
const FOLLOWED_EVERY = 1_000;

/** The history, read again while one of it is under way. */
export const importsQuery = queryOptions({
  queryKey: [...KEY, 'history'],
  queryFn: async ({ signal }) => (await callApi(listImportsEndpoint, { signal })).imports,
  refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? FOLLOWED_EVERY : false),
});

/** A file that waits, as it will be read. */
export const fileQuery = (id: string) =>
  queryOptions({
    queryKey: [...FILE_KEY, id],
    queryFn: async ({ signal }) => (await callApi(getImportEndpoint, { query: { id }, signal })).file,
  });

/** How many of its leads undoing leaves. Counted again each time it is asked for. */
export const filledSinceQuery = (id: string) =>
  queryOptions({
    queryKey: [...KEY, 'filled-since', id],
    queryFn: async ({ signal }) => (await callApi(getImportEndpoint, { query: { id }, signal })).filledSince,
    staleTime: 0,
  });

export function useUpload() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ file, name }: { file: Blob; name: string }) =>
      callApi(uploadImportEndpoint, { query: { name: name.slice(0, 250) }, file }),
    onSuccess: (file) => queries.setQueryData(fileQuery(file.importId).queryKey, file),
    onSettled: () => queries.invalidateQueries({ queryKey: importsQuery.queryKey }),
  });
}

export function useCheck(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (mapping: Record<string, ImportField>) =>
      callApi(checkImportEndpoint, { query: { id }, body: { mapping } }),
    onSuccess: (file) => queries.setQueryData(fileQuery(id).queryKey, file),
  });
}

/**
 * What is in a list shows on many pages: all of them are read again. A waiting file is not: its page goes with the change.
 * `onSuccess`: before that.
 */
function useChange<T>(change: (input: T) => Promise<unknown>, onSuccess?: () => void) {
  const queries = useQueryClient();
  const readAgain = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: FILE_KEY, refetchType: 'none' }),
      queries.invalidateQueries({ predicate: ({ queryKey }) => !partialMatchKey(queryKey, FILE_KEY) }),
    ]);
  return useMutation({ mutationFn: change, onSuccess: () => onSuccess?.(), onSettled: readAgain });
}

export const useStart = (id: string, onSuccess: () => void) =>
  useChange(
    (body: BodyOf<typeof startImportEndpoint>) => callApi(startImportEndpoint, { query: { id }, body }),
    onSuccess,
  );

export const useCancel = (onSuccess?: () => void) =>
  useChange((id: string) => callApi(cancelImportEndpoint, { query: { id } }), onSuccess);

export const useKeep = () =>
  useChange(({ id, retention }: { id: string; retention: RetentionChoice }) =>
    callApi(keepImportEndpoint, { query: { id }, body: { retention } }),
  );

export function useUndo() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callApi(undoImportEndpoint, { query: { id } }),
    onSettled: () => queries.invalidateQueries(),
  });
}

/** The rows that could not be read, as a file. */
export const fetchErrors = async (id: string): Promise<Blob> =>
  (await fetchFile(addressOf(importErrorsEndpoint.path, { id }))).blob();
