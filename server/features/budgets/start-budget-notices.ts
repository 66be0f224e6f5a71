import type { Deps } from '#server/deps.ts';
import { mailNotices } from './mail-notices.ts';

const EVERY_MS = 60_000;

/** Looks now and every minute, in any number of processes. `stop` waits for the look under way. */
export function startBudgetNotices(deps: Pick<Deps, 'db' | 'sendMail' | 'siteUrl' | 'log'>): { stop(): Promise<void> } {
  let looking: Promise<void> | undefined;
  const look = () => {
    looking ??= mailNotices(deps)
      .catch((error: unknown) => deps.log.warn({ err: error }, 'budgets could not be checked'))
      .finally(() => {
        looking = undefined;
      });
  };
  const timer = setInterval(look, EVERY_MS);
  look();
  return {
    async stop() {
      clearInterval(timer);
      await looking;
    },
  };
}
