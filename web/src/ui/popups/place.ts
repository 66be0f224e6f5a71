/** The way down from the body to an element, by the numbers of the children. */
export function pathTo(element: Element): number[] {
  const path: number[] = [];
  for (let at = element; at.parentElement && at !== document.body; at = at.parentElement)
    path.unshift([...at.parentElement.children].indexOf(at));
  return path;
}

/** The element that stands there now, if it is of that kind. */
export function placeAt(path: readonly number[], tagName: string): HTMLElement | undefined {
  let at: Element | undefined = document.body;
  for (const index of path) at = at?.children[index];
  return at instanceof HTMLElement && at.tagName === tagName ? at : undefined;
}

let restoring = false;

/** Whether the focus is being put back: no one asked for what a focus opens. */
export const isRestoringFocus = (): boolean => restoring;

/** Puts the focus back where it was. */
export function restoreFocus(element: HTMLElement | undefined): void {
  restoring = true;
  element?.focus({ preventScroll: true });
  restoring = false;
}
