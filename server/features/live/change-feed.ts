import type { LiveMessage } from '#contract/live.ts';
import type { Deps } from '#server/deps.ts';
import { type Changed, readChanges } from './read-changes.ts';

/** Changes are read and told at most this often, all of them at once, in ms. */
const EVERY_MS = 250;
/** What one transaction changes arrives in several notifications. */
const GATHER_MS = 10;
const RETRY_MS = 1_000;

export type ChangeFeed = {
  /** Has these told with the next ones. */
  add(changed: readonly Changed[]): void;
  stop(): void;
};

/** Where changes go: owners who listen in this process. */
export type Listeners = {
  has(userId: string): boolean;
  tell(userId: string, message: LiveMessage): void;
};

/**
 * Turns the database's notifications into messages. A list that changes often is read at most four times a second, and whatever was
 * read is told in the order of reading, so that the last message is the present state.
 */
export function startChangeFeed(
  { db, notifications, log }: Pick<Deps, 'db' | 'notifications' | 'log'>,
  listeners: Listeners,
): ChangeFeed {
  const waiting = new Map<string, Changed & { runIds: Set<string> }>();
  let timer: NodeJS.Timeout | undefined;
  let reading = false;
  let stopped = false;
  let nextAt = 0;

  const add = (changed: readonly Changed[]) => {
    for (const { userId, listId, runIds } of changed) {
      const known = waiting.get(listId);
      waiting.set(listId, { userId, listId, runIds: new Set([...(known?.runIds ?? []), ...runIds]) });
    }
    schedule();
  };
  const schedule = () => {
    if (stopped || reading || timer || waiting.size === 0) return;
    timer = setTimeout(() => void flush(), Math.max(GATHER_MS, nextAt - performance.now()));
  };
  const flush = async () => {
    timer = undefined;
    reading = true;
    nextAt = performance.now() + EVERY_MS;
    const changed = [...waiting.values()].filter(({ userId }) => listeners.has(userId));
    waiting.clear();
    try {
      if (changed.length > 0)
        for (const [userId, message] of await readChanges(db, changed)) listeners.tell(userId, message);
    } catch (error) {
      log.warn({ err: error }, 'changes not read');
      nextAt = performance.now() + RETRY_MS;
      add(changed);
    } finally {
      reading = false;
      schedule();
    }
  };
  const forget = notifications.on('list_changed', (payload) => {
    const [userId = '', listId = '', runId] = payload.split(' ');
    if (listeners.has(userId)) add([{ userId, listId, runIds: new Set(runId ? [runId] : []) }]);
  });
  return {
    add,
    stop() {
      stopped = true;
      clearTimeout(timer);
      forget();
    },
  };
}
