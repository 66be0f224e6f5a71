import { isMissingFile, reloadIfNewer } from './reload-if-newer.ts';

/** How long after a failure it is tried again, in ms: a connection that broke is mostly back by then. */
const PAUSES_MS = [1_000, 3_000, 10_000, 30_000];

/** No address is asked for twice. */
let addresses = 0;

/**
 * Imports a part of the page, again where it cannot be had at first. Where an update has replaced its file, the page reloads.
 *
 * - `name`: what is wanted of the part.
 * @throws what the last try threw
 */
export async function loadAgain<Part extends object>(
  load: () => Promise<Part>,
  name: keyof NoInfer<Part>,
): Promise<Part> {
  for (const [tried, pause] of PAUSES_MS.entries()) {
    try {
      return await load();
    } catch (error) {
      const part = tried > 0 ? await loadFromElsewhere<Part>(error, name) : undefined;
      if (part) return part;
      if (tried === 0 && isMissingFile(error)) void reloadIfNewer();
      await untilOnline(pause);
    }
  }
  return load();
}

/** Older browsers remember that a file could not be had, so there it has to be asked for by another address. */
async function loadFromElsewhere<Part extends object>(error: unknown, name: keyof Part): Promise<Part | undefined> {
  const address = addressIn(error);
  if (address === undefined) return undefined;
  addresses += 1;
  const file = await import(/* @vite-ignore */ `${address}?again=${addresses}`).catch(() => undefined);
  // A file that holds several parts has names of its own for what is in them.
  return file && name in file ? file : undefined;
}

/** Waits until the network is back, at most so long, in ms. A browser that knows it has none tries nothing until then. */
function untilOnline(mostMs: number): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      window.clearTimeout(timer);
      window.removeEventListener('online', go);
      resolve();
    };
    const timer = navigator.onLine ? window.setTimeout(go, mostMs) : undefined;
    window.addEventListener('online', go);
  });
}

/** Which file of this site could not be had. */
function addressIn(error: unknown): string | undefined {
  const address = error instanceof TypeError ? /https?:\S+\.js/.exec(error.message)?.[0] : undefined;
  return address?.startsWith(`${window.location.origin}/`) ? address : undefined;
}
