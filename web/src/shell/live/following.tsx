import { LiveLists } from './live-lists.tsx';
import { RunWatch } from './run-watch.tsx';
import { UnsentCalls } from './unsent-calls.tsx';

/** What follows the work of other tabs and pages, and sends what an earlier page could not. It comes once the page stands. */
export function Following() {
  return (
    <>
      <LiveLists />
      <RunWatch />
      <UnsentCalls />
    </>
  );
}
