import type { HostedSupabase } from '#server/config/env.ts';
import type { Deps } from '#server/deps.ts';
import { startLiveFeed } from './live-feed.ts';
import { createLiveLease } from './live-lease.ts';
import { readRecent } from './read-changes.ts';
import { sendBroadcasts } from './send-broadcasts.ts';

/** Each message is paid for, whether someone hears it or not. */
const EVERY_MS = 500;
/** A transaction may have begun before it told of itself, and what was told just before a process died may not have arrived. In ms. */
const OVERLAP_MS = 15_000;

/**
 * Tells everyone what happens to their lists through the Realtime of hosted Supabase, until it is stopped.
 * - Who listens there is not known. Of several processes only the one with the lease tells.
 * - A new holder begins with what has changed since everything had been told.
 * - While it hears no notifications, it reads those changes every few seconds.
 */
export function startHostedLive(
  deps: Pick<Deps, 'db' | 'notifications' | 'log'>,
  supabase: Pick<HostedSupabase, 'url' | 'secretKey'>,
  { renewMs = 3_000 }: { renewMs?: number } = {},
): { stop(): Promise<void> } {
  const { db, notifications, log } = deps;
  const lease = createLiveLease(db);
  const feed = startLiveFeed(deps, {
    everyMs: EVERY_MS,
    has: () => lease.held(),
    async tell(messages) {
      // Supabase knows of someone disabled only when their token is renewed.
      const active = await db
        .selectFrom('app.profiles')
        .select('user_id')
        .where('user_id', 'in', [...messages.keys()])
        .where('status', '=', 'active')
        .execute();
      const known = new Set(active.map((row) => row.user_id));
      await sendBroadcasts(supabase, new Map([...messages].filter(([userId]) => known.has(userId))));
    },
  });
  /** Whether, when it was last looked at, nothing was left that had not been heard of. */
  let settled = false;
  let broken = false;
  let failing = false;
  const renew = async () => {
    const hears = settled && !broken && lease.held() && notifications.connected;
    const toldAt = await lease.renew({ told: settled && !feed.behind });
    settled = false;
    broken = false;
    if (!toldAt) return;
    if (!hears) feed.add(await readRecent(db, new Date(toldAt.getTime() - OVERLAP_MS)));
    settled = true;
  };
  let renewing: Promise<void> | undefined;
  const tick = () => {
    renewing ??= renew()
      .then(() => {
        failing = false;
      })
      .catch((error: unknown) => {
        if (!failing) log.warn({ err: error }, 'could not find out whose turn it is to send changes');
        failing = true;
      })
      .finally(() => {
        renewing = undefined;
      });
  };
  const timer = setInterval(tick, renewMs);
  const forget = notifications.onReconnect(() => {
    broken = true;
  });
  tick();
  return {
    async stop() {
      clearInterval(timer);
      forget();
      await renewing;
      feed.stop();
      await lease.release();
    },
  };
}
