import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseGone } from '#db/connection/database-gone.ts';

const PATIENCE_MS = 60_000;
const PAUSE_MS = 250;

/**
 * Repeats `work` while the database cannot be reached, for up to 60 s: for what must not be lost, such as an answer that was paid for.
 * - `work` must be repeatable: a commit whose confirmation was lost may have happened.
 * - `givenUp`: ends the repeats when it aborts.
 */
export async function throughOutage<T>(work: () => Promise<T>, givenUp?: AbortSignal): Promise<T> {
  for (const until = Date.now() + PATIENCE_MS; ; await sleep(PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseGone(error) || Date.now() > until || givenUp?.aborted) throw error;
    }
  }
}
