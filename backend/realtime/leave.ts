import type { ChangeFeed } from './changes/change-feed.ts';
import type { Channel } from './channel.ts';
import type { Topics } from './topics.ts';

/** Takes a channel out of everything that knows it. */
export function leave({ feed, topics }: { feed: ChangeFeed; topics: Topics }, channel: Channel): void {
  feed.remove(channel);
  topics.remove(channel);
  channel.peer.channels.delete(channel.topic);
}
