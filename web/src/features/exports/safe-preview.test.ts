import { expect, test } from 'vitest';
import { staysOut } from './safe-preview.tsx';

test.each([
  [{ leads: 5, leftOut: 0, valuesLeftOut: 0 }, 'Nothing stays out: all values may be kept.'],
  [{ leads: 5, leftOut: 0, valuesLeftOut: 1 }, '1 value stays out.'],
  [{ leads: 5, leftOut: 1, valuesLeftOut: 0 }, '1 lead stays out, because no license lets its name be kept.'],
  [
    { leads: 1_200, leftOut: 2, valuesLeftOut: 30 },
    '2 leads stay out, because no license lets their names be kept. Of the other 1,200, 30 values stay out.',
  ],
  [{ leads: 0, leftOut: 3, valuesLeftOut: 0 }, 'Nothing is left to export: no name of 3 leads may be kept.'],
  [{ leads: 0, leftOut: 0, valuesLeftOut: 0 }, 'No lead is chosen.'],
])('%j in words', (preview, words) => {
  expect(staysOut(preview)).toBe(words);
});
