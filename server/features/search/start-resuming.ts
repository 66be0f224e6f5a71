import type { Deps } from '#server/deps.ts';
import { resumeSearches } from './all/resume-searches.ts';
import { resumeSurveys } from './survey/resume-surveys.ts';

const EVERY_MS = 60_000;

/** Looks now and every minute, in any number of processes that answer browsers. `stop` waits for the look under way. */
export function startResuming(deps: Pick<Deps, 'db' | 'queue' | 'log'>): { stop(): Promise<void> } {
  let looking: Promise<void> | undefined;
  const look = () => {
    looking ??= Promise.all([resumeSurveys(deps), resumeSearches(deps)])
      .then(() => undefined)
      .catch((error: unknown) => deps.log.warn({ err: error }, 'surveys and searches could not be continued'))
      .finally(() => {
        looking = undefined;
      });
  };
  const timer = setInterval(look, EVERY_MS);
  look();
  return {
    async stop() {
      clearInterval(timer);
      await looking;
    },
  };
}
