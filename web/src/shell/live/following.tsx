import { LiveLists } from './live-lists.tsx';
import { RunWatch } from './run-watch.tsx';

/** What follows the work of other tabs and pages. It comes once the page stands. */
export function Following() {
  return (
    <>
      <LiveLists />
      <RunWatch />
    </>
  );
}
