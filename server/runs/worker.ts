import type { Kinds, RunDeps } from './run-context.ts';
import { createRunner } from './runner.ts';
import { startWatchdog } from './watchdog.ts';

export type Worker = {
  /** Resolves when requests that were sent have come back and their answers are stored; other processes continue the runs. */
  stop(): Promise<void>;
};

/** Works on announced runs in this process (ROLE `all` and `worker`), and watches over stuck ones. */
export async function startWorker(deps: RunDeps, kinds: Kinds): Promise<Worker> {
  const runner = createRunner(deps, kinds);
  await deps.queue.work(() => runner.wakeInTurn());
  const watchdog = startWatchdog(deps, kinds, runner);
  return {
    async stop() {
      await watchdog.stop();
      const stopped = runner.stop();
      await deps.queue.stopWork();
      await stopped;
    },
  };
}
