import { type FocusEvent, useRef } from 'react';
import { keepNewFocus } from './keep-new-focus.ts';

/** What opened an overlay. An item of a menu goes with its menu, so it is the menu's button then. */
function openerOf(focused: EventTarget | null): HTMLElement | null {
  if (!(focused instanceof HTMLElement)) return null;
  const menu = focused.closest('[role=menu]');
  return menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : focused;
}

/** The sections around an element, and the page; the innermost first. */
function placesOf(element: HTMLElement | null): HTMLElement[] {
  const places: HTMLElement[] = [];
  for (let at = element; at; at = at.parentElement) if (at.matches('section, main')) places.push(at);
  return places;
}

/**
 * Handlers for the content of a Radix overlay that has no trigger of its own. On closing, the focus goes back to the
 * opener. If the opener is gone by then, the focus goes to its section.
 */
export function useFocusReturn() {
  /** While the overlay is open: where the focus was before. */
  const before = useRef<{ opener: HTMLElement | null; places: HTMLElement[] }>(undefined);
  const remember = (focused: EventTarget | null) => {
    if (before.current) return;
    const opener = openerOf(focused);
    before.current = { opener, places: placesOf(opener) };
  };
  return {
    // A field that takes the focus by itself has it before Radix looks, which then does not ask where it shall go.
    onFocusCapture: ({ relatedTarget }: FocusEvent) => remember(relatedTarget),
    onOpenAutoFocus: () => remember(document.activeElement),
    onCloseAutoFocus: (event: Event) => {
      const { opener, places = [] } = before.current ?? {};
      before.current = undefined;
      keepNewFocus(event);
      if (event.defaultPrevented) return;
      if (opener?.isConnected) {
        event.preventDefault();
        opener.focus();
        return;
      }
      const place = places.find(({ isConnected }) => isConnected);
      if (!place) return;
      event.preventDefault();
      if (!place.hasAttribute('tabindex')) place.tabIndex = -1;
      place.focus({ preventScroll: true });
    },
  };
}
