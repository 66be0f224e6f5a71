import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pageRange, pageWindow } from './page-window.ts';

test('examples', () => {
  expect(pageWindow(1, 10)).toEqual([1, 2, 3, 4, 5]);
  expect(pageWindow(5, 10)).toEqual([3, 4, 5, 6, 7]);
  expect(pageWindow(10, 10)).toEqual([6, 7, 8, 9, 10]);
  expect(pageWindow(2, 3)).toEqual([1, 2, 3]);
  expect(pageWindow(1, 0)).toEqual([]);
  expect(pageRange(2, 30, 45)).toEqual({ from: 31, to: 45 });
  expect(pageRange(1, 30, 0)).toEqual({ from: 0, to: 0 });
});

test('at most five consecutive pages that exist, the current one among them', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 400 }), (a, b) => {
      const [page, pageCount] = a <= b ? [a, b] : [b, a];
      const links = pageWindow(page, pageCount);
      expect(links).toContain(page);
      expect(links).toHaveLength(Math.min(5, pageCount));
      expect(links[0]).toBeGreaterThanOrEqual(1);
      expect(links.at(-1)).toBeLessThanOrEqual(pageCount);
      for (const [index, link] of links.entries()) expect(link).toBe((links[0] ?? 0) + index);
    }),
  );
});
