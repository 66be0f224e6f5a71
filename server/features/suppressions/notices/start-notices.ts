import type { Deps } from '#server/deps.ts';
import { mailOwners } from './mail-owners.ts';

const EVERY_MS = 60_000;

/** Looks now and every minute, in any number of processes. `stop` ends a look under way. */
export function startSuppressionNotices(deps: Pick<Deps, 'db' | 'sendMail' | 'siteUrl' | 'log'>): {
  stop(): Promise<void>;
} {
  const stopping = new AbortController();
  let looking: Promise<void> | undefined;
  const look = () => {
    looking ??= mailOwners(deps, stopping.signal)
      .catch((error: unknown) =>
        deps.log.warn({ err: error }, 'past exports could not be compared with the suppression list'),
      )
      .finally(() => {
        looking = undefined;
      });
  };
  const timer = setInterval(look, EVERY_MS);
  look();
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await looking;
    },
  };
}
