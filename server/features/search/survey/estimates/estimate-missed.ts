import type { Reprobe } from '#contract/work/search/coverage.ts';

/** A leaf that was looked at again: what was known about it, and what each further look saw. */
export type ProbedLeaf = { known: readonly string[]; probes: readonly (readonly string[])[] };

export type Probed = {
  /** Every nearly full leaf, looked at once more. */
  nearlyFull: readonly ProbedLeaf[];
  /** Leaves that were drawn at random from all others. */
  sample: readonly ProbedLeaf[];
  /** Known places in the leaves that were not looked at again. */
  restKnown: number;
};

const RESAMPLES = 400;

/** What the looks at a leaf saw. The survey itself was one of them. */
type Counts = {
  looks: number;
  /** Places that the survey knew, that further looks saw, and those of them that are new. */
  known: number;
  seen: number;
  new: number;
  /** Places that one look saw, and that two saw. */
  once: number;
  twice: number;
};

type Strata = { nearlyFull: readonly Counts[]; sample: readonly Counts[]; restKnown: number };

/**
 * Estimates the share of places that a survey still misses, with its 95 % interval.
 * - From several looks at the same leaves, as from several catches of the same fish (Chao 1987, for places that are hard to see).
 * - The interval comes from drawing the sampled leaves again (bootstrap), because places of one leaf are seen or missed together.
 */
export function estimateMissed({ nearlyFull, sample, restKnown }: Probed): Reprobe {
  const strata: Strata = { nearlyFull: nearlyFull.map(countLooks), sample: sample.map(countLooks), restKnown };
  const all = total([...strata.nearlyFull, ...strata.sample]);
  const counts = { leaves: nearlyFull.length + sample.length, seen: all.seen, new: all.new };
  const missedShare = shareMissed(strata);
  if (all.new === 0) return { ...counts, missedShare, low: 0, high: all.seen === 0 ? 1 : Math.min(1, 3 / all.seen) };
  const random = sequence(counts.leaves * 7919 + all.seen);
  const draws = Array.from({ length: RESAMPLES }, () =>
    shareMissed({
      ...strata,
      sample: redraw(strata.sample, random),
      nearlyFull: redraw(strata.nearlyFull, random),
    }),
  ).toSorted((a, b) => a - b);
  const at = (share: number) => draws[Math.min(RESAMPLES - 1, Math.floor(share * RESAMPLES))] ?? missedShare;
  return { ...counts, missedShare, low: Math.min(at(0.025), missedShare), high: Math.max(at(0.975), missedShare) };
}

function countLooks({ known, probes }: ProbedLeaf): Counts {
  const times = new Map<string, number>();
  for (const look of [known, ...probes]) for (const id of new Set(look)) times.set(id, (times.get(id) ?? 0) + 1);
  const seenTimes = (wanted: number) => [...times.values()].filter((seen) => seen === wanted).length;
  return {
    looks: probes.length + 1,
    known: known.length,
    seen: new Set(probes.flat()).size,
    new: times.size - known.length,
    once: seenTimes(1),
    twice: seenTimes(2),
  };
}

function total(leaves: readonly Counts[]): Counts {
  const sum = { looks: 0, known: 0, seen: 0, new: 0, once: 0, twice: 0 };
  for (const leaf of leaves) {
    sum.looks = Math.max(sum.looks, leaf.looks);
    sum.known += leaf.known;
    sum.seen += leaf.seen;
    sum.new += leaf.new;
    sum.once += leaf.once;
    sum.twice += leaf.twice;
  }
  return sum;
}

function shareMissed({ nearlyFull, sample, restKnown }: Strata): number {
  const [full, drawn] = [tally(nearlyFull), tally(sample)];
  const rate = drawn.all === 0 ? full.knownShare : drawn.knownShare;
  const rest = rate === 0 ? restKnown : restKnown / rate;
  const all = full.all + drawn.all + rest;
  const missed = full.missing + drawn.missing + (rest - restKnown);
  return all === 0 ? 0 : Math.min(1, Math.max(0, missed / all));
}

/** Estimates `all` places in these leaves, and how many of them are `missing`: no look has seen them. */
function tally(leaves: readonly Counts[]): { all: number; missing: number; knownShare: number } {
  const counts = total(leaves);
  const missing = counts.looks <= 2 ? missingAfterTwo(counts) : missingAfterSeveral(counts);
  const all = counts.known + counts.new + missing;
  return { all, missing, knownShare: all === 0 ? 1 : counts.known / all };
}

/** Two catches (Lincoln and Petersen): what is new in the second shows what the first missed, and the reverse. */
function missingAfterTwo({ seen, new: fresh, known }: Counts): number {
  const both = seen - fresh;
  return both === 0 ? 0 : (fresh * (known - both)) / both;
}

function missingAfterSeveral({ once, twice, looks }: Counts): number {
  const few = (looks - 1) / looks;
  return twice > 0 ? (few * once * once) / (2 * twice) : (few * once * Math.max(0, once - 1)) / 2;
}

const redraw = <T>(leaves: readonly T[], random: () => number): T[] =>
  leaves.flatMap(() => leaves[Math.floor(random() * leaves.length)] ?? []);

/** Returns numbers from 0 to 1, the same for the same seed, so that a certificate can be checked again. */
function sequence(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
