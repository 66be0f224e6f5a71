import { expect, test } from 'vitest';
import { fewRandomBytes } from './random.ts';

test('no bytes are given out twice, however many are drawn at once', () => {
  const counts = Array.from({ length: 5_000 }, (_, at) => (at % 100 === 99 ? 10_000 : 12 + (at % 5)));
  const drawn = counts.map((count) => fewRandomBytes(count).toString('hex'));
  expect(drawn.map((hex) => hex.length / 2)).toEqual(counts);
  expect(new Set(drawn.map((hex) => hex.slice(0, 24))).size).toBe(counts.length);
});
