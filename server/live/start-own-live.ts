import { LIVE_CHANNEL } from '#contract/live.ts';
import type { Deps } from '#server/deps.ts';
import { startLiveFeed } from './live-feed.ts';

const EVERY_MS = 250;

/** The members of private channels of our own Realtime that are connected to this process. */
export type LocalMembers = {
  has(channel: string): boolean;
  topicsOf(prefix: string): Iterable<string>;
  tell(channel: string, said: { event: string; payload: unknown }): void;
};

/** Tells those who listen in this process what happens to their lists, until it is stopped; every process has its own to tell. */
export function startOwnLive(
  deps: Pick<Deps, 'db' | 'notifications' | 'log'>,
  members: LocalMembers,
): { stop(): Promise<void> } {
  const { event, of, prefix } = LIVE_CHANNEL;
  const feed = startLiveFeed(deps, {
    everyMs: EVERY_MS,
    has: (userId) => members.has(of(userId)),
    async tell(messages) {
      for (const [userId, payload] of messages) members.tell(of(userId), { event, payload });
    },
  });
  const forget = deps.notifications.onReconnect(() => {
    for (const channel of members.topicsOf(prefix)) members.tell(channel, { event, payload: { kind: 'missed' } });
  });
  return {
    async stop() {
      forget();
      feed.stop();
    },
  };
}
