import { startTransition, useEffect, useState } from 'react';
import { isReading } from './query-client.ts';

/** How often the page is looked at, and the longest that what adds to it waits, in ms. */
const [LOOK_EVERY_MS, PATIENCE_MS] = [16, 2_000];
/** A hidden page draws no frame. */
const FRAME_AT_MOST_MS = 100;

let isDrawn = false;
let drawing: Promise<void> | undefined;

function whenDrawn(): Promise<void> {
  drawing ??= (async () => {
    const begun = Date.now();
    do await pause(LOOK_EVERY_MS);
    while (Date.now() - begun < PATIENCE_MS && isToCome());
    await Promise.race([new Promise(requestAnimationFrame).then(() => pause(0)), pause(FRAME_AT_MOST_MS)]);
    isDrawn = true;
  })();
  return drawing;
}

const isToCome = () =>
  !document.querySelector('main') || isReading() || document.querySelector('main [data-skeleton]') !== null;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Whether the first page shows what it is about. What only adds to it is asked for then: on a slow connection each request takes from what is
 * waited for. Unless `wanted`, nothing is drawn again for it.
 */
export function useDrawn({ wanted = true } = {}): boolean {
  const [drawn, setDrawn] = useState(isDrawn);
  useEffect(() => {
    let active = true;
    if (wanted && !drawn) void whenDrawn().then(() => active && startTransition(() => setDrawn(true)));
    return () => {
      active = false;
    };
  }, [drawn, wanted]);
  return drawn;
}
