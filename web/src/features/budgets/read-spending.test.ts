import { expect, test } from 'vitest';
import { readSpending } from './read-spending.ts';

test('“Spend at most”: nothing, an amount, or what is wrong', () => {
  expect(readSpending('')).toEqual({});
  expect(readSpending('$1.20')).toEqual({ micros: 1_200_000 });
  expect(readSpending('0')).toEqual({ error: 'Enter at least $0.01.' });
  expect(readSpending('some')).toEqual({ error: 'Enter an amount in dollars, such as 25 or 12.50.' });
});
