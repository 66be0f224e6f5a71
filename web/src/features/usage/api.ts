import { infiniteQueryOptions, keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query';
import { addressOf } from '#contract/address.ts';
import {
  exportUsageEndpoint,
  getUsageEndpoint,
  listUsageRunsEndpoint,
  type UsagePeriod,
  usageFileName,
} from '#contract/money/usage.ts';
import { callApi, fetchFile } from '#web/lib/backend/api-client.ts';
import { readFile } from '#web/lib/browser/read-file.ts';
import { saveFile } from '#web/lib/browser/save-file.ts';
import type { UsageView } from './usage-view.ts';

const usageKeys = { all: ['usage'] as const };

const periodOf = ({ from, to, money }: UsageView): UsagePeriod => ({ from, to, ...(money ? { money } : {}) });

/** What paid calls of a period add up to. The period before stays while the next one is on its way. */
export const usageQuery = (view: UsageView) =>
  queryOptions({
    queryKey: [...usageKeys.all, 'sums', periodOf(view)],
    queryFn: ({ signal }) => callApi(getUsageEndpoint, { query: periodOf(view), signal }),
    placeholderData: keepPreviousData,
  });

/** The runs of a period, newest first, page by page. */
export const usageRunsQuery = (view: UsageView) =>
  infiniteQueryOptions({
    queryKey: [...usageKeys.all, 'runs', periodOf(view)],
    queryFn: ({ pageParam, signal }) =>
      callApi(listUsageRunsEndpoint, {
        query: { ...periodOf(view), ...(pageParam ? { after: pageParam } : {}) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });

/** Downloads every row of the ledger that a period's sums are made of. */
export function useDownloadUsage() {
  return useMutation({
    mutationFn: async (view: UsageView) => {
      const rows = await readFile(await fetchFile(addressOf(exportUsageEndpoint.path, periodOf(view))));
      saveFile(usageFileName(view), rows);
    },
  });
}
