/** How long after a failure it is tried again, in ms: a connection that broke is mostly back by then. */
const PAUSES_MS = [1_000, 3_000, 10_000, 30_000];

/** Loads a part of the page that can wait. @throws what the last try threw */
export async function loadAgain<T>(load: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES_MS) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return load();
}
