import { type Looking, lookEvery } from '#server/lib/look-every.ts';
import { type PullDeps, pullOptOuts } from './pull-opt-outs.ts';

/** So that a press of the button shows. */
const EVERY_MS = 5_000;

/** Pulls opt-outs when that is due. `stop` leaves a pull under way to another process. */
export const startCrmPull = (deps: PullDeps): Looking =>
  lookEvery(EVERY_MS, (stopping) => pullOptOuts(deps, stopping), {
    log: deps.log,
    trouble: 'the opt-outs of the CRM could not be pulled',
  });
