import type { WebSocket } from 'ws';
import type { Peer } from './channel.ts';
import { dispatch } from './dispatch.ts';
import type { Hub } from './hub.ts';
import { leave } from './leave.ts';
import { decode, encode } from './wire/codec.ts';
import type { Frame, Version } from './wire/frame.ts';

/** A socket that is served. */
export type ServedSocket = {
  peer: Peer;
  /** When the client was last heard, in ms since 1970. */
  heardAt: number;
  /** Since when it has been in no channel, in ms since 1970. */
  idleSince: number | undefined;
  terminate(): void;
};

/** Reads a socket's messages, one after the other, until it is closed. */
export function serveSocket(hub: Hub, socket: WebSocket, version: Version, onClose: () => void): ServedSocket {
  const { limits } = hub;
  const sendEncoded = (encoded: string | Buffer) => {
    if (socket.bufferedAmount > limits.unreadBytes) socket.terminate();
    else socket.send(encoded, ignoreLoss);
  };
  const peer: Peer = {
    version,
    channels: new Map(),
    sendEncoded,
    send(frame) {
      const encoded = encode(version, frame);
      if (encoded !== undefined) sendEncoded(encoded);
    },
    close: (code, reason) => socket.close(code, reason),
  };
  const served: ServedSocket = {
    peer,
    heardAt: Date.now(),
    idleSince: Date.now(),
    terminate: () => socket.terminate(),
  };
  const waiting: Frame[] = [];
  let working = false;
  const work = async () => {
    working = true;
    for (let frame = waiting.shift(); frame && socket.readyState === socket.OPEN; frame = waiting.shift()) {
      await dispatch(hub, peer, frame);
      served.idleSince = peer.channels.size > 0 ? undefined : (served.idleSince ?? Date.now());
    }
    working = false;
    // It may have gone while it was joining.
    if (socket.readyState !== socket.OPEN) leaveAll();
  };
  const leaveAll = () => {
    for (const channel of [...peer.channels.values()]) leave(hub, channel);
  };
  socket.on('message', (data, isBinary) => {
    served.heardAt = Date.now();
    const frame = decode(version, data as Buffer, isBinary);
    if (!frame) return peer.close(1007, 'not a message');
    if (waiting.push(frame) > limits.waitingMessages) return peer.close(1008, 'too many messages');
    if (!working) void work();
  });
  socket.on('error', ignoreLoss); // 'close' follows
  socket.on('close', () => {
    waiting.length = 0;
    leaveAll();
    onClose();
  });
  return served;
}

function ignoreLoss(): void {}
