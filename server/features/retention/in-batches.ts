/** Repeats a statement that changes at most `size` rows until it finds fewer, or until `signal` aborts. Returns how many it changed. */
export async function inBatches(
  size: number,
  signal: AbortSignal,
  once: () => Promise<{ numAffectedRows?: bigint | undefined }>,
): Promise<number> {
  let total = 0;
  for (let changed = size; changed === size && !signal.aborted; total += changed) {
    changed = Number((await once()).numAffectedRows ?? 0n);
  }
  return total;
}
