import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  addSuppressionEndpoint,
  importSuppressionsEndpoint,
  listSuppressionsEndpoint,
  removeSuppressionEndpoint,
} from '#contract/calling/suppressions.ts';
import type { BodyOf, DataOf } from '#contract/endpoint.ts';
import { callApi } from '#web/lib/backend/api-client.ts';
import { partsOf } from './file-parts.ts';
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

export type Imported = DataOf<typeof importSuppressionsEndpoint>;

/** Sends a file in parts, one after the other. `onPart`: the share that is stored, from 0 to 1. */
export function useImportSuppressions(onPart: (share: number) => void) {
  const readAgain = useReadAgain();
  return useMutation({
    mutationFn: async (file: File): Promise<Imported> => {
      const sum: Imported = { added: 0, known: 0, wrong: 0, exports: 0, errors: [], ignored: [] };
      const parts = partsOf(await file.text());
      for (const [index, { csv, linesBefore }] of parts.entries()) {
        const part = await callApi(importSuppressionsEndpoint, { body: { csv } });
        const { added, known, wrong, exports, errors, ignored } = part;
        sum.added += added;
        sum.known += known;
        sum.wrong += wrong;
        // Parts may share an export: at least the most of them.
        sum.exports = Math.max(sum.exports, exports);
        sum.errors.push(...errors.map((error) => ({ ...error, line: error.line + linesBefore })));
        sum.ignored = [...new Set([...sum.ignored, ...ignored])];
        onPart((index + 1) / parts.length);
      }
      return sum;
    },
    onSettled: readAgain,
  });
}
