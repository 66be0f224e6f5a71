import { randomUUID } from 'node:crypto';
import { createTurns, type Turns } from '#db/turns/turns.ts';
import { tellBroadcast } from './broadcast.ts';
import { type ChangeFeed, startChangeFeed } from './changes/change-feed.ts';
import { createWatchedTables, type WatchedTables } from './changes/watched-tables.ts';
import { type Channel, tellEnd, tellSystem } from './channel.ts';
import { createLease, type Lease } from './lease.ts';
import { leave } from './leave.ts';
import { REALTIME_LIMITS, type RealtimeLimits } from './limits.ts';
import type { RealtimeOptions } from './options.ts';
import { createRate, type Rate } from './rate.ts';
import { createRelay, type Relay } from './relay.ts';
import { createTopics, type Topics } from './topics.ts';

/** What one process knows and does for all its sockets. */
export type Hub = RealtimeOptions & {
  limits: RealtimeLimits;
  topics: Topics;
  relay: Relay;
  lease: Lease;
  feed: ChangeFeed;
  watchedTables: WatchedTables;
  /** By person: whether one more message is allowed. */
  rate: Rate;
  /** One person joins one channel at a time, on all their sockets: each join asks the database, and each filter once more. */
  joinTurns: Turns;
  /** Takes a channel away, telling its client why. */
  drop(channel: Channel, why: string): void;
  stop(): Promise<void>;
};

export function createHub(options: RealtimeOptions): Hub {
  const processId = randomUUID();
  const limits = { ...REALTIME_LIMITS, ...options.limits };
  const topics = createTopics();
  const relay = createRelay(options, processId, ({ topic, isPrivate, body, bytes }) => {
    const whole = bytes === undefined ? body : { ...body, payload: Buffer.from(bytes, 'base64') };
    tellBroadcast(topics, { topic, isPrivate }, whole);
  });
  const feed = startChangeFeed(options, (channel) => {
    leave({ feed, topics }, channel);
    tellEnd(channel, 'phx_error');
  });
  const lease = createLease(options, processId, () => feed.tables());
  const tables = createWatchedTables(options);
  const stopRenewing = options.notifications.onReconnect(() => {
    lease.renew().catch((error: unknown) => options.log.warn({ err: error }, 'subscriptions not renewed'));
  });
  return {
    ...options,
    limits,
    topics,
    relay,
    lease,
    feed,
    watchedTables: tables.read,
    rate: createRate(limits.messagesPerSecond),
    joinTurns: createTurns({ atWork: 1, open: Infinity, patienceMs: Infinity }),
    drop(channel, why) {
      leave({ feed, topics }, channel);
      tellSystem(channel, { extension: 'system', status: 'error', message: why });
      tellEnd(channel, 'phx_close');
    },
    async stop() {
      for (const one of [relay, feed, tables]) one.stop();
      stopRenewing();
      await lease.stop();
    },
  };
}
