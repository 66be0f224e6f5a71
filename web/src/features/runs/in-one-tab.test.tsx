import { afterEach, expect, test, vi } from 'vitest';
import { inOneTab } from './in-one-tab.ts';

afterEach(() => {
  vi.useRealTimers();
  Reflect.deleteProperty(navigator, 'locks');
});

/** Locks as browsers have them, of which only `ifAvailable` is asked for here. */
function giveLocks(): void {
  const held = new Set<string>();
  const request = async (name: string, _options: object, work: (lock: object | null) => Promise<void>) => {
    if (held.has(name)) return work(null);
    held.add(name);
    await work({});
    held.delete(name);
  };
  Object.defineProperty(navigator, 'locks', { value: { request }, configurable: true });
}

test('of tabs that want the same, one does it; something else has a turn of its own', async () => {
  vi.useFakeTimers();
  giveLocks();
  const done: string[] = [];
  const turns = ['run 1', 'run 1', 'run 2'].map((name) => inOneTab(name, () => void done.push(name)));
  await vi.runAllTimersAsync();
  await Promise.all(turns);
  expect(done).toEqual(['run 1', 'run 2']);
});

test('a hidden tab lets the one in front go first', async () => {
  vi.useFakeTimers();
  giveLocks();
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValueOnce(true);
  const done: string[] = [];
  const turns = ['hidden', 'in front'].map((tab) => inOneTab('run 1', () => void done.push(tab)));
  await vi.runAllTimersAsync();
  await Promise.all(turns);
  expect(done).toEqual(['in front']);
  hidden.mockRestore();
});

test('without locks every tab does it', async () => {
  const work = vi.fn();
  await inOneTab('run 1', work);
  expect(work).toHaveBeenCalledOnce();
});
