import { keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query';
import type { AreaSearch } from '#contract/work/search/areas.ts';
import { leavesEndpoint } from '#contract/work/search/coverage.ts';
import type { SurveyCount } from '#contract/work/search/surveys.ts';
import { COUNTS_KEY } from '#web/features/search/api.ts';
import { callApi } from '#web/lib/backend/api-client.ts';

/** How often the leaves of a survey that counts are drawn, in ms. */
const LEAVES_EVERY_MS = 3000;

/** The leaves of a survey as far as it is. `parts`: how many it has; none are read before there are some. */
export const leavesQuery = (
  search: AreaSearch | undefined,
  { state, leaves: parts }: Pick<SurveyCount, 'state' | 'leaves'>,
) =>
  queryOptions({
    queryKey: [...COUNTS_KEY, 'leaves', search, state],
    queryFn: search && parts > 0 ? ({ signal }) => callApi(leavesEndpoint, { body: search, signal }) : skipToken,
    refetchInterval: state === 'counting' ? LEAVES_EVERY_MS : false,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
