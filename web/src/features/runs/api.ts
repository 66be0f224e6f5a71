import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { BodyOf } from '#contract/endpoint.ts';
import { type CallState, listCallsEndpoint, settleCallsEndpoint } from '#contract/money/paid-calls.ts';
import { cancelRunEndpoint, getRunEndpoint, listRunsEndpoint, type Run, type RunDetail } from '#contract/work/runs.ts';
import { callApi } from '#web/lib/backend/api-client.ts';
import { isLive } from '#web/lib/backend/live.ts';

/** How often a run under way is asked after while changes are not told, in ms. */
const FOLLOW_MS = 1000;

export const runKeys = {
  all: ['runs'] as const,
  last: ['runs', 'last'] as const,
  ofList: (listId: string) => ['runs', 'list', listId] as const,
  one: (runId: string) => ['runs', 'one', runId] as const,
  calls: (runId: string, state: CallState | undefined) => ['runs', 'one', runId, 'calls', state ?? 'all'] as const,
};

/** The run of each of the user's lists that ended last, by list id. */
export const lastRunsQuery = () =>
  queryOptions({
    queryKey: runKeys.last,
    queryFn: async ({ signal }): Promise<Record<string, Run>> => {
      const { runs } = await callApi(listRunsEndpoint, { signal });
      const last: Record<string, Run> = {};
      for (const run of runs) if (run.listId !== null) last[run.listId] ??= run;
      return last;
    },
  });

/** All runs of one list, newest first. Followed while `following`. */
export const runsOfListQuery = (listId: string, following: boolean) =>
  queryOptions({
    queryKey: runKeys.ofList(listId),
    queryFn: async ({ signal }): Promise<Run[]> =>
      (await callApi(listRunsEndpoint, { query: { list_id: listId }, signal })).runs,
    refetchInterval: () => (following && !isLive() ? FOLLOW_MS : false),
  });

const isUnderWay = ({ state }: Run): boolean => state === 'queued' || state === 'running';

/** Whether changes of a run are told: those of runs of no list never are. */
const isTold = ({ listId }: Pick<Run, 'listId'>): boolean => listId !== null && isLive();

/** One run. Read every second until it has ended, while changes are not told. */
export const runQuery = (runId: string) =>
  queryOptions({
    queryKey: runKeys.one(runId),
    queryFn: async ({ signal }): Promise<RunDetail> =>
      (await callApi(getRunEndpoint, { query: { id: runId }, signal })).run,
    refetchInterval: ({ state: { data } }) => (data && isUnderWay(data) && !isTold(data) ? FOLLOW_MS : false),
  });

/** The calls of a run in one state or in all, sent last first, page by page. Read again every second while `following` and changes are not told. */
export const callsQuery = (run: Pick<Run, 'id' | 'listId'>, state: CallState | undefined, following: boolean) =>
  infiniteQueryOptions({
    queryKey: runKeys.calls(run.id, state),
    queryFn: ({ pageParam, signal }) =>
      callApi(listCallsEndpoint, {
        query: { id: run.id, ...(state ? { state } : {}), ...(pageParam ? { after: pageParam } : {}) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    refetchInterval: () => (following && !isTold(run) ? FOLLOW_MS : false),
  });

/** Asks for the end of a run; what shows runs reads them again. */
export function useCancelRun() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callApi(cancelRunEndpoint, { query: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: runKeys.all }),
  });
}

/** Says of lost calls whether they were charged; what shows runs reads them again. */
export function useSettleCalls() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyOf<typeof settleCallsEndpoint>) => callApi(settleCallsEndpoint, { body }),
    onSettled: () => queries.invalidateQueries({ queryKey: runKeys.all }),
  });
}
