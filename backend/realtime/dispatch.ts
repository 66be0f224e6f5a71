import { z } from 'zod/mini';
import { broadcast } from './broadcast.ts';
import type { Channel, Peer } from './channel.ts';
import { tellEnd } from './channel.ts';
import type { Hub } from './hub.ts';
import { join } from './join.ts';
import { leave } from './leave.ts';
import { Refusal } from './refusal.ts';
import { renewToken } from './renew-token.ts';
import type { Frame } from './wire/frame.ts';

const Said = z.object({ event: z.string(), payload: z.optional(z.unknown()) });

/** Does what a message of a client asks for, and replies. */
export async function dispatch(hub: Hub, peer: Peer, frame: Frame): Promise<void> {
  const { topic, event, ref, joinRef } = frame;
  const reply = (status: 'ok' | 'error', response: object) =>
    peer.send({ joinRef, ref, topic, event: 'phx_reply', payload: { status, response } });
  try {
    if (topic === 'phoenix' && event === 'heartbeat') return reply('ok', {});
    if (event === 'phx_join') return await join(hub, peer, frame, (response) => reply('ok', response));
    const channel = peer.channels.get(topic);
    if (event === 'phx_leave') {
      if (channel) leave(hub, channel);
      reply('ok', {});
      if (channel) tellEnd(channel, 'phx_close');
      return;
    }
    if (!channel) throw new Refusal('UnmatchedTopic', 'unmatched topic');
    if (!hub.rate(channel.caller.userId)) return hub.drop(channel, 'Too many messages per second');
    if (event === 'access_token') return await renewToken(hub, channel, frame.payload);
    if (event === 'broadcast') return say(hub, channel, frame, reply);
    throw new Refusal('UnknownEvent', `${event.slice(0, 60)} is not offered`);
  } catch (error) {
    if (!(error instanceof Refusal)) {
      hub.log.warn({ err: error }, 'a realtime message failed');
      return reply('error', { reason: 'UnknownErrorOnChannel: something went wrong' });
    }
    reply('error', { reason: error.reason });
  }
}

function say(
  hub: Hub,
  channel: Channel,
  { payload }: Frame,
  reply: (status: 'ok' | 'error', response: object) => void,
): void {
  const { data: said } = Said.safeParse(payload);
  if (!said) throw new Refusal('InvalidBroadcast', 'a broadcast needs an event and a payload');
  if (!channel.rights.speak) throw new Refusal('Unauthorized', 'You do not have permissions to write to this Channel');
  broadcast(hub, channel, { event: said.event, payload: said.payload ?? {} }, channel);
  if (channel.ack) reply('ok', {});
}
