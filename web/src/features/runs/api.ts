import { queryOptions } from '@tanstack/react-query';
import { listRuns, type Run } from '#contract/runs.ts';
import { callApi } from '#web/lib/api-client.ts';

/** How often a run under way is asked after, in ms. */
const FOLLOW_MS = 1000;

export const runKeys = {
  all: ['runs'] as const,
  newest: ['runs', 'newest'] as const,
  ofList: (listId: string) => ['runs', 'list', listId] as const,
};

/** The newest run of each of the user's lists, by list id. */
export const newestRunsQuery = () =>
  queryOptions({
    queryKey: runKeys.newest,
    queryFn: async ({ signal }): Promise<Record<string, Run>> => {
      const { runs } = await callApi(listRuns, { signal });
      const newest: Record<string, Run> = {};
      for (const run of runs) if (run.listId !== null) newest[run.listId] ??= run;
      return newest;
    },
  });

/** All runs of one list, newest first. Read every second while `following`. */
export const runsOfListQuery = (listId: string, following: boolean) =>
  queryOptions({
    queryKey: runKeys.ofList(listId),
    queryFn: async ({ signal }): Promise<Run[]> =>
      (await callApi(listRuns, { query: { list_id: listId }, signal })).runs,
    refetchInterval: following ? FOLLOW_MS : false,
  });
