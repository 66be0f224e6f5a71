import { type PullDeps, pullOptOuts } from './pull-opt-outs.ts';

/** So that a press of the button shows. */
const EVERY_MS = 5_000;

/** Asks now and every few seconds whether a pull is due, in any number of processes. `stop` leaves one under way to another. */
export function startCrmPull(deps: PullDeps): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let pulling: Promise<unknown> | undefined;
  const look = () => {
    pulling ??= pullOptOuts(deps, stopping.signal)
      .catch((error: unknown) => deps.log.warn({ err: error }, 'the opt-outs of the CRM could not be pulled'))
      .finally(() => {
        pulling = undefined;
      });
  };
  const timer = setInterval(look, EVERY_MS);
  look();
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await pulling;
    },
  };
}
