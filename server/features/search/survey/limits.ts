import { MOST_PLACES } from '#contract/work/surveys.ts';

/** How far a survey goes. `places`: it stops once it has found as many. */
export const SURVEY_LIMITS = { places: MOST_PLACES };
