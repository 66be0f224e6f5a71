import { setTimeout as sleep } from 'node:timers/promises';

const LIMIT_MS = 30_000;
const START_PATIENCE_MS = 5_000;

/** What has been started and must be stopped, newest first. */
export type Shutdown = {
  /** Remembers how to stop a part, and how many ms more than usual that may take. Call it right after the part is up. */
  add(stop: () => Promise<unknown>, extraMs?: number): void;
  /** Stops all parts in reverse order and ends the process. Only the first call counts: a terminal's Ctrl-C arrives more than once. */
  run(exitCode: number): Promise<void>;
};

/**
 * Stops the parts and ends the process, in any case after 30 s and what parts have asked for beside that.
 * - `started`: waited for a little first, so that a part that is just coming up is stopped too.
 * - `onError`: hears of a part that cannot be stopped. It does not keep the others up.
 */
export function createShutdown(started: () => Promise<unknown>, onError: (error: unknown) => void): Shutdown {
  const stops: (() => Promise<unknown>)[] = [];
  let limitMs = LIMIT_MS;
  let running: Promise<void> | undefined;
  const stopAll = async (exitCode: number) => {
    setTimeout(() => process.exit(1), limitMs).unref();
    await Promise.race([started().catch(() => {}), sleep(START_PATIENCE_MS)]);
    for (const stop of stops.reverse()) await stop().catch(onError);
    process.exit(exitCode);
  };
  return {
    add(stop, extraMs = 0) {
      stops.push(stop);
      limitMs += extraMs;
    },
    run(exitCode) {
      running ??= stopAll(exitCode);
      return running;
    },
  };
}
