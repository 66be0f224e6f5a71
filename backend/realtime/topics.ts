import type { Channel } from './channel.ts';
import { encode } from './wire/codec.ts';
import type { Version } from './wire/frame.ts';

/** A topic of public or of private channels: two that share a name hear nothing of each other. */
export type TopicName = { topic: string; isPrivate: boolean };

/** Who has joined what in this process. */
export type Topics = {
  add(channel: Channel): void;
  remove(channel: Channel): void;
  members(name: TopicName): Iterable<Channel>;
  all(): Iterable<Channel>;
  /** Sends an event to the members of a topic that `may` have it. */
  tell(name: TopicName, event: string, payload: unknown, may: (channel: Channel) => boolean): void;
};

const keyOf = ({ topic, isPrivate }: TopicName) => `${isPrivate ? 'private' : 'public'} ${topic}`;

export function createTopics(): Topics {
  const byName = new Map<string, Set<Channel>>();
  const members = (name: TopicName) => byName.get(keyOf(name)) ?? new Set<Channel>();
  return {
    members,
    add(channel) {
      byName.set(keyOf(channel), members(channel).add(channel));
    },
    remove(channel) {
      const rest = members(channel);
      rest.delete(channel);
      if (rest.size === 0) byName.delete(keyOf(channel));
    },
    *all() {
      for (const channels of byName.values()) yield* channels;
    },
    tell(name, event, payload, may) {
      // Written once for each version, however many there are to read it.
      const encoded = new Map<Version, string | Buffer | undefined>();
      for (const channel of members(name)) {
        const { version } = channel.peer;
        if (!may(channel)) continue;
        if (!encoded.has(version))
          encoded.set(version, encode(version, { joinRef: null, ref: null, topic: name.topic, event, payload }));
        const written = encoded.get(version);
        if (written !== undefined) channel.peer.sendEncoded(written);
      }
    },
  };
}
