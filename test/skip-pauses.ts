import { vi } from 'vitest';

/** Lets pauses of these lengths in ms pass at once, until mocks are restored. Returns those that there were, as they come. */
export function skipPauses(lengths: readonly number[]): number[] {
  const skipped: number[] = [];
  const { setTimeout: later } = globalThis;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((act: () => void, ms = 0, ...rest: []) => {
    const isPause = lengths.includes(ms);
    if (isPause) skipped.push(ms);
    return later(act, isPause ? 0 : ms, ...rest);
  }) as typeof setTimeout);
  return skipped;
}
