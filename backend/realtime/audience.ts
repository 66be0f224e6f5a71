import { type Broadcast, tellBroadcast } from './broadcast.ts';
import { subTopicOf } from './channel.ts';
import type { Topics } from './topics.ts';

/** The members of private topics, named without `realtime:`, that are connected to this process: for what every process tells its own. */
export type Audience = {
  has(topic: string): boolean;
  /** The topics with members whose names begin so. */
  topicsOf(prefix: string): Set<string>;
  tell(topic: string, said: Broadcast): void;
};

const nameOf = (topic: string) => ({ topic: `realtime:${topic}`, isPrivate: true });

export function createAudience(topics: Topics): Audience {
  return {
    has(topic) {
      for (const _member of topics.members(nameOf(topic))) return true;
      return false;
    },
    topicsOf(prefix) {
      const found = new Set<string>();
      for (const channel of topics.all())
        if (channel.isPrivate && subTopicOf(channel.topic).startsWith(prefix)) found.add(subTopicOf(channel.topic));
      return found;
    },
    tell: (topic, said) => tellBroadcast(topics, nameOf(topic), { type: 'broadcast', ...said }),
  };
}
