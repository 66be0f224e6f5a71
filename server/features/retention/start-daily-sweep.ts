import { type SweepDeps, sweepDaily } from './sweep-daily.ts';

/** How often a process asks whether the day's sweep is due, in ms. */
const ASK_EVERY_MS = 10 * 60_000;

/** Asks now, and every ten minutes, in any number of processes. `stop` ends a sweep under way after its present step. */
export function startDailySweep(deps: SweepDeps): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let asking: Promise<unknown> | undefined;
  const ask = () => {
    asking ??= sweepDaily(deps, stopping.signal)
      .catch((error: unknown) => deps.log.warn({ err: error }, 'the daily sweep was not finished'))
      .finally(() => {
        asking = undefined;
      });
  };
  const timer = setInterval(ask, ASK_EVERY_MS);
  ask();
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await asking;
    },
  };
}
