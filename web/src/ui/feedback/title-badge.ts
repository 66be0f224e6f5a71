const BADGE = /^\(\d+\) /;
let unseen = 0;

/** Counts one more piece of news in the title of a hidden tab, until the tab is looked at. */
export function badgeTitle(): void {
  if (!document.hidden) return;
  if (unseen === 0) document.addEventListener('visibilitychange', clear, { once: true });
  unseen += 1;
  document.title = `(${unseen}) ${document.title.replace(BADGE, '')}`;
}

function clear(): void {
  unseen = 0;
  document.title = document.title.replace(BADGE, '');
}
