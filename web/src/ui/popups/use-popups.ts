import { useEffect, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { pressEnds } from '#web/lib/browser/press.ts';
import { whenQuiet } from '#web/lib/query/when-quiet.ts';
import { pathTo, placeAt, restoreFocus } from './place.ts';

export type Popups = typeof import('./library.ts');

let popups: Popups | undefined;
let loading: Promise<void> | undefined;
let isAsked = false;
const listeners = new Set<() => void>();

/** Fetches what opens over the page. Rejects without a connection; the next call tries again. */
export function loadPopups(): Promise<void> {
  loading ??= import('./library.ts')
    .then(async (library) => {
      // A button that is made again between press and release would lose the click.
      await pressEnds();
      takeOver(library);
    })
    .catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
  return loading;
}

/** The same: fetched once the page stands, and put in place once someone is there for whom it could open. */
function loadLater(): void {
  if (isAsked) return;
  isAsked = true;
  void whenQuiet()
    .then(() => import('./library.ts'))
    .then(() => someone)
    .then(loadPopups)
    .catch(() => {
      isAsked = false; // Not fatal: a press asks for them again.
    });
}

/** Resolves with the first sign of a pointer or a key. A key that presses what has the focus is none: its click would be lost. */
const someone = new Promise<void>((resolve) => {
  const signs = ['pointermove', 'pointerdown', 'keydown'] as const;
  const seen = (event: Event) => {
    if (event instanceof KeyboardEvent && (event.key === 'Enter' || event.key === ' ')) return;
    for (const sign of signs) window.removeEventListener(sign, seen, true);
    resolve();
  };
  for (const sign of signs) window.addEventListener(sign, seen, { capture: true, passive: true });
});

/** Buttons are made again, with what they open: anyone who was at one is put back there. */
function takeOver(library: Popups): void {
  const before = document.activeElement;
  const path = before && before !== document.body ? pathTo(before) : undefined;
  popups = library;
  flushSync(() => {
    for (const listener of listeners) listener();
  });
  if (path && before && !before.isConnected && document.activeElement === document.body)
    restoreFocus(placeAt(path, before.tagName));
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** What opens over the page, once it is here and `wanted`. The first to ask makes it come after the page. */
export function usePopups({ wanted = true } = {}): Popups | undefined {
  const here = useSyncExternalStore(subscribe, () => (wanted ? popups : undefined));
  useEffect(() => {
    if (!popups) loadLater();
  }, []);
  return here;
}
