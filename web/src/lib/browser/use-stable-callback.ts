import { useCallback, useLayoutEffect, useRef } from 'react';

/** The same function at each render, which calls the `callback` of the last one: what it is handed to is not drawn again. */
export function useStableCallback<Args extends unknown[], Result>(
  callback: (...args: Args) => Result,
): (...args: Args) => Result {
  const latest = useRef(callback);
  useLayoutEffect(() => {
    latest.current = callback;
  });
  return useCallback((...args: Args) => latest.current(...args), []);
}
