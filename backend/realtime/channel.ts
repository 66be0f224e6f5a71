import type { VerifiedToken } from '#backend/data/caller.ts';
import type { Frame, Version } from './wire/frame.ts';

/** What the policies of realtime.messages let someone do in a private topic; in a public one everyone may do all. */
export type Rights = { listen: boolean; speak: boolean; watchPresence: boolean; bePresent: boolean };

/** A topic that one socket has joined. */
export type Channel = {
  peer: Peer;
  /** As the client names it: `realtime:…`. */
  topic: string;
  joinRef: string | null;
  isPrivate: boolean;
  /** Whether it hears its own broadcasts. */
  self: boolean;
  /** Whether each of its broadcasts is answered. */
  ack: boolean;
  /** Whether it is told who else is there. */
  presence: boolean;
  /** The name under which it is present. */
  presenceKey: string;
  /** In whose name, as the last token said. */
  caller: VerifiedToken;
  /** When that token ends, in ms since 1970. */
  expiresAt: number;
  rights: Rights;
};

/** One socket. */
export type Peer = {
  version: Version;
  /** The channels that it has joined, by topic. */
  channels: Map<string, Channel>;
  send(frame: Frame): void;
  /** Sends what was encoded for its version. */
  sendEncoded(encoded: string | Buffer): void;
  /** Ends it with a code of RFC 6455. */
  close(code: number, reason: string): void;
};

/** `realtime:room` → `room`. */
export const subTopicOf = (topic: string): string => topic.slice(topic.indexOf(':') + 1);

/** Tells a channel something that concerns it as a whole. */
export function tellSystem(
  { peer, topic }: Channel,
  said: { extension: 'system' | 'postgres_changes'; status: 'ok' | 'error'; message: string },
): void {
  const payload = { ...said, channel: subTopicOf(topic) };
  peer.send({ joinRef: null, ref: null, topic, event: 'system', payload });
}

/** Tells the client that its channel is over (`phx_close`), or that it must join again (`phx_error`). */
export function tellEnd({ peer, topic, joinRef }: Channel, event: 'phx_close' | 'phx_error'): void {
  peer.send({ joinRef, ref: joinRef, topic, event, payload: {} });
}
