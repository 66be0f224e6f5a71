/** Returns whether one more is allowed to someone within this second. */
export type Rate = (key: string) => boolean;

/** At most `perSecond` for each key, counted in whole seconds. */
export function createRate(perSecond: number, now: () => number = Date.now): Rate {
  let second = 0;
  let counts = new Map<string, number>();
  return (key) => {
    const current = Math.floor(now() / 1_000);
    if (current !== second) {
      second = current;
      counts = new Map();
    }
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count <= perSecond;
  };
}
