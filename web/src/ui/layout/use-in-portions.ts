import { startTransition, useEffect, useState } from 'react';

/**
 * The part of `items` to draw now: one portion at first and one more at a time, in the background, so that many of them
 * never block the page. `whole`: all at once, for what was here before the page was, so that its scrolling finds its place.
 */
export function useInPortions<T>(
  items: readonly T[],
  { whole, portion }: { whole: boolean; portion: number },
): readonly T[] {
  const [count, setCount] = useState(portion);
  const isPart = !whole && count < items.length;
  useEffect(() => {
    if (!isPart) return;
    // Each is painted before the next one is drawn: two in one frame would block the page for as long as both take.
    const frame = requestAnimationFrame(() => startTransition(() => setCount(count + portion)));
    return () => cancelAnimationFrame(frame);
  }, [isPart, count, portion]);
  return isPart ? items.slice(0, count) : items;
}
