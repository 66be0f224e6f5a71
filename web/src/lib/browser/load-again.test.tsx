import { afterEach, expect, test, vi } from 'vitest';
import { loadAgain } from './load-again.ts';

const part = { Part: () => null };

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('a part that fails to load once is loaded again', async () => {
  vi.useFakeTimers();
  const load = vi
    .fn<() => Promise<typeof part>>()
    .mockRejectedValueOnce(new TypeError('Importing a module script failed.'))
    .mockResolvedValue(part);
  const loaded = loadAgain(load, 'Part');
  await vi.runAllTimersAsync();
  expect(await loaded).toBe(part);
  expect(load).toHaveBeenCalledTimes(2);
});

test('a part that never loads is given up', async () => {
  vi.useFakeTimers();
  const load = vi.fn<() => Promise<typeof part>>().mockRejectedValue(new TypeError('gone'));
  const failed = expect(loadAgain(load, 'Part')).rejects.toThrow('gone');
  await vi.runAllTimersAsync();
  await failed;
  expect(load).toHaveBeenCalledTimes(5);
});

test('a part is loaded again as soon as the network is back', async () => {
  vi.useFakeTimers();
  const load = vi
    .fn<() => Promise<typeof part>>()
    .mockRejectedValueOnce(new TypeError('gone'))
    .mockRejectedValueOnce(new TypeError('gone'))
    .mockResolvedValue(part);
  const loaded = loadAgain(load, 'Part');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(load).toHaveBeenCalledTimes(2);
  window.dispatchEvent(new Event('online'));
  expect(await loaded).toBe(part);
});

test('without a network nothing is tried, and nothing given up', async () => {
  vi.useFakeTimers();
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const load = vi.fn<() => Promise<typeof part>>().mockRejectedValueOnce(new TypeError('gone')).mockResolvedValue(part);
  const loaded = loadAgain(load, 'Part');
  await vi.advanceTimersByTimeAsync(600_000);
  expect(load).toHaveBeenCalledTimes(1);
  onLine.mockReturnValue(true);
  window.dispatchEvent(new Event('online'));
  expect(await loaded).toBe(part);
});
