import { useState, useSyncExternalStore } from 'react';

let pressed = false;
let release: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function setPressed(next: boolean): void {
  clearTimeout(release);
  pressed = next;
  for (const listener of listeners) listener();
}
const press = () => setPressed(true);
const letGo = () => {
  clearTimeout(release);
  // The click comes right after the release.
  release = setTimeout(() => setPressed(false));
};
window.addEventListener('pointerdown', press, { capture: true });
for (const end of ['pointerup', 'pointercancel']) window.addEventListener(end, letGo, { capture: true });

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Resolves once no pointer is pressed and the click that it made was handled. */
export function pressEnds(): Promise<void> {
  if (!pressed) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = subscribe(() => {
      if (pressed) return;
      stop();
      resolve();
    });
  });
}

/** `value`, or what it was when a pointer went down, until the click is handled. What it moves does not slip from under a click. */
export function useAfterPress<T>(value: T): T {
  const isPressed = useSyncExternalStore(subscribe, () => pressed);
  const [held, setHeld] = useState(value);
  if (!isPressed && held !== value) setHeld(value);
  return isPressed ? held : value;
}
