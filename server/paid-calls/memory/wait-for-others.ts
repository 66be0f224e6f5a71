import { sql } from 'kysely';
import type { PayContext, PlannedCall } from '#server/paid-calls/operation.ts';

/** Catches a settlement whose notification was lost, in ms. */
const FALLBACK_POLL_MS = 1_000;

/**
 * Waits until one of the calls that others have in flight has ended.
 * @throws the signal's reason when it aborts.
 */
export async function waitForOthers({ deps, waits, signal }: PayContext, calls: readonly PlannedCall[]): Promise<void> {
  const ids = calls.map((call) => call.id);
  for (;;) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const leave = () => resolve();
    // Listened to before the rows are read, so that a settlement in between is not missed.
    const forget = deps.notifications.on('call_settled', (id) => ids.includes(id) && resolve());
    const timer = setTimeout(resolve, FALLBACK_POLL_MS);
    signal.addEventListener('abort', leave);
    try {
      signal.throwIfAborted();
      const { rows } = await sql<{ waiting: number }>`
        select count(*)::integer as waiting from app.paid_calls
        where id = any(${ids}::uuid[]) and state in ('planned', 'sent')
      `.execute(deps.db);
      if ((rows[0]?.waiting ?? 0) < ids.length) return;
      await waits.during({ reason: 'other_run' }, () => promise);
    } finally {
      forget();
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
    }
  }
}
