/** A seeded stream of chance: the same seed gives the same values, in the same order. */
export type Random = {
  /** 0 ≤ value < 1. */
  next(): number;
  /** True with the given probability. */
  chance(probability: number): boolean;
  /** 0 ≤ whole number < `below`. */
  below(below: number): number;
  /**
   * One of the items.
   * @throws when there is none.
   */
  pick<T>(items: readonly T[]): T;
};

/** A 32-bit hash of a text (FNV-1a with a final mix). */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** A short id of lower-case letters and digits, the same for the same text. */
export const idOf = (text: string): string => hashOf(text).toString(36) + hashOf(`${text}#`).toString(36);

/** A stream from a text seed (the generator is mulberry32). */
export function seededRandom(seed: string): Random {
  let state = hashOf(seed);
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick(items) {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error('pick needs at least one item');
      return item;
    },
  };
}
