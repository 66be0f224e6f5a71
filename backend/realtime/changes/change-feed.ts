import type { Channel } from '#backend/realtime/channel.ts';
import type { RealtimeOptions } from '#backend/realtime/options.ts';
import { parseJson } from '#backend/realtime/wire/parse-json.ts';
import { Change } from './change.ts';
import { createLanes } from './lanes.ts';
import { channelsOf, createSubscribers } from './subscribers.ts';
import type { Subscription } from './subscription.ts';
import { tellBatch, tellChanges } from './tell-changes.ts';

/** What one transaction changes arrives in several notifications. */
const GATHER_MS = 10;

export type ChangeFeed = {
  add(subscriptions: readonly Subscription[]): void;
  /** Forgets what a channel has subscribed to. */
  remove(channel: Channel): void;
  /** How many subscriptions someone has. */
  countOf(userId: string): number;
  /** The names of the tables with subscribers. */
  tables(): Set<string>;
  stop(): void;
};

/**
 * Tells subscribers what was changed, in the order of the changes. A row is told as it is when it is read, to whom row-level security
 * shows it then; of what is deleted its owner is told the id.
 */
export function startChangeFeed(
  options: Pick<RealtimeOptions, 'pool' | 'notifications' | 'log'>,
  fellBehind: (channel: Channel) => void,
): ChangeFeed {
  const { notifications, log } = options;
  const subscribers = createSubscribers();
  const lanes = createLanes((userId, changes) =>
    tellBatch(options, { changes, subscriptions: subscribers.of(userId) }, subscribers.forget, fellBehind),
  );
  let waiting: Change[] = [];
  let timer: NodeJS.Timeout | undefined;
  let busy = false;

  const schedule = () => {
    if (!busy && waiting.length > 0) timer ??= setTimeout(() => void flush(), GATHER_MS);
  };
  const flush = async () => {
    timer = undefined;
    busy = true;
    const changes = waiting;
    waiting = [];
    try {
      await tellChanges(options, changes, subscribers, lanes, fellBehind);
    } catch (error) {
      log.warn({ err: error }, 'changes not sent, nor that they were not');
    } finally {
      busy = false;
      schedule();
    }
  };
  const forget = [
    notifications.on('realtime_change', (text) => {
      if (subscribers.size === 0) return;
      const { data: change } = Change.safeParse(parseJson(text));
      if (change) waiting.push(change);
      schedule();
    }),
    // What was changed meanwhile is not known: anyone who joins again reads again.
    notifications.onReconnect(() => {
      for (const channel of channelsOf(subscribers.all())) fellBehind(channel);
    }),
  ];
  return {
    add: subscribers.add,
    remove: subscribers.remove,
    countOf: (userId) => subscribers.of(userId).length,
    tables: () => new Set(subscribers.all().flatMap(({ tables }) => tables.map(({ name }) => name))),
    stop() {
      clearTimeout(timer);
      lanes.stop();
      for (const one of forget) one();
    },
  };
}
