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

test('a part is loaded again as soon as the network is back', async () => {
  vi.useFakeTimers();
  const load = vi
    .fn()
    .mockRejectedValueOnce(new TypeError('gone'))
    .mockRejectedValueOnce(new TypeError('gone'))
    .mockResolvedValue('part');
  const loaded = loadAgain(load);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(load).toHaveBeenCalledTimes(2);
  window.dispatchEvent(new Event('online'));
  expect(await loaded).toBe('part');
});
