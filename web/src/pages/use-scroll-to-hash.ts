import { useEffect } from 'react';
import { useLocation } from 'react-router';

/** Brings the part of a page that the address names into view, once what stands above it has its height. */
export function useScrollToHash(ready: boolean): void {
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for each visit of the address, also of the same one.
  useEffect(() => {
    if (ready && hash) document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView();
  }, [ready, hash, key]);
}
