import type { WaitingReason } from '#contract/work/runs.ts';

/** Why something waits, and when it goes on where that is known. `all`: everything else of the run has to wait for the same. */
export type Wait = { reason: WaitingReason; until?: Date; all?: boolean };

/** Keeps what the calls of a run wait for while a process works on it. */
export type Waits = {
  /** Does `work`, and shows meanwhile that the run waits. */
  during<T>(wait: Wait, work: () => Promise<T>): Promise<T>;
  /** Notes that the run has made progress. */
  moved(): void;
  /** Whether it has made progress since the last call of this. */
  hasMoved(): boolean;
  /** Why the run stands still. Undefined while it moves or, unless all of it has to wait, moved a moment ago. */
  current(): Wait | undefined;
};

/** A standstill shorter than this, in ms, is the usual pace. */
const QUIET_MS = 4_000;

export function createWaits(now: () => number = Date.now): Waits {
  const open = new Set<Wait>();
  let movedAt = now();
  let moved = false;
  return {
    async during(wait, work) {
      open.add(wait);
      try {
        return await work();
      } finally {
        open.delete(wait);
      }
    },
    moved() {
      movedAt = now();
      moved = true;
    },
    hasMoved() {
      const before = moved;
      moved = false;
      return before;
    },
    current() {
      const waits = [...open];
      const stopped = waits.find(({ all }) => all);
      if (stopped || now() - movedAt < QUIET_MS) return stopped;
      return waits.find(({ reason }) => reason === 'provider_down') ?? waits.toSorted(byTime)[0];
    },
  };
}

/** Puts first what is known to go on soonest. */
const byTime = (a: Wait, b: Wait): number => (a.until?.getTime() ?? Infinity) - (b.until?.getTime() ?? Infinity) || 0;
