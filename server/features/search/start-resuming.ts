import type { Deps } from '#server/deps.ts';
import { type Looking, lookEvery } from '#server/lib/look-every.ts';
import { resumeSearches } from './all/resume-searches.ts';
import { resumeSurveys } from './survey/resume-surveys.ts';

const EVERY_MS = 60_000;

/** Resumes counts and searches that waited for another day, once they are due. */
export const startResuming = (deps: Pick<Deps, 'db' | 'queue' | 'log'>): Looking =>
  lookEvery(EVERY_MS, () => Promise.all([resumeSurveys(deps), resumeSearches(deps)]), {
    log: deps.log,
    trouble: 'surveys and searches could not be continued',
  });
