/** How long the same thing, shown to the same person, is not recorded again, in ms. */
export const AGAIN_MS = 15 * 60_000;
/** The most that one process remembers. What it has forgotten is recorded again. */
const MOST = 50_000;

/** What was shown lately, in the memory of one process. Another process records the same again. */
export type ShownBefore = {
  /** Whether `said` is what was shown last under this key, a moment ago. */
  has(key: string, said: string): boolean;
  add(key: string, said: string): void;
};

/** Remembers what was shown. */
export function createShownBefore(): ShownBefore {
  const shown = new Map<string, { said: string; at: number }>();
  return {
    has(key, said) {
      const last = shown.get(key);
      return last?.said === said && Math.abs(Date.now() - last.at) < AGAIN_MS;
    },
    add(key, said) {
      // Put last, so that the oldest are the first to go.
      shown.delete(key);
      shown.set(key, { said, at: Date.now() });
      for (const oldest of shown.keys()) {
        if (shown.size <= MOST) return;
        shown.delete(oldest);
      }
    },
  };
}
