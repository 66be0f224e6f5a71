import { runWorkOf } from '#contract/work/run-work.ts';
import type { Run } from '#contract/work/runs.ts';
import { wordsOf } from './work-words.ts';

/** Runs that took longer than this, in ms, are worth telling of when one has turned to something else. */
const LONG_RUN_MS = 10_000;

/** `info`: it went through, but brought nothing. */
export type RunEnd = { run: Run; tone: 'success' | 'info' | 'error'; title: string };

/** The long runs that ended at `since` (ISO) or later, oldest first. One that was cancelled is no news to the person who did it. */
export function longRunEnds(runs: readonly Run[], since: string): RunEnd[] {
  const from = Date.parse(since);
  return runs
    .filter(({ state, createdAt, finishedAt }) => {
      if (finishedAt === null || (state !== 'completed' && state !== 'failed')) return false;
      const end = Date.parse(finishedAt);
      return end >= from && end - Date.parse(createdAt) > LONG_RUN_MS;
    })
    .map((run): RunEnd => {
      if (run.state === 'failed') return { run, tone: 'error', title: wordsOf(run).failed };
      const nothing = broughtNothing(run);
      return nothing ? { run, tone: 'info', title: nothing } : { run, tone: 'success', title: wordsOf(run).complete };
    })
    .toReversed();
}

/** What a run that went through without a result is told as. */
function broughtNothing(run: Run): string | undefined {
  const { kind, search, enrichment, compliance } = run;
  if (kind === 'search' && search?.kept === 0) return 'No leads found';
  if (kind === 'compliance' && compliance?.safe === 0 && compliance.flagged === 0) return 'Nothing could be checked';
  if (runWorkOf(run) === 'verification' && enrichment?.emailsToVerify === 0) return 'No emails needed checking';
  return undefined;
}
