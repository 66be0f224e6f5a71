import type { Reprobe } from '#contract/work/coverage.ts';

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

/**
 * Estimates the share of places that a survey still misses, with its 95 % interval.
 * - From several looks at the same leaves, as from several catches of the same fish (Chao 1987, for places that are hard to see).
 * - The interval comes from drawing the sampled leaves again (bootstrap), because places of one leaf are seen or missed together.
 */
export function estimateMissed(probed: Probed): Reprobe {
  const leaves = [...probed.nearlyFull, ...probed.sample];
  const seen = leaves.reduce((sum, leaf) => sum + unionOf(leaf.probes).size, 0);
  const found = leaves.reduce((sum, leaf) => sum + newIn(leaf), 0);
  const counts = { leaves: leaves.length, seen, new: found };
  const missedShare = shareMissed(probed);
  if (found === 0) return { ...counts, missedShare, low: 0, high: seen === 0 ? 1 : Math.min(1, 3 / seen) };
  const random = sequence(leaves.length * 7919 + seen);
  const draws = Array.from({ length: RESAMPLES }, () =>
    shareMissed({
      ...probed,
      sample: redraw(probed.sample, random),
      nearlyFull: redraw(probed.nearlyFull, random),
    }),
  ).toSorted((a, b) => a - b);
  const at = (share: number) => draws[Math.min(RESAMPLES - 1, Math.floor(share * RESAMPLES))] ?? missedShare;
  return { ...counts, missedShare, low: Math.min(at(0.025), missedShare), high: Math.max(at(0.975), missedShare) };
}

function shareMissed({ nearlyFull, sample, restKnown }: Probed): number {
  const [full, drawn] = [tally(nearlyFull), tally(sample)];
  const rate = drawn.all === 0 ? full.knownShare : drawn.knownShare;
  const rest = rate === 0 ? restKnown : restKnown / rate;
  const all = full.all + drawn.all + rest;
  const missed = full.missing + drawn.missing + (rest - restKnown);
  return all === 0 ? 0 : Math.min(1, Math.max(0, missed / all));
}

/** Estimates `all` places in these leaves, and how many of them are `missing`: no look has seen them. */
function tally(leaves: readonly ProbedLeaf[]): { all: number; missing: number; knownShare: number } {
  let [known, union, once, twice, unseen, looks] = [0, 0, 0, 0, 0, 0];
  for (const leaf of leaves) {
    const times = new Map<string, number>();
    for (const id of leaf.known) times.set(id, 0);
    for (const probe of leaf.probes) for (const id of new Set(probe)) times.set(id, (times.get(id) ?? 0) + 1);
    for (const seen of times.values()) {
      if (seen === 0) unseen += 1;
      if (seen === 1) once += 1;
      if (seen === 2) twice += 1;
    }
    known += leaf.known.length;
    union += times.size;
    looks = Math.max(looks, leaf.probes.length);
  }
  const missing = looks < 2 ? missingAfterOne(leaves) : missingAfterSeveral({ once, twice, unseen, looks });
  const all = union + missing;
  return { all, missing, knownShare: all === 0 ? 1 : known / all };
}

/** Two catches (Lincoln and Petersen): what is new in the second shows what the first missed, and the reverse. */
function missingAfterOne(leaves: readonly ProbedLeaf[]): number {
  const seen = leaves.reduce((sum, { probes }) => sum + unionOf(probes).size, 0);
  const fresh = leaves.reduce((sum, leaf) => sum + newIn(leaf), 0);
  const known = leaves.reduce((sum, leaf) => sum + leaf.known.length, 0);
  const both = seen - fresh;
  return both === 0 ? 0 : (fresh * (known - both)) / both;
}

function missingAfterSeveral(times: { once: number; twice: number; unseen: number; looks: number }): number {
  const { once, twice, unseen, looks } = times;
  const few = (looks - 1) / looks;
  const never = twice > 0 ? (few * once * once) / (2 * twice) : (few * once * Math.max(0, once - 1)) / 2;
  return Math.max(0, never - unseen);
}

const unionOf = (probes: ProbedLeaf['probes']): Set<string> => new Set(probes.flat());

function newIn({ known, probes }: ProbedLeaf): number {
  const before = new Set(known);
  return [...unionOf(probes)].filter((id) => !before.has(id)).length;
}

const redraw = (leaves: readonly ProbedLeaf[], random: () => number): ProbedLeaf[] =>
  leaves.flatMap(() => leaves[Math.floor(random() * leaves.length)] ?? []);

/** Returns numbers from 0 to 1, the same for the same seed, so that a certificate can be checked again. */
function sequence(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
