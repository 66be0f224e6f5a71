import type { Piece } from './cut.ts';

/** A rectangle of a cut. */
export type Part<T> = {
  readonly tile: T;
  /** What it is a half of. A cut begins with parts that are none. */
  readonly half: Halving<T> | undefined;
  /** `seen`: all of it was looked into. `in part`: some of it lies outside of the area. */
  state: 'open' | 'seen' | 'in part';
  /** How many places were seen in it, and those of them that its halving had shown. */
  places: number;
  readonly met: Set<string>;
};
/** `shown`: what a look at the whole has shown, or one at what the whole was cut from. */
type Halving<T> = { whole: Part<T>; halves: readonly Part<T>[]; shown: ReadonlySet<string> };

/**
 * Which part of a cut is looked into next. One half is finished before the other begins, because it tells how much that holds.
 * - Where nothing else is left, the other begins all the same.
 */
export type CutOrder<T> = {
  next(): Part<T> | undefined;
  /** Puts halves in the place of a part. `ids`: what a look at it has shown; undefined where it was cut without one. */
  cut(whole: Part<T>, ids: readonly string[] | undefined, halves: readonly (T & Piece)[]): void;
  /** Says all that a part holds that is not cut. */
  settle(part: Part<T>, ids: readonly string[]): void;
};

const partOf = <T>(tile: T, half?: Halving<T>): Part<T> => ({
  tile,
  half,
  state: 'open',
  places: 0,
  met: new Set(),
});

/** Begins a cut. `open`: where, the last one first. */
export function createCutOrder<T>(open: readonly T[]): CutOrder<T> {
  const ready = open.map((tile) => partOf(tile));
  const waiting = new Set<Part<T>>();

  function finish(part: Part<T>, state: 'seen' | 'in part'): void {
    part.state = state;
    if (!part.half) return;
    const { whole, halves } = part.half;
    for (const half of halves) if (waiting.delete(half)) ready.push(half);
    if (halves.some((half) => half.state === 'open')) return;
    finish(whole, halves.every((half) => half.state === 'seen') ? 'seen' : 'in part');
  }

  return {
    next() {
      const part = ready.pop() ?? waiting.values().next().value;
      if (part) waiting.delete(part);
      return part;
    },
    cut(whole, ids, pieces) {
      const halves: Part<T>[] = [];
      const halving = { whole, halves, shown: ids ? new Set(ids) : shownIn(whole) };
      halves.push(...pieces.map((piece) => partOf<T>(piece, halving)));
      const [first, ...others] = halves.filter((_, at) => pieces[at]?.state === 'open').toReversed();
      if (first) ready.push(first);
      for (const other of others) waiting.add(other);
      for (const [at, half] of halves.entries()) if (pieces[at]?.state === 'outside') finish(half, 'in part');
    },
    settle(settled, ids) {
      for (let part: Part<T> | undefined = settled; part; part = part.half?.whole) {
        part.places += ids.length;
        for (const id of ids) if (part.half?.shown.has(id)) part.met.add(id);
      }
      finish(settled, 'seen');
    },
  };
}

/**
 * How many places a part holds at least, by what was found in its other half; 0 where that tells nothing.
 * - Of what was shown of both, the halves have as much as they have of all places.
 * - Less one standard deviation: the logarithm of such a ratio has the variance 1/here + 1/there.
 */
export function fewestIn<T>(part: Part<T>): number {
  const other = otherHalf(part);
  if (other?.state !== 'seen') return 0;
  const [here, there] = [shownIn(part).size, Math.max(1, other.met.size)];
  return Math.max(here, ((other.places * here) / there) * Math.exp(-Math.sqrt(1 / here + 1 / there)));
}

const otherHalf = <T>(part: Part<T>): Part<T> | undefined => part.half?.halves.find((half) => half !== part);

/** What its halving has shown and the other half has not. */
function shownIn<T>(part: Part<T>): ReadonlySet<string> {
  const other = otherHalf(part);
  return new Set([...(part.half?.shown ?? [])].filter((id) => !other?.met.has(id)));
}
