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
