import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { RunStopped } from '#server/paid-calls/run-stopped.ts';
import { executeNextRun } from './execute-run.ts';
import type { Kinds, RunDeps } from './run-context.ts';

/** Runs that one process works on at the same time. They mostly wait for providers. */
const RUNS_AT_ONCE = 64;
/** Longer than any answer but the slowest: what is still out then is sorted out by the process that continues the run. */
const STOP_PATIENCE_MS = 20_000;

/** Works on runs in this process. Which ones is decided by the database. */
export type Runner = {
  /** Takes runs that wait, for as long as there are some and places for them. */
  wake(): void;
  /** The same, and resolves when there was a place to ask with. */
  wakeInTurn(): Promise<void>;
  /** Begins nothing new, lets requests that were sent come back, gives the runs back and resolves. */
  stop(): Promise<void>;
};

export function createRunner(deps: RunDeps, kinds: Kinds): Runner {
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  function wake(): void {
    if (stopping.signal.aborted || running.size >= RUNS_AT_ONCE) return;
    // An owner for each: a process that takes back a run it had lost ends what it did with it before, as if another had it.
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
