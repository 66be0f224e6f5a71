import { expect, test } from 'vitest';
import { leftOut } from './left-out.ts';

/** The share of all places that four answers show which stand in each of the four. */
function inAllOfFour(key: string): number {
  const ids = Array.from({ length: 20_000 }, (_, at) => `place ${at}`);
  const answers = [0.1, 0.2, 0.3, 0.4].map((draw) => leftOut(key, draw));
  const shown = ids.map((id) => answers.filter((isLeftOut) => !isLeftOut(id)).length);
  return shown.filter((times) => times === 4).length / shown.filter((times) => times > 0).length;
}

test('four answers share as many places as were measured in public', () => {
  expect(inAllOfFour('sandbox-leaves-out-46')).toBeCloseTo(21 / 39, 1);
  expect(Math.abs(inAllOfFour('sandbox-leaves-out-46') - 21 / 39)).toBeLessThan(0.02);
  expect(Math.abs(inAllOfFour('sandbox-leaves-out-15') - 0.85 ** 4)).toBeLessThan(0.02);
  expect(inAllOfFour('sandbox')).toBe(1);
});
