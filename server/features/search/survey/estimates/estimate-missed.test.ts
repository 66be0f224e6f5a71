import { expect, test } from 'vitest';
import { leftOut } from '#sandbox/businesses/left-out.ts';
import { SAMPLE_WHERE_ANSWERS_DIFFER } from './calls-left.ts';
import { estimateMissed, type ProbedLeaf } from './estimate-missed.ts';

const CITIES = 100;
const IN_LEAF = 40;
const LOOKS = 5;

/** A city of which a survey saw what one answer holds, and a sample of whose leaves was looked at again. */
function survey(city: number, { key, leaves, sampled }: { key: string; leaves: number; sampled: number }) {
  let answers = city * 1_000_000;
  const answer = (ids: readonly string[]) => {
    answers += 1;
    const isLeftOut = leftOut(key, answers);
    return ids.filter((id) => !isLeftOut(id));
  };
  let missed = 0;
  const probed = Array.from({ length: leaves }, (_, leaf): ProbedLeaf => {
    const ids = Array.from({ length: IN_LEAF }, (_, at) => `place ${city}-${leaf}-${at}`);
    const known = answer(ids);
    const probes = Array.from({ length: leaf < sampled ? LOOKS : 0 }, () => answer(ids));
    missed += IN_LEAF - new Set([known, ...probes].flat()).size;
    return { known, probes };
  });
  const sample = probed.slice(0, sampled);
  const restKnown = probed.slice(sampled).reduce((sum, { known }) => sum + known.length, 0);
  return { probed: { nearlyFull: [], sample, restKnown }, missedShare: missed / (leaves * IN_LEAF) };
}

test.each([
  ['-leaves-out-15', 10],
  ['-leaves-out-15', 100],
  ['-leaves-out-46', 10],
  ['-leaves-out-46', 100],
])(
  'in nine of ten cities the stated share of missed places is right within two points (%s, %i leaves)',
  (key, leaves) => {
    const sampled = Math.min(leaves, SAMPLE_WHERE_ANSWERS_DIFFER / IN_LEAF);
    let right = 0;
    for (let city = 0; city < CITIES; city += 1) {
      const { probed, missedShare } = survey(city, { key, leaves, sampled });
      if (Math.abs(estimateMissed(probed).missedShare - missedShare) <= 0.02) right += 1;
    }
    expect(right).toBeGreaterThanOrEqual(0.9 * CITIES);
  },
);
