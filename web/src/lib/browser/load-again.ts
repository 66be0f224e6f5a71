/** How long after a failure it is tried again, in ms: a connection that broke is mostly back by then. */
const PAUSES_MS = [1_000, 3_000, 10_000, 30_000];

/**
 * Imports a part of the page that can wait.
 * @throws what the last try threw
 */
export async function loadAgain<Part>(load: () => Promise<Part>): Promise<Part> {
  let next = load;
  for (const [tried, pause] of PAUSES_MS.entries()) {
    try {
      return await next();
    } catch (error) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      const address = addressIn(error);
      next = address === undefined ? load : () => import(/* @vite-ignore */ `${address}?again=${tried + 1}`);
    }
  }
  return next();
}

/** Which file of this site could not be had. Browsers remember that, so it has to be asked for by another address. */
function addressIn(error: unknown): string | undefined {
  const address = error instanceof TypeError ? /https?:\S+\.js/.exec(error.message)?.[0] : undefined;
  return address?.startsWith(`${window.location.origin}/`) ? address : undefined;
}
