import { LIVE_BEAT_MS, type LiveMessage } from '#contract/live.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/http/app-error.ts';
import type { CurrentUser } from '#server/http/context.ts';
import { startChangeFeed } from './change-feed.ts';
import { type EventStream, openEventStream } from './event-stream.ts';
import { readRecent } from './read-changes.ts';

/** Streams of one person in one process: a browser shares one among its tabs. */
const MOST_OF_A_USER = 10;
/** All streams of one process; each holds a connection and some 20 kB. */
const MOST = 10_000;
/** A stream is opened anew after this long, so that old ones spread over processes that have come since. */
const LIFETIME_MS = 60 * 60_000;

/** Tells people who listen what happens to their lists. One for each process. */
export type Live = {
  /**
   * A stream of what happens to the user's lists, until it is cancelled, `signal` aborts or the session ends. Throws RATE_LIMITED for
   * one too many, and UNAVAILABLE while the process stops, or hears nothing from the database.
   */
  open(
    user: Pick<CurrentUser, 'userId' | 'sessionId' | 'aal'>,
    signal: AbortSignal,
  ): Promise<ReadableStream<Uint8Array>>;
  /** Ends all streams; their readers find another process. */
  stop(): void;
};

type Listener = Pick<CurrentUser, 'userId' | 'sessionId' | 'aal'> & { until: number; stream: EventStream };

function send(listeners: Iterable<Listener>, message: LiveMessage): void {
  for (const { stream } of [...listeners]) stream.send(message);
}

export function createLive(deps: Pick<Deps, 'db' | 'notifications' | 'log' | 'accounts'>): Live {
  const all = new Set<Listener>();
  const byUser = new Map<string, Set<Listener>>();
  let stopped = false;
  const feed = startChangeFeed(deps, {
    has: (userId) => byUser.has(userId),
    tell: (userId, message) => send(byUser.get(userId) ?? [], message),
  });

  const endSessions = (ended: (sessionId: string) => boolean) => {
    for (const { sessionId, stream } of [...all]) if (ended(sessionId)) stream.close();
  };
  /** Also for what no notification tells: somebody banned, a session that has run out, a second step that is asked for. */
  const checkSessions = async (listeners: readonly Listener[]) => {
    const ids = new Set(listeners.map(({ sessionId }) => sessionId));
    if (ids.size === 0) return;
    const living = await deps.accounts.findLive(listeners);
    endSessions((id) => ids.has(id) && !living.has(id));
  };
  const beat = () => {
    const now = Date.now();
    for (const { stream, until } of [...all]) {
      if (until < now) stream.close();
      else stream.beat();
    }
    checkSessions([...all]).catch((error: unknown) => deps.log.warn({ err: error }, 'sessions of streams not checked'));
  };
  const timer = setInterval(beat, LIVE_BEAT_MS);
  const forget = [
    deps.notifications.on('session_ended', (ended) => endSessions((id) => id === ended)),
    deps.notifications.onReconnect(() => send(all, { kind: 'missed' })),
  ];

  const join = ({ userId, sessionId, aal }: Pick<CurrentUser, 'userId' | 'sessionId' | 'aal'>): Listener => {
    const own = byUser.get(userId) ?? new Set();
    if (stopped) throw new AppError('UNAVAILABLE', 'The server is restarting. Try again.', { retryAfterSeconds: 1 });
    if (!deps.notifications.connected)
      throw new AppError('UNAVAILABLE', 'Changes can not be told just now. Ask for lists and runs instead.', {
        retryAfterSeconds: 30,
      });
    if (own.size >= MOST_OF_A_USER || all.size >= MOST)
      throw new AppError('RATE_LIMITED', 'Too many pages are open at once. Close some of them.', {
        retryAfterSeconds: 60,
      });
    const stream = openEventStream(() => {
      all.delete(listener);
      own.delete(listener);
      if (own.size === 0 && byUser.get(userId) === own) byUser.delete(userId);
    });
    // Not all at the same moment.
    const until = Date.now() + LIFETIME_MS * (0.75 + Math.random() / 4);
    const listener: Listener = { userId, sessionId, aal, until, stream };
    all.add(listener);
    byUser.set(userId, own.add(listener));
    return listener;
  };

  return {
    async open(user, signal) {
      const listener = join(user);
      const { stream } = listener;
      signal.addEventListener('abort', () => stream.close(), { once: true });
      if (signal.aborted) stream.close();
      try {
        // What has happened since the caller was let in, and before anybody listened.
        await checkSessions([listener]);
        feed.add(await readRecent(deps.db, user.userId));
      } catch (error) {
        stream.close();
        throw error;
      }
      stream.send({ kind: 'ready' });
      return stream.body;
    },
    stop() {
      stopped = true;
      clearInterval(timer);
      for (const stop of forget) stop();
      feed.stop();
      for (const { stream } of [...all]) stream.close();
    },
  };
}
