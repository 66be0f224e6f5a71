import { MOST_PLACES } from '#contract/work/search/surveys.ts';

/** How far a survey goes. `places`: it stops once it has found this many. */
export const SURVEY_LIMITS = { places: MOST_PLACES };
