import { isMissingFile, reloadIfNewer } from './reload-if-newer.ts';

/** How long after a failure it is tried again, in ms: a connection that broke is mostly back by then. */
const PAUSES_MS = [1_000, 3_000, 10_000, 30_000];

/**
 * Imports a part of the page, again where it cannot be had at first. Where an update has replaced its file, the page reloads.
 * @throws what the last try threw
 */
export async function loadAgain<Part>(load: () => Promise<Part>): Promise<Part> {
  let next = load;
  for (const [tried, pause] of PAUSES_MS.entries()) {
    try {
      return await next();
    } catch (error) {
      if (tried === 0 && isMissingFile(error)) void reloadIfNewer();
      await untilOnline(pause);
      const address = addressIn(error);
      next = address === undefined ? load : () => import(/* @vite-ignore */ `${address}?again=${tried + 1}`);
    }
  }
  return next();
}

/** Waits until the network is back, at most so long, in ms. */
function untilOnline(mostMs: number): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      window.clearTimeout(timer);
      window.removeEventListener('online', go);
      resolve();
    };
    const timer = window.setTimeout(go, mostMs);
    window.addEventListener('online', go);
  });
}

/** Which file of this site could not be had. Browsers remember that, so it has to be asked for by another address. */
function addressIn(error: unknown): string | undefined {
  const address = error instanceof TypeError ? /https?:\S+\.js/.exec(error.message)?.[0] : undefined;
  return address?.startsWith(`${window.location.origin}/`) ? address : undefined;
}
