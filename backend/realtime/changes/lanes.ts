import type { Batch } from './batches.ts';
import type { Change } from './change.ts';

/** Whose filters are applied at the same time; each takes a connection, so that a slow one leaves some to the others. */
const LANES_AT_ONCE = 2;
/** Rows of one person that wait while earlier ones are looked at. Who has more is told to join again. */
const MOST_WAITING_ROWS = 5_000;

/** One line for each person with filters: what their filters cost delays no one else. */
export type Lanes = {
  /** Adds what a person is to be told after what waits for them already. Returns false when too much waits. */
  add(userId: string, changes: readonly Change[]): boolean;
  stop(): void;
};

/** `tell`: tells one person of changes, and never rejects. */
export function createLanes(tell: (userId: string, changes: Batch['changes']) => Promise<void>): Lanes {
  const waiting = new Map<string, Change[]>();
  const atWork = new Set<string>();
  let stopped = false;

  const begin = (): void => {
    for (const [userId, changes] of waiting) {
      if (stopped || atWork.size >= LANES_AT_ONCE) return;
      if (atWork.has(userId)) continue;
      waiting.delete(userId);
      atWork.add(userId);
      void tell(userId, changes).finally(() => {
        atWork.delete(userId);
        begin();
      });
    }
  };
  return {
    add(userId, changes) {
      const all = [...(waiting.get(userId) ?? []), ...changes];
      if (rowsOf(all) > MOST_WAITING_ROWS && waiting.has(userId)) {
        waiting.delete(userId);
        return false;
      }
      waiting.set(userId, all);
      begin();
      return true;
    },
    stop() {
      stopped = true;
      waiting.clear();
    },
  };
}

const rowsOf = (changes: readonly Change[]) => changes.reduce((sum, { ids }) => sum + ids.length, 0);
