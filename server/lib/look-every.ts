import type { Logger } from 'pino';

/** Work that is looked for again and again. `stop` ends the look under way, and waits for it. */
export type Looking = { stop(): Promise<void> };

/**
 * Looks now and every `everyMs`, one look at a time. Many processes may do so at once.
 * - `trouble`: what the log says of a look that failed. The next one comes all the same.
 */
export function lookEvery(
  everyMs: number,
  look: (stopping: AbortSignal) => Promise<unknown>,
  { log, trouble }: { log: Pick<Logger, 'warn'>; trouble: string },
): Looking {
  const stopping = new AbortController();
  let looking: Promise<unknown> | undefined;
  const start = () => {
    looking ??= look(stopping.signal)
      .catch((error: unknown) => log.warn({ err: error }, trouble))
      .finally(() => {
        looking = undefined;
      });
  };
  const timer = setInterval(start, everyMs);
  start();
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await looking;
    },
  };
}
