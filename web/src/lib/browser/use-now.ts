import { useEffect, useState } from 'react';

const MINUTE_MS = 60_000;

/** The time in ms, once a minute: what is shown relative to it must not depend on when something else renders. */
export function useNow(everyMs = MINUTE_MS): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
