import { useQuery } from '@tanstack/react-query';
import type { AreaSearch } from '#contract/work/search/areas.ts';
import { useLookUp } from '#web/features/search/api.ts';
import type { PriceLine } from '#web/lib/format/price-line.ts';
import { areaCountQuery, useSurvey } from './area-api.ts';
import { areaPriceLine } from './area-count-text.ts';

/** How many businesses an area holds and what they cost at most, once its survey is done. Nothing is asked without a search. */
export function useAreaCount(search: AreaSearch | undefined) {
  const query = useQuery(areaCountQuery(search));
  const survey = useSurvey(search);
  const lookUp = useLookUp({ onFound: () => survey.begin.mutate('on') });
  const line: PriceLine = areaPriceLine(query);
  return { search, query, survey, lookUp, line };
}

export type AreaCount = ReturnType<typeof useAreaCount>;
