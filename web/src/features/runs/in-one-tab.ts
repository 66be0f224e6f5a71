/** How long hidden tabs let those in front go first, and how long no one else gets a turn, in ms. */
const HIDDEN_WAIT_MS = 500;
const TURN_MS = 10_000;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Does something in one tab of the browser only: of all tabs that want to within some seconds, the first, and one in front before hidden
 * ones. Where there are no locks (pages without TLS), every tab does it. `name` says what it is.
 */
export async function inOneTab(name: string, work: () => void): Promise<void> {
  if (!('locks' in navigator)) return work();
  if (document.hidden) await pause(HIDDEN_WAIT_MS);
  await navigator.locks.request(`fairlead-once:${name}`, { ifAvailable: true }, async (turn) => {
    if (!turn) return;
    work();
    await pause(TURN_MS);
  });
}
