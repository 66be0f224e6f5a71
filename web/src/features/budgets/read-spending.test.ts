import { expect, test } from 'vitest';
import { readSpending } from './read-spending.ts';

test('“Spend at most”: nothing, an amount, or what is wrong', () => {
  expect(readSpending('')).toEqual({});
  expect(readSpending('$1.20')).toEqual({ micros: 1_200_000 });
  expect(readSpending('0')).toEqual({ error: 'Enter at least $0.01.' });
  expect(readSpending('some')).toEqual({ error: 'Enter an amount in dollars, such as 25 or 12.50.' });
});

test.each(['1,50', '0,5', '1,5', '12,50', '1,2000', '1,,000', ',5', '1000,000'])(
  'a comma that parts no thousands is not left out: “%s” is refused',
  (typed) => {
    expect(readSpending(typed)).toEqual({ error: 'Enter an amount in dollars, such as 25 or 12.50.' });
  },
);

test.each([
  ['1,200.50', 1_200_500_000],
  ['$ 1,000', 1_000_000_000],
  ['1000', 1_000_000_000],
  ['.5', 500_000],
])('“%s” is read', (typed, micros) => {
  expect(readSpending(typed)).toEqual({ micros });
});
