import { expect, test } from 'vitest';
import type { Leaf } from '#contract/work/search/coverage.ts';
import {
  countStates,
  degrees,
  foundText,
  gapsText,
  googleCountText,
  inListText,
  isSilent,
  laterText,
  missedText,
} from './coverage-text.ts';

test('says what may be missing, with its interval', () => {
  const reprobe = { leaves: 4, seen: 150, new: 3, missedShare: 0.021, low: 0.004, high: 0.12 };
  expect(missedText(reprobe)).toBe(
    'About 2.1% of the places may be missing (95% interval: 0.4% to 12%). A second, finer look at 4 parts saw 150 places, 3 of them new.',
  );
  expect(missedText({ ...reprobe, new: 0, missedShare: 0, low: 0, high: 0.02 })).toMatch(
    /^No place seems to be missing; at most 2.0%/,
  );
  expect(missedText(null)).toContain('no estimate of what may be missing');
});

const leaf = (state: Leaf['state'], ids: string[]): Leaf => ({
  state,
  ids,
  south: 0,
  west: 0,
  north: 1,
  east: 1,
  query: 'dentist',
  pages: 1,
});

test('counts parts by state, those first that hide something', () => {
  expect(countStates([leaf('complete', ['a', 'b']), leaf('failed', []), leaf('complete', ['c'])])).toEqual([
    { state: 'failed', parts: 1, places: 0 },
    { state: 'complete', parts: 2, places: 3 },
  ]);
  expect(degrees(397_012_345, 398_000_000)).toBe('39.7012345 to 39.8000000');
});

test('says what was found, what no part holds, and what was counted later', () => {
  expect(foundText({ uniqueIds: 2014, outsideIds: 0, unplaced: 0, gaps: [] })).toBe('2,014');
  expect(foundText({ uniqueIds: 2014, outsideIds: 0, unplaced: 3, gaps: [] })).toMatch(
    /^2,014 · 3 of those found were seen before/,
  );
  expect(foundText({ uniqueIds: 2014, outsideIds: 0, unplaced: 3, gaps: [leaf('saturated', [])] })).toContain(
    '3 of those',
  );
  expect(foundText({ uniqueIds: 2014, outsideIds: 0, unplaced: 3, gaps: [leaf('failed', [])] })).toBe('2,014');
  expect(foundText({ uniqueIds: 679, outsideIds: 26, unplaced: 0, gaps: [] })).toBe(
    '679 · 26 more lie outside, in parts that cross the border',
  );
  expect(laterText({ passes: 1, newPlaces: 12, gaps: 0, finishedAt: null })).toMatch(
    /^1 more pass: 12 more places, no gap left\./,
  );
  expect(laterText({ passes: 0, newPlaces: 0, gaps: 2, finishedAt: null })).toMatch(
    /^0 more passes: no more places, 2 gaps left\./,
  );
});

test('says how many of the places found are in the list, and what Google counts', () => {
  expect(inListText({ inList: 684, uniqueIds: 684 })).toBe('684');
  expect(inListText({ inList: 586, uniqueIds: 684 })).toMatch(/^586 · 98 others were found\. They have closed/);
  expect(googleCountText({ uniqueIds: 684 }, 700)).toMatch(/^700 places by Places Aggregate · 684 found here\. /);
});

test('only parts without an answer can be finished, and others cannot be divided further', () => {
  expect(gapsText([leaf('saturated', [])])).toMatch(
    /^1 part is as small as a building .* It cannot be divided further\.$/,
  );
  expect(gapsText([leaf('failed', []), leaf('open', []), leaf('saturated', [])])).toMatch(
    /^2 parts could not be counted\. 1 part is/,
  );
  expect((['failed', 'open', 'saturated', 'complete'] as const).filter((state) => isSilent({ state }))).toEqual([
    'failed',
    'open',
  ]);
});
