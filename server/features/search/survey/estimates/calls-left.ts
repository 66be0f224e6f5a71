/** Rectangles of one size. `split`: those that were full and are cut. */
export type Level = {
  depth: number;
  open: number;
  outside: number;
  settled: number;
  split: number;
  /** Pages and places of the settled ones, and how many of these hold 50 or more. */
  pages: number;
  places: number;
  nearlyFull: number;
};

/** Pages of a rectangle that is full, and of one that is not, before any was looked at. */
const FULL_PAGES = 3;
const USUAL_PAGES = 2;
/** Below the smallest size that was looked at, each size is cut half as often as the one above. */
const FADE = 0.5;

/**
 * How many free calls the open rectangles will take, including those of their pieces.
 * - It goes by how often each size was cut so far, not by area: where businesses are dense, small rectangles are cut again and again.
 */
export function callsLeft(levels: readonly Level[]): number {
  const deepest = levels.length - 1;
  const chances: number[] = [];
  for (const [depth, { split, settled }] of levels.entries()) {
    const before = depth === 0 ? 1 : (chances[depth - 1] ?? 1) * FADE;
    // What the size above tells counts as one look that was not made.
    chances.push((split + before) / (split + settled + 1));
  }
  let deeper = USUAL_PAGES;
  let calls = 0;
  for (let depth = deepest; depth >= 0; depth -= 1) {
    const level = levels[depth];
    if (!level) continue;
    const chance = chances[depth] ?? 0;
    const made = 2 * level.split;
    const inside = made === 0 ? 1 : 1 - (levels[depth + 1]?.outside ?? 0) / made;
    const usual = level.settled === 0 ? USUAL_PAGES : level.pages / level.settled;
    const each = chance * (FULL_PAGES + 2 * inside * deeper) + (1 - chance) * usual;
    calls += level.open * each;
    deeper = each;
  }
  return calls;
}

/** How many places the second look draws at random, of those that are known: a share of them, within limits. */
export const placesToSample = (known: number): number => Math.min(700, Math.max(280, 0.14 * known));

/**
 * How many it draws where answers differ. With fewer, chance alone moves the stated share by more than two points where Google leaves
 * out as much as it does at worst.
 */
export const SAMPLE_WHERE_ANSWERS_DIFFER = 1_400;

/** How many free calls a second look takes: at a sample of places, and at all nearly full rectangles. `share`: how much of the first look is done. */
export function probeCalls(levels: readonly Level[], share: number): number {
  const sum = (of: (level: Level) => number) => levels.reduce((all, level) => all + of(level), 0);
  const [settled, places, full] = [
    sum((level) => level.settled),
    sum((level) => level.places),
    sum((level) => level.nearlyFull),
  ];
  if (settled === 0 || share === 0) return 0;
  const sampled = placesToSample(places / share);
  const leaves = Math.min(settled / share, places === 0 ? settled : sampled / (places / settled));
  return 3 * leaves + (4 * full) / share;
}
