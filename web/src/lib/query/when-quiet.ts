import { isReading } from './query-client.ts';

/** How long nothing may be read before the page counts as standing, how often that is looked at, and the longest wait, in ms. */
const [QUIET_MS, LOOK_EVERY_MS, PATIENCE_MS] = [200, 50, 10_000];

let quiet: Promise<void> | undefined;

/**
 * Resolves once the page stands: it shows its main part and has read what it shows, or someone has begun to use it. What
 * is fetched only then delays neither.
 */
export function whenQuiet(): Promise<void> {
  quiet ??= new Promise((resolve) => {
    const begun = Date.now();
    let since = begun;
    const look = setInterval(() => {
      const now = Date.now();
      if (document.readyState !== 'complete' || !document.querySelector('main') || isReading() || isWaiting())
        since = now;
      if (now - since >= QUIET_MS || now - begun >= PATIENCE_MS) done();
    }, LOOK_EVERY_MS);
    const done = () => {
      clearInterval(look);
      for (const event of USES) window.removeEventListener(event, done, true);
      resolve();
    };
    for (const event of USES) window.addEventListener(event, done, { capture: true, passive: true });
  });
  return quiet;
}

/** Whether something is still to come: before a session is known, nothing is read yet. */
const isWaiting = () => document.querySelector('main [data-skeleton]') !== null;

const USES = ['pointerdown', 'keydown'] as const;
