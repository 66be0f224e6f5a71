import type { Run } from '#contract/work/runs.ts';
import { ALL_RESULTS } from '#contract/work/search/areas.ts';

/** Whether a list was searched for all businesses of an area, and so has a certificate. */
export const isOfArea = (runs: readonly Run[] = []): boolean =>
  runs.some(({ searchFor }) => searchFor?.maxResults === ALL_RESULTS);
