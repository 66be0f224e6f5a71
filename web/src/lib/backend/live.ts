let live = false;

/** Whether this page is told of what happens to lists and runs. While it is not, anyone who shows them has to ask. */
export const isLive = (): boolean => live;

export function setLive(next: boolean): void {
  live = next;
}
