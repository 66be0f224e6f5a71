import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { executeRun } from './execute-run.ts';
import type { Kinds, RunDeps } from './run-context.ts';
import { RunStopped } from './run-stopped.ts';

/** Runs that one process works on at the same time. They mostly wait for providers. */
const RUNS_AT_ONCE = 16;
/** Longer than any answer but the slowest: what is still out then is sorted out by whoever continues the run. */
const STOP_PATIENCE_MS = 20_000;

/** Works on runs in this process. */
export type Runner = {
  /** Resolves when the run has a place, which is not yet its end. */
  take(runId: string): Promise<void>;
  /** Begins nothing new, lets requests that were sent come back, gives the runs back and resolves. */
  stop(): Promise<void>;
};

export function createRunner(deps: RunDeps, kinds: Kinds): Runner {
  const owner = randomUUID();
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  return {
    async take(runId) {
      while (running.size >= RUNS_AT_ONCE) await Promise.race(running);
      const work: Promise<void> = executeRun(deps, kinds, runId, owner, stopping.signal)
        .catch((error: unknown) => deps.log.error({ err: error, runId }, 'run left to its lease'))
        .finally(() => running.delete(work));
      running.add(work);
    },
    async stop() {
      stopping.abort(new RunStopped('interrupted'));
      await Promise.race([Promise.all(running), sleep(STOP_PATIENCE_MS, undefined, { ref: false })]);
    },
  };
}
