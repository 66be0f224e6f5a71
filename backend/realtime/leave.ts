import type { Channel } from './channel.ts';
import type { Hub } from './hub.ts';

/** Takes a channel out of everything that knows it. */
export function leave({ feed, topics }: Pick<Hub, 'feed' | 'topics'>, channel: Channel): void {
  feed.remove(channel);
  topics.remove(channel);
  channel.peer.channels.delete(channel.topic);
}
