import type { Logger } from 'pino';
import type { CrmDesk } from './crm-desk.ts';

const EVERY_MS = 5 * 60_000;

/** Keeps the connection to the CRM alive, from any number of processes. `stop` waits for a refresh under way. */
export function startCrmKeeper({ crm, log }: { crm: CrmDesk; log: Logger }): { stop(): Promise<void> } {
  let looking: Promise<void> | undefined;
  const look = () => {
    looking ??= crm
      .refreshWhenDue()
      .catch((error: unknown) => log.warn({ err: error }, 'the CRM connection could not be refreshed'))
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
