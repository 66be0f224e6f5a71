import { type Looking, lookEvery } from '#server/lib/look-every.ts';
import { type SweepDeps, sweepDaily } from './sweep-daily.ts';

/** How often a process asks whether the day's sweep is due, in ms. */
const ASK_EVERY_MS = 10 * 60_000;

/** Sweeps when a day is over. `stop` ends a sweep under way after its present step. */
export const startDailySweep = (deps: SweepDeps): Looking =>
  lookEvery(ASK_EVERY_MS, (stopping) => sweepDaily(deps, stopping), {
    log: deps.log,
    trouble: 'the daily sweep was not finished',
  });
