import { useEffect, useEffectEvent } from 'react';
import { SWEEP_INTERVAL_MS, SWEEP_MARKER_KEY, sweepRetentionEndpoint } from '#contract/work/retention.ts';
import { callApi } from '#web/lib/backend/api-client.ts';
import { whenQuiet } from '#web/lib/query/when-quiet.ts';
import { useSession } from '#web/lib/session/session.tsx';
import { readStored, writeStored } from '#web/lib/storage/storage.ts';

/** A marker that cannot be read, or that lies in the future because a clock was wrong, counts for nothing. */
function isDue(now: number): boolean {
  const age = now - Number(readStored(SWEEP_MARKER_KEY) ?? Number.NaN);
  return !(age >= 0 && age < SWEEP_INTERVAL_MS);
}

/** Asks for a retention sweep once someone is signed in, at most once a day in this browser. Failures are no one's concern. */
export function useRetentionSweep(onChange: () => void): void {
  const { user } = useSession();
  const userId = user?.id;
  const tellChange = useEffectEvent(onChange);
  useEffect(() => {
    if (userId === undefined) return;
    let active = true;
    const sweep = async () => {
      await whenQuiet();
      const now = Date.now();
      if (!active || !isDue(now)) return;
      // Before it is sent: of two tabs that open together, one asks.
      writeStored(SWEEP_MARKER_KEY, String(now));
      const { archived, deleted } = await callApi(sweepRetentionEndpoint);
      if (archived + deleted > 0) tellChange();
    };
    void sweep().catch(() => {});
    return () => {
      active = false;
    };
  }, [userId]);
}
