import { type ComponentType, useEffect, useState } from 'react';
import { whenQuiet } from '#web/lib/query/when-quiet.ts';

/** How long after a part did not arrive it is asked for again, in ms. */
const AGAIN_MS = 15_000;

/** Follows the work of other tabs and pages. Its code is fetched once the page stands, and until it has come. */
export function FollowingAfterQuiet() {
  const [Following, setFollowing] = useState<ComponentType>();
  useEffect(() => {
    let timer: number | undefined;
    let isGone = false;
    const load = async () => {
      try {
        const part = await import('./following.tsx');
        if (!isGone) setFollowing(() => part.Following);
      } catch {
        if (!isGone) timer = window.setTimeout(() => void load(), AGAIN_MS);
      }
    };
    void whenQuiet().then(load);
    return () => {
      isGone = true;
      window.clearTimeout(timer);
    };
  }, []);
  return Following ? <Following /> : null;
}
