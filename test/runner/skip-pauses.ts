import { vi } from 'vitest';

/** Others in this process pause as well. */
const OF_CLIENT = /[\\/]@supabase[\\/]/;

/** Skips the client's pauses of these lengths in ms, until mocks are restored. Returns the lengths skipped, as they come. */
export function skipPauses(lengths: readonly number[]): number[] {
  const skipped: number[] = [];
  const { setTimeout: later } = globalThis;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((act: () => void, ms = 0, ...rest: []) => {
    const isPause = lengths.includes(ms) && OF_CLIENT.test(new Error().stack ?? '');
    if (isPause) skipped.push(ms);
    return later(act, isPause ? 0 : ms, ...rest);
  }) as typeof setTimeout);
  return skipped;
}
