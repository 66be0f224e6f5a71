import type { Channel } from './channel.ts';
import type { Relay } from './relay.ts';
import type { TopicName, Topics } from './topics.ts';

/** `payload` is JSON, or bytes. */
export type Broadcast = { event: string; payload: unknown };

/** Tells everyone in a topic, in all processes, but the channel that it comes `from` if that does not hear itself. */
export function broadcast(
  { topics, relay }: { topics: Topics; relay: Relay },
  name: TopicName,
  { event, payload }: Broadcast,
  from?: Channel,
): void {
  const body = { type: 'broadcast', event };
  tellBroadcast(topics, name, { ...body, payload }, from);
  const { topic, isPrivate } = name;
  const told = Buffer.isBuffer(payload) ? { body, bytes: payload.toString('base64') } : { body: { ...body, payload } };
  relay.send({ topic, isPrivate, ...told });
}

/** The same for this process only. */
export function tellBroadcast(topics: Topics, name: TopicName, body: object, from?: Channel): void {
  topics.tell(name, 'broadcast', body, (channel) => channel.rights.listen && (channel !== from || channel.self));
}
