import { useEffect, useRef } from 'react';

/** At most this often, in ms, however fast the work goes. */
const EVERY_MS = 1000;

/** Reads again what is shown whenever `reached` has become another one. It is undefined until it is known. */
export function useFollow(reached: string | undefined, read: () => Promise<unknown>): void {
  const known = useRef<string>(undefined);
  const readAt = useRef(0);
  const latest = useRef(read);
  latest.current = read;
  useEffect(() => {
    if (reached === undefined || known.current === reached) return;
    if (known.current === undefined) {
      known.current = reached;
      return;
    }
    const follow = () => {
      known.current = reached;
      readAt.current = Date.now();
      void latest.current();
    };
    const timer = setTimeout(follow, Math.max(0, readAt.current + EVERY_MS - Date.now()));
    return () => clearTimeout(timer);
  }, [reached]);
}
