import { readOfSession, writeOfSession } from '#web/lib/storage/storage.ts';

const KEY = 'call-sheet';

let claimed: Promise<string> | undefined;

/** Keeps an id to this page until it is closed. Returns false while another page has it. */
function hold(id: string): Promise<boolean> {
  return new Promise((resolve) => {
    const held = navigator.locks.request(`fairlead-call-sheet:${id}`, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock ? new Promise<void>(() => undefined) : undefined;
    });
    held.catch(() => resolve(false));
  });
}

/** This tab's id as a call sheet, the same after a reload. A copy of the tab, which copies its storage too, gets another. */
export function sheetSession(): Promise<string> {
  claimed ??= (async () => {
    const known = readOfSession(KEY);
    if (known && (await hold(known))) return known;
    const fresh = crypto.randomUUID();
    writeOfSession(KEY, fresh);
    await hold(fresh);
    return fresh;
  })();
  return claimed;
}
