import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import { networkOf } from '#db/values/ip-network.ts';
import { type Audience, createAudience } from './audience.ts';
import { findGoodSessions } from './good-sessions.ts';
import { createHub, type Hub } from './hub.ts';
import type { RealtimeOptions } from './options.ts';
import { type ServedSocket, serveSocket } from './serve-socket.ts';
import { isVersion } from './wire/codec.ts';

const PATH = '/realtime/v1/websocket';
const TICK_MS = 1_000;
/** How long clients may take to say goodbye when the process stops. */
const GOODBYE_MS = 1_000;
/** Close codes of RFC 6455. */
const SERVICE_RESTART = 1012;
const POLICY = 1008;

/** Supabase's Realtime for one process: what its sockets are told, no matter who changed or said it, in any process. */
export type Realtime = {
  /** Handles every request of the server to switch to a protocol other than HTTP. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  hub: Hub;
  audience: Audience;
  /** How many sockets are open. */
  size(): number;
  /** Takes no more sockets and ends those that are open: their clients come back elsewhere. */
  stop(): Promise<void>;
};

export function createRealtime(options: RealtimeOptions): Realtime {
  const hub = createHub(options);
  const { limits, topics } = hub;
  const sockets = new Map<ServedSocket, string>();
  // Not compressed: what each socket keeps for that is more than all else.
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: limits.messageBytes });
  let stopped = false;

  /** Someone without a channel is no one yet. */
  const isFull = (network: string) => {
    if (stopped || sockets.size >= limits.sockets) return true;
    let unjoined = 0;
    for (const [{ peer }, from] of sockets) if (from === network && peer.channels.size === 0) unjoined += 1;
    return unjoined >= limits.unjoinedOfNetwork;
  };
  const dropWhere = (ended: (sessionId: string) => boolean, why: string) => {
    for (const channel of [...topics.all()]) if (ended(channel.caller.sessionId)) hub.drop(channel, why);
  };
  const checkSessions = async () => {
    const callers = [...topics.all()].map(({ caller }) => caller);
    const good = await findGoodSessions(hub, callers);
    const ids = new Set(callers.map(({ sessionId }) => sessionId));
    dropWhere((id) => ids.has(id) && !good.has(id), 'This session has ended');
  };
  const tick = () => {
    const now = Date.now();
    for (const channel of [...topics.all()]) if (channel.expiresAt <= now) hub.drop(channel, 'Token has expired');
    for (const { peer, heardAt, idleSince, terminate } of [...sockets.keys()]) {
      if (now - heardAt > limits.silenceMs) terminate();
      else if (idleSince !== undefined && now - idleSince > limits.idleMs) peer.close(POLICY, 'in no channel');
    }
  };
  const timers = [
    setInterval(tick, TICK_MS),
    setInterval(() => {
      checkSessions().catch((error: unknown) => hub.log.warn({ err: error }, 'sessions of channels not checked'));
    }, limits.sessionCheckMs),
  ];
  const forget = hub.notifications.on('session_ended', (ended) =>
    dropWhere((id) => id === ended, 'This session has ended'),
  );

  return {
    hub,
    audience: createAudience(topics),
    size: () => sockets.size,
    upgrade(request, socket, head) {
      const url = URL.parse(request.url ?? '/', 'http://localhost');
      if (!url) return refuse(socket, 400);
      const { pathname, searchParams } = url;
      const version = searchParams.get('vsn') ?? '1.0.0';
      if (pathname !== PATH) return refuse(socket, 404);
      if (!hub.isKey(searchParams.get('apikey') ?? '')) return refuse(socket, 401);
      if (!isVersion(version)) return refuse(socket, 400);
      const network = networkOf(hub.socketIp(request));
      if (isFull(network)) return refuse(socket, stopped ? 503 : 429);
      server.handleUpgrade(request, socket, head, (opened) => {
        const served = serveSocket(hub, opened, version, () => sockets.delete(served));
        sockets.set(served, network);
      });
    },
    async stop() {
      stopped = true;
      for (const timer of timers) clearInterval(timer);
      forget();
      for (const { peer } of [...sockets.keys()]) peer.close(SERVICE_RESTART, 'restarting');
      for (const until = Date.now() + GOODBYE_MS; sockets.size > 0 && Date.now() < until; ) await pause(10);
      for (const { terminate } of [...sockets.keys()]) terminate();
      await hub.stop();
    },
  };
}

/** Tells of a broken handshake in words of HTTP. */
function refuse(socket: Duplex, status: number): void {
  socket.on('error', () => {});
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
