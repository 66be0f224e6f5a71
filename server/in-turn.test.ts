import { expect, test } from 'vitest';
import { inTurn } from './in-turn.ts';

test('what is asked for about one key is done one after the other, and a failure stops nobody', async () => {
  const done: string[] = [];
  const held = Promise.withResolvers<void>();
  const first = inTurn('a', async () => {
    await held.promise;
    done.push('first');
    throw new Error('failed');
  });
  const second = inTurn('a', async () => done.push('second'));
  await inTurn('b', async () => done.push('other'));
  expect(done).toEqual(['other']);
  held.resolve();
  await expect(first).rejects.toThrow('failed');
  await second;
  expect(done).toEqual(['other', 'first', 'second']);
});
