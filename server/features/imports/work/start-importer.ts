import { randomUUID } from 'node:crypto';
import type { Deps } from '#server/deps.ts';
import { executeNextImport } from './execute-import.ts';

/** Notifications wake a process; this catches what a lost one, or a dead process, left behind. */
const EVERY_MS = 2_000;
/** Files that one process works on at a time. They keep the database busy. */
const AT_ONCE = 2;

/** Works on imports that were started, in any number of processes. `stop` ends behind the present part and gives them back. */
export function startImporter(deps: Pick<Deps, 'db' | 'log' | 'notifications'>): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const working = new Set<Promise<void>>();
  const wake = () => {
    if (stopping.signal.aborted || working.size >= AT_ONCE) return;
    let found = false;
    const work: Promise<void> = executeNextImport(deps, randomUUID(), stopping.signal)
      .then((was) => {
        found = was;
      })
      .catch((error: unknown) => deps.log.warn({ err: error }, 'imports could not be looked for'))
      .finally(() => {
        working.delete(work);
        if (found) wake();
      });
    working.add(work);
  };
  const timer = setInterval(wake, EVERY_MS);
  const forget = deps.notifications.on('import_waits', wake);
  wake();
  return {
    async stop() {
      clearInterval(timer);
      forget();
      stopping.abort();
      await Promise.all(working);
    },
  };
}
