import { queryOptions, skipToken, useMutation, useQueryClient } from '@tanstack/react-query';
import { type AreaSearch, countiesEndpoint } from '#contract/work/search/areas.ts';
import { countAreaEndpoint, countedAreasEndpoint, stopSurveyEndpoint } from '#contract/work/search/surveys.ts';
import { COUNTS_KEY } from '#web/features/search/api.ts';
import { callApi } from '#web/lib/backend/api-client.ts';

const areaCountKey = (search: AreaSearch | undefined) => [...COUNTS_KEY, 'area', search];
/** The counties of the USA, which do not change while a page is open. */
export const countiesQuery = queryOptions({
  queryKey: ['counties'],
  queryFn: ({ signal }) => callApi(countiesEndpoint, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The areas that were counted and not searched yet. */
export const countedAreasQuery = queryOptions({
  queryKey: [...COUNTS_KEY, 'earlier'],
  queryFn: ({ signal }) => callApi(countedAreasEndpoint, { signal }),
  gcTime: 0,
});

/** How often a survey that counts is looked at, in ms. */
const SURVEY_EVERY_MS = 1000;

/** How far the survey of an area is. Nothing begins by asking. */
export const areaCountQuery = (search: AreaSearch | undefined) =>
  queryOptions({
    queryKey: areaCountKey(search),
    queryFn: search
      ? ({ signal }) => callApi(countAreaEndpoint, { body: { ...search, watch: true }, signal })
      : skipToken,
    refetchInterval: ({ state: { data } }) => (data?.state === 'counting' ? SURVEY_EVERY_MS : false),
    gcTime: 0,
  });

/** Begins, continues, repeats and stops the survey of an area. */
export function useSurvey(search: AreaSearch | undefined) {
  const queries = useQueryClient();
  const queryKey = areaCountKey(search);
  const begin = useMutation({
    mutationFn: async (how: 'on' | 'again' | 'large' | 'tomorrow') => {
      if (!search) return;
      await queries.cancelQueries({ queryKey });
      const body = { ...search, ...(how === 'on' ? {} : { [how]: true }) };
      queries.setQueryData(queryKey, await callApi(countAreaEndpoint, { body }));
    },
  });
  const stop = useMutation({
    mutationFn: async () => {
      if (search) await callApi(stopSurveyEndpoint, { body: search });
    },
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });
  return { begin, stop };
}
