import { expect, test } from 'vitest';
import { watchBalance } from './watch-balance.ts';

const answer = (balanceMicros?: number) => async () => (balanceMicros === undefined ? {} : { balanceMicros });

test('of answers that overlap the lowest is what is left', async () => {
  const balance = watchBalance();
  const slow = Promise.withResolvers<{ balanceMicros: number }>();
  const first = balance.during(() => slow.promise);
  await balance.during(answer(80));
  slow.resolve({ balanceMicros: 90 });
  await first;
  await balance.during(answer());
  expect(balance.left()).toBe(80);
});

test('where money was paid in between two answers nothing is said', async () => {
  const balance = watchBalance();
  await balance.during(answer(20));
  await balance.during(answer(500));
  await balance.during(answer(480));
  expect(balance.left()).toBeUndefined();
});

test('answers that do not say it, and none at all, say nothing', async () => {
  const balance = watchBalance();
  await balance.during(answer());
  expect(balance.left()).toBeUndefined();
});
