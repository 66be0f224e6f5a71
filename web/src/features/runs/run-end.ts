import type { Run, RunKind } from '#contract/runs.ts';

/** Runs that took longer than this, in ms, are worth telling of when one has turned to something else. */
export const LONG_RUN_MS = 10_000;

const COMPLETE: Record<RunKind, string> = {
  search: 'Search complete',
  enrichment: 'Enrichment complete',
  compliance: 'Compliance check complete',
  place: 'Place look-up complete',
};
const FAILED: Record<RunKind, string> = {
  search: 'Search failed',
  enrichment: 'Enrichment failed',
  compliance: 'Compliance check failed',
  place: 'Place look-up failed',
};

export type RunEnd = { run: Run; failed: boolean; title: string };

/** The long runs that ended at `since` (ISO) or later, oldest first. One that was cancelled is no news to whoever did it. */
export function longRunEnds(runs: readonly Run[], since: string): RunEnd[] {
  const from = Date.parse(since);
  return runs
    .filter(({ state, createdAt, finishedAt }) => {
      if (finishedAt === null || (state !== 'completed' && state !== 'failed')) return false;
      const end = Date.parse(finishedAt);
      return end >= from && end - Date.parse(createdAt) > LONG_RUN_MS;
    })
    .map((run) => {
      const failed = run.state === 'failed';
      return { run, failed, title: (failed ? FAILED : COMPLETE)[run.kind] };
    })
    .toReversed();
}

/** One toast for the end of a run, whoever tells of it first. */
export const runToastId = (listId: string, kind: RunKind): string => `run-${listId}-${kind}`;
