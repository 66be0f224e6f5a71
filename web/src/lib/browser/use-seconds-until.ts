import { useEffect, useState } from 'react';

/** Whole seconds until `at` (in ms since 1970), counted down; 0 from then on. */
export function useSecondsUntil(at: number): number {
  const [now, setNow] = useState(() => Date.now());
  const left = Math.max(0, Math.ceil((at - now) / 1000));
  const isWaiting = left > 0;
  useEffect(() => {
    setNow(Date.now());
    if (!isWaiting) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isWaiting]);
  return left;
}
