import { expect, test } from 'vitest';
import { gather } from './gather.ts';

test('as many answers as were asked for, or none', async () => {
  const give = gather(async (items: readonly number[]) => items.slice(1));
  const all = await Promise.allSettled([give(1), give(2)]);
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(give(3)).rejects.toThrow('Of 1 items in one batch, 0 got a result.');
});

test('what comes while others are worked on waits for its turn, is worked on together, and each gets its own', async () => {
  const worked: (readonly string[])[] = [];
  const held = Promise.withResolvers<void>();
  const give = gather(async (items: readonly string[]) => {
    worked.push(items);
    await held.promise;
    if (items.includes('bad')) throw new Error('bad');
    return items.map((item) => item.toUpperCase());
  });
  const first = give('a');
  await Promise.resolve();
  const others = [give('bad'), give('b')];
  expect(worked).toEqual([['a']]);
  held.resolve();
  expect(await first).toBe('A');
  await expect(Promise.all(others)).rejects.toThrow('bad');
  await expect(others[1]).rejects.toThrow('bad');
  expect(worked).toEqual([['a'], ['bad', 'b']]);
  expect(await Promise.all([give('c'), give('d')])).toEqual(['C', 'D']);
});

test('what comes before a batch begins belongs to it', async () => {
  const worked: (readonly number[])[] = [];
  const begun = Promise.withResolvers<void>();
  const give = gather(
    async (items: readonly number[]) => {
      worked.push(items);
      return items;
    },
    { before: () => begun.promise },
  );
  const first = give(1);
  await Promise.resolve();
  const second = give(2);
  expect(worked).toEqual([]);
  begun.resolve();
  expect(await Promise.all([first, second])).toEqual([1, 2]);
  expect(worked).toEqual([[1, 2]]);
});
