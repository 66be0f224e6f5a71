/**
 * For `onCloseAutoFocus`: leaves the focus where someone has moved it since the overlay went.
 * Radix returns the focus by a timer, and keys that are pressed meanwhile come first on a busy machine. An element with a
 * tab index of -1, such as a dialog's own, has only caught the focus.
 */
export function keepNewFocus(event: Event): void {
  const focused = document.activeElement;
  if (focused instanceof HTMLElement && focused !== document.body && focused.tabIndex >= 0) event.preventDefault();
}
