import { afterEach, expect, test, vi } from 'vitest';
import { loadAgain } from './load-again.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('a part that fails to load once is loaded again', async () => {
  vi.useFakeTimers();
  const load = vi
    .fn()
    .mockRejectedValueOnce(new TypeError('Importing a module script failed.'))
    .mockResolvedValue('part');
  const loaded = loadAgain(load);
  await vi.runAllTimersAsync();
  expect(await loaded).toBe('part');
  expect(load).toHaveBeenCalledTimes(2);
});

test('a part that never loads is given up', async () => {
  vi.useFakeTimers();
  const load = vi.fn().mockRejectedValue(new TypeError('gone'));
  const failed = expect(loadAgain(load)).rejects.toThrow('gone');
  await vi.runAllTimersAsync();
  await failed;
  expect(load).toHaveBeenCalledTimes(5);
});
