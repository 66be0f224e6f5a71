import { LIVE_BEAT_MS, LiveMessage, liveChanges } from '#contract/live.ts';
import { openStream } from '#web/lib/api-client.ts';
import { ApiError } from '#web/lib/api-error.ts';
import { readEvents } from '#web/lib/read-events.ts';

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** Who is refused (a session that has ended, too many streams) waits as long as after so many failures. */
const REFUSED = 6;
/** A way that lets nothing through for this long, in ms, is given up: a proxy that buffers, a connection that died silently. */
const FIRST_SILENCE_MS = 10_000;
const SILENCE_MS = 2.25 * LIVE_BEAT_MS;

export type Follower = {
  onMessage(message: LiveMessage): void;
  /** Called every now and then while there is nothing to tell. */
  onBeat(): void;
  /** The stream has broken, or could not be had. It is tried again. */
  onDown(): void;
};

/** Keeps a stream of what happens to the user's lists open until `signal` aborts; waits longer from failure to failure. */
export async function followStream({ onMessage, onBeat, onDown }: Follower, signal: AbortSignal): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    const attempt = new AbortController();
    let silence = setTimeout(() => attempt.abort(), FIRST_SILENCE_MS);
    try {
      const body = await openStream(liveChanges.path, AbortSignal.any([signal, attempt.signal]));
      for await (const data of readEvents(body)) {
        clearTimeout(silence);
        silence = setTimeout(() => attempt.abort(), SILENCE_MS);
        failures = 0;
        if (data === '') onBeat();
        else onMessage(LiveMessage.parse(JSON.parse(data)));
      }
    } catch (error) {
      // However else it ended, the next attempt says more.
      if (error instanceof ApiError && error.kind === 'http') failures = REFUSED;
    }
    clearTimeout(silence);
    attempt.abort();
    if (signal.aborted) return;
    onDown();
    failures += 1;
    await wait(waitMs(failures), signal);
  }
}

/** Doubled from time to time, and never the same for everybody: after a restart all pages come back at once. */
const waitMs = (failures: number): number =>
  Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1)) * (0.5 + Math.random() / 2);

/** Less long when the browser is online again. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    window.addEventListener('online', done);
    signal.addEventListener('abort', done);
  });
}
