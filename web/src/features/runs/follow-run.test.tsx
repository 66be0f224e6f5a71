import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { runKeys } from './api.ts';
import { createRunFollower } from './follow-run.ts';

afterEach(() => vi.useRealTimers());

test('a run that is shown is read when it is told to have changed, once a second at most; one that waits, when another has', async () => {
  vi.useFakeTimers();
  const queries = new QueryClient();
  const reads: Record<string, number> = {};
  const stops = Object.entries({ works: 'running', waits: 'queued' }).map(([id, state]) =>
    new QueryObserver(queries, {
      queryKey: runKeys.one(id),
      queryFn: async () => {
        reads[id] = (reads[id] ?? 0) + 1;
        return { state };
      },
    }).subscribe(() => {}),
  );
  const follower = createRunFollower(queries);
  await vi.advanceTimersByTimeAsync(10);
  expect(reads).toEqual({ works: 1, waits: 1 });
  for (let time = 0; time < 20; time += 1) {
    follower.changed(['works']);
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(reads.works).toBeGreaterThanOrEqual(3);
  expect(reads.works).toBeLessThanOrEqual(4);
  const before = { ...reads };
  follower.changed(['elsewhere']);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(reads.works).toBe(before.works);
  expect(reads.waits).toBeGreaterThan(before.waits ?? 0);
  follower.stop();
  for (const stop of stops) stop();
});
