import { expect, test } from 'vitest';
import { callsLeft, type Level, probeCalls } from './calls-left.ts';

const level = (depth: number, counts: Partial<Level>): Level => ({
  depth,
  open: 0,
  outside: 0,
  settled: 0,
  split: 0,
  pages: 0,
  places: 0,
  nearlyFull: 0,
  ...counts,
});

test('nothing open takes no call', () => {
  expect(callsLeft([level(0, { split: 1 }), level(1, { settled: 2, pages: 4, places: 60 })])).toBe(0);
});

test('where pieces are cut again and again, an open one takes as many calls as those before it', () => {
  // One of two halves is done: it took 1 + 2 + 4 rectangles of three pages and 8 of two.
  const dense = [
    level(0, { split: 1 }),
    level(1, { open: 1, split: 1 }),
    level(2, { split: 2 }),
    level(3, { settled: 4, pages: 8, places: 120 }),
  ];
  const empty = [level(0, { split: 1 }), level(1, { open: 1, settled: 1, pages: 1, places: 3 })];
  expect(callsLeft(dense)).toBeGreaterThan(9);
  expect(callsLeft(dense)).toBeLessThan(25);
  expect(callsLeft(empty)).toBeLessThan(callsLeft(dense) / 2);
});

test('a second look is counted in, by as many parts as the first will have', () => {
  const levels = [level(0, { split: 1 }), level(1, { settled: 40, pages: 100, places: 1_600, nearlyFull: 5 })];
  expect(probeCalls(levels, 1)).toBeCloseTo(3 * (280 / 40) + 20);
  expect(probeCalls(levels, 0.5)).toBeGreaterThan(probeCalls(levels, 1));
});
