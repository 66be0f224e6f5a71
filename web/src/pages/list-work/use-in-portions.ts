import { startTransition, useEffect, useState } from 'react';

/** How many are drawn at a time: what a phone shows, or a row of a wide screen. */
const PORTION = 3;

/**
 * The part of `items` to draw now: one portion at first and one more at a time, in the background, so that many of them
 * never block the page. `whole`: all at once, for what was here before the page was, so that its scrolling finds its place.
 */
export function useInPortions<T>(items: readonly T[], { whole }: { whole: boolean }): readonly T[] {
  const [count, setCount] = useState(whole ? Number.POSITIVE_INFINITY : PORTION);
  const isPart = count < items.length;
  useEffect(() => {
    if (isPart) startTransition(() => setCount(count + PORTION));
  }, [isPart, count]);
  return isPart ? items.slice(0, count) : items;
}
