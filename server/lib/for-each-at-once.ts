/**
 * Runs `work` on every item, `atOnce` at a time. After a failure nothing new begins, and `failed` aborts so that work leaves its waits.
 * @throws the first failure, once the work under way has ended.
 */
export async function forEachAtOnce<T>(
  items: Iterable<T>,
  atOnce: number,
  work: (item: T, failed: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const waiting = items[Symbol.iterator]();
  const failures: unknown[] = [];
  const failed = new AbortController();
  const lane = async () => {
    for (let next = waiting.next(); !next.done && failures.length === 0; next = waiting.next()) {
      try {
        await work(next.value, failed.signal);
      } catch (error) {
        failures.push(error);
        failed.abort(error);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  if (failures.length > 0) throw failures[0];
}
