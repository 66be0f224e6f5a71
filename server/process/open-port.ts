import type { RequestListener } from 'node:http';
import type { Env } from '#server/config/env.ts';
import { createDrain } from './drain.ts';
import { listen, type StopPatience, type UpgradeListener } from './listen.ts';

/** Where other processes serve meanwhile, no one waits for this one: it can let downloads on slow lines end. */
const PATIENCE: StopPatience = { silentMs: 25_000, longestMs: 120_000 };
const PATIENCE_ALONE: StopPatience = { silentMs: 5_000, longestMs: 5_000 };

/** The port of this process. It is open before there is anything that could answer: who comes until then is told to try again. */
export type Port = {
  number: number;
  answerBy(listener: RequestListener): void;
  /** Until this is called, requests to become a socket are refused. */
  upgradeBy(listener: UpgradeListener): void;
  /** Goes on serving, and tells balancers that it is about to stop. Resolves when they know. */
  drain(): Promise<void>;
  /** Takes no more requests and lets those under way end, within `stopMs`. */
  stop(): Promise<void>;
  stopMs: number;
  /** Aborts when no more requests are taken. */
  stopping: AbortSignal;
};

/** @throws as `listen` does. */
export async function openPort(env: Pick<Env, 'host' | 'port' | 'drainSeconds' | 'databaseUrl'>): Promise<Port> {
  let answer: RequestListener = (_request, response) => response.writeHead(503, { 'Retry-After': '1' }).end();
  let upgrade: UpgradeListener = (_request, socket) => socket.destroy();
  const patience = env.databaseUrl ? PATIENCE : PATIENCE_ALONE;
  const drain = createDrain(env.drainSeconds);
  const stopping = new AbortController();
  const http = await listen({
    host: env.host,
    port: env.port,
    listener: drain.through((request, response) => answer(request, response)),
    onUpgrade: (request, socket, head) => upgrade(request, socket, head),
    patience,
  });
  return {
    number: http.port,
    answerBy(listener) {
      answer = listener;
    },
    upgradeBy(listener) {
      upgrade = listener;
    },
    drain: drain.begin,
    async stop() {
      const stopped = http.stop();
      // Only now: anyone who is sent on must not come back to this process.
      stopping.abort();
      await stopped;
    },
    stopMs: patience.longestMs,
    stopping: stopping.signal,
  };
}
