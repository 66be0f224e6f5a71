import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5_000;
const HEARTBEAT_MS = 20_000;

/** What arrives by PostgreSQL's NOTIFY on some channels. Sent with `select pg_notify(channel, payload)`. */
export type Notifications = {
  /** False while the connection is being made again, and where nothing listens: notifications sent meanwhile are lost. */
  readonly connected: boolean;
  /** Calls `handler` with each payload of one of the channels listened to. Returns how to stop that. */
  on(channel: string, handler: (payload: string) => void): () => void;
  /** Calls `handler` each time the connection is back: time to look at the tables for what was missed. */
  onReconnect(handler: () => void): () => void;
  stop(): Promise<void>;
};

/** Stands where no connection can listen, as through a pooler in transaction mode: nothing ever arrives, and who waits has to poll. */
export const NOBODY_LISTENS: Notifications = {
  connected: false,
  on: () => () => {},
  onReconnect: () => () => {},
  stop: async () => {},
};

/**
 * Listens on `channels` over a connection of its own, and again, with growing pauses up to 5 s, whenever that breaks.
 * - A handler that throws is told to `onError` and disturbs no one.
 * - Rejects if the first connection fails.
 */
export async function listen(
  connectionString: string,
  channels: readonly string[],
  onError: (error: unknown) => void = () => {},
): Promise<Notifications> {
  const handlers = new Map<string, Set<(payload: string) => void>>(channels.map((channel) => [channel, new Set()]));
  const reconnected = new Set<() => void>();
  const stopped = new AbortController();
  let client: pg.Client | undefined;

  const guarded = (call: () => void) => {
    try {
      call();
    } catch (error) {
      onError(error);
    }
  };
  const open = async () => {
    const next = new pg.Client({
      connectionString,
      keepAlive: true,
      application_name: 'fairlead notifications',
      connectionTimeoutMillis: 10_000,
      query_timeout: 10_000,
    });
    next.on('error', () => {}); // 'end' follows
    next.on('notification', ({ channel, payload }) => {
      for (const handler of handlers.get(channel) ?? []) guarded(() => handler(payload ?? ''));
    });
    const ended = new Promise((resolve) => next.once('end', resolve));
    try {
      await next.connect();
      for (const channel of channels) await next.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      next.end().catch(() => {});
      throw error;
    }
    if (stopped.signal.aborted) return next.end();
    client = next;
    // A connection that died silently (a pulled cable) only shows when something is asked.
    const heartbeat = setInterval(
      () => next.query('select 1').catch(() => void next.end().catch(() => {})),
      HEARTBEAT_MS,
    );
    heartbeat.unref();
    void ended.then(() => {
      clearInterval(heartbeat);
      client = undefined;
      return reopen();
    });
  };
  const reopen = async () => {
    for (let delay = FIRST_DELAY_MS; !stopped.signal.aborted; delay = Math.min(delay * 2, LONGEST_DELAY_MS)) {
      try {
        await sleep(delay, undefined, { signal: stopped.signal });
        await open();
        for (const handler of reconnected) guarded(handler);
        return;
      } catch (error) {
        if (!stopped.signal.aborted) onError(error);
      }
    }
  };

  await open();
  return {
    get connected() {
      return client !== undefined;
    },
    on(channel, handler) {
      const known = handlers.get(channel);
      if (!known) throw new Error(`Nothing listens on the channel ${channel}; it listens on ${channels.join(', ')}.`);
      known.add(handler);
      return () => known.delete(handler);
    },
    onReconnect(handler) {
      reconnected.add(handler);
      return () => reconnected.delete(handler);
    },
    async stop() {
      stopped.abort();
      await client?.end().catch(() => {});
    },
  };
}
