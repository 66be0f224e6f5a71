import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { RunStopped } from '#server/paid-calls/run-stopped.ts';
import { executeNextRun } from './execute-run.ts';
import type { Kinds, RunDeps } from './run-context.ts';

/** Runs that one process works on at the same time. They mostly wait for providers. */
const RUNS_AT_ONCE = 64;
/** How long a stop waits for answers, in ms. The process that continues the run sorts out what is still in flight then. */
const STOP_PATIENCE_MS = 20_000;

/** Works on runs in this process. The database decides which ones. */
export type Runner = {
  /** Takes waiting runs, as long as there are any and this process has room for them. */
  wake(): void;
  /** Does the same, and resolves once this process had room to ask for a run. */
  wakeInTurn(): Promise<void>;
  /** Begins nothing new, lets requests that were sent come back, gives the runs back and resolves. */
  stop(): Promise<void>;
};

export function createRunner(deps: RunDeps, kinds: Kinds): Runner {
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  function wake(): void {
    if (stopping.signal.aborted || running.size >= RUNS_AT_ONCE) return;
    // Each claim has its own owner. A process that takes back a run it had lost then ends its earlier work,
    // as if another process had the run.
    const work: Promise<void> = executeNextRun(deps, kinds, randomUUID(), stopping.signal, (othersWait) => {
      if (othersWait) wake();
    })
      .catch((error: unknown) => {
        deps.log.error({ err: error }, 'run left until its lease expires');
        return false;
      })
      .then((othersWait) => {
        running.delete(work);
        if (othersWait) wake();
      });
    running.add(work);
  }
  return {
    wake,
    async wakeInTurn() {
      while (running.size >= RUNS_AT_ONCE) await Promise.race(running);
      wake();
    },
    async stop() {
      stopping.abort(new RunStopped('interrupted'));
      await Promise.race([Promise.all(running), sleep(STOP_PATIENCE_MS, undefined, { ref: false })]);
    },
  };
}
