import { expect, test } from 'vitest';
import { gather } from './gather.ts';

test('what comes while others are worked on waits for its turn, and is worked on together', async () => {
  const worked: (readonly string[])[] = [];
  const held = Promise.withResolvers<void>();
  const give = gather<string>(async (items) => {
    worked.push(items);
    await held.promise;
    if (items.includes('bad')) throw new Error('bad');
  });
  const first = give('a');
  await Promise.resolve();
  const others = [give('bad'), give('b')];
  expect(worked).toEqual([['a']]);
  held.resolve();
  await first;
  await expect(Promise.all(others)).rejects.toThrow('bad');
  await expect(others[1]).rejects.toThrow('bad');
  expect(worked).toEqual([['a'], ['bad', 'b']]);
  await give('c');
  expect(worked.at(-1)).toEqual(['c']);
});
