import { useRef } from 'react';

/** What opened an overlay. An item of a menu goes with its menu, so it is the menu's button then. */
function openerOf(focused: Element | null): HTMLElement | null {
  const menu = focused?.closest('[role=menu]');
  if (menu) return document.getElementById(menu.getAttribute('aria-labelledby') ?? '');
  return focused instanceof HTMLElement ? focused : null;
}

/** The sections around an element, and the page; the innermost first. */
function placesOf(element: HTMLElement | null): HTMLElement[] {
  const places: HTMLElement[] = [];
  for (let at = element; at; at = at.parentElement) if (at.matches('section, main')) places.push(at);
  return places;
}

/**
 * Handlers for the content of a Radix overlay that has no trigger of its own: on closing, the focus goes back to the opener, or
 * to the section that it stood in when what was done has taken the opener away.
 */
export function useFocusReturn() {
  const opener = useRef<HTMLElement>(null);
  const places = useRef<HTMLElement[]>([]);
  return {
    onOpenAutoFocus: () => {
      opener.current = openerOf(document.activeElement);
      places.current = placesOf(opener.current);
    },
    onCloseAutoFocus: (event: Event) => {
      if (opener.current?.isConnected) {
        event.preventDefault();
        opener.current.focus();
        return;
      }
      const place = places.current.find(({ isConnected }) => isConnected);
      if (!place) return;
      event.preventDefault();
      if (!place.hasAttribute('tabindex')) place.tabIndex = -1;
      place.focus({ preventScroll: true });
    },
  };
}
