/** The middle value; of an even number of values, the lower of the two. */
export function median(values: readonly number[]): number {
  const middle = values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)];
  if (middle === undefined) throw new Error('Nothing was measured.');
  return middle;
}

/** The value that `percent` of all values do not exceed. */
export function percentile(values: readonly number[], percent: number): number {
  const value = values.toSorted((a, b) => a - b)[Math.ceil((values.length * percent) / 100) - 1];
  if (value === undefined) throw new Error('Nothing was measured.');
  return value;
}

/** How long `work` takes, in ms. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** "871 ms", "4.82 ms". */
export const inMs = (ms: number): string => `${ms < 20 ? ms.toFixed(2) : ms.toFixed(0)} ms`;
