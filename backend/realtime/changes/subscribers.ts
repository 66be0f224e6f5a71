import type { Channel } from '#backend/realtime/channel.ts';
import type { Subscription } from './subscription.ts';

/** Who has subscribed to what, found by person. */
export type Subscribers = {
  add(subscriptions: readonly Subscription[]): void;
  /** Forgets what a channel has subscribed to. */
  remove(channel: Channel): void;
  /** Forgets one of what its channel has subscribed to. */
  forget(subscription: Subscription): void;
  of(userId: string): Subscription[];
  /** Whether one of their subscriptions has a filter. */
  hasFilters(userId: string): boolean;
  people(): Iterable<string>;
  all(): Subscription[];
  readonly size: number;
};

export function createSubscribers(): Subscribers {
  const byPerson = new Map<string, Map<Channel, readonly Subscription[]>>();
  const of = (userId: string) => [...(byPerson.get(userId)?.values() ?? [])].flat();
  return {
    of,
    hasFilters: (userId) => of(userId).some(({ filter }) => filter),
    people: () => [...byPerson.keys()],
    all: () => [...byPerson.keys()].flatMap(of),
    get size() {
      return byPerson.size;
    },
    add(subscriptions) {
      for (const one of subscriptions) {
        const { userId } = one.channel.caller;
        const own = byPerson.get(userId) ?? new Map<Channel, readonly Subscription[]>();
        byPerson.set(userId, own.set(one.channel, [...(own.get(one.channel) ?? []), one]));
      }
    },
    forget(subscription) {
      const { channel } = subscription;
      const own = byPerson.get(channel.caller.userId);
      const left = own?.get(channel)?.filter((one) => one !== subscription);
      if (left) own?.set(channel, left);
    },
    remove(channel) {
      const { userId } = channel.caller;
      const own = byPerson.get(userId);
      own?.delete(channel);
      if (own?.size === 0) byPerson.delete(userId);
    },
  };
}

export const channelsOf = (subscriptions: readonly Subscription[]): Set<Channel> =>
  new Set(subscriptions.map(({ channel }) => channel));
