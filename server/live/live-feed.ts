import type { LiveMessage } from '#contract/live.ts';
import type { Deps } from '#server/deps.ts';
import { type Changed, readChanges } from './read-changes.ts';

/** What one transaction changes arrives in several notifications. */
const GATHER_MS = 10;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;
/** The most bytes of one message. Hosted Supabase carries 250 kB, envelope included. */
const MOST_BYTES = 200_000;

export type LiveFeed = {
  /** Has these told with the next ones. */
  add(changed: readonly Changed[]): void;
  /** Whether what there was to tell could not be told, and is tried again. */
  readonly behind: boolean;
  stop(): void;
};

/** Where changes go. */
export type Audience = {
  /** Changes are read and told at most this often, all of them at once, in ms. */
  everyMs: number;
  /** Whether it is for this process to tell someone. */
  has(userId: string): boolean;
  /** Tells each owner. Rejects when some may not have been told. */
  tell(messages: ReadonlyMap<string, LiveMessage>): Promise<void>;
};

/**
 * Turns the database's notifications into messages. A list that changes often is read at intervals.
 * Messages go out in the order of reading, so the last one is the present state.
 */
export function startLiveFeed(
  { db, notifications, log }: Pick<Deps, 'db' | 'notifications' | 'log'>,
  audience: Audience,
): LiveFeed {
  const waiting = new Map<string, Changed & { runIds: Set<string> }>();
  let timer: NodeJS.Timeout | undefined;
  let telling = false;
  let stopped = false;
  let failures = 0;
  let nextAt = 0;

  const add = (changed: readonly Changed[]) => {
    for (const { userId, listId, runIds } of changed) {
      const known = waiting.get(listId);
      waiting.set(listId, { userId, listId, runIds: new Set([...(known?.runIds ?? []), ...runIds]) });
    }
    schedule();
  };
  const schedule = () => {
    if (stopped || telling || timer || waiting.size === 0) return;
    timer = setTimeout(() => void flush(), Math.max(GATHER_MS, nextAt - performance.now()));
  };
  const flush = async () => {
    timer = undefined;
    telling = true;
    nextAt = performance.now() + audience.everyMs;
    const changed = [...waiting.values()].filter(({ userId }) => audience.has(userId));
    waiting.clear();
    try {
      if (changed.length > 0) await audience.tell(fitting(await readChanges(db, changed)));
      failures = 0;
    } catch (error) {
      if (failures === 0) log.warn({ err: error }, 'changes not sent');
      nextAt = performance.now() + Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures);
      failures += 1;
      add(changed);
    } finally {
      telling = false;
      schedule();
    }
  };
  const forget = notifications.on('list_changed', (payload) => {
    const [userId = '', listId = '', runId] = payload.split(' ');
    if (audience.has(userId)) add([{ userId, listId, runIds: new Set(runId ? [runId] : []) }]);
  });
  return {
    add,
    get behind() {
      return failures > 0;
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
      forget();
    },
  };
}

/** Anyone who would have to be told too much at once reads it again instead. */
function fitting(messages: ReadonlyMap<string, LiveMessage>): Map<string, LiveMessage> {
  const fits = (message: LiveMessage) => Buffer.byteLength(JSON.stringify(message)) <= MOST_BYTES;
  return new Map([...messages].map(([userId, message]) => [userId, fits(message) ? message : { kind: 'missed' }]));
}
