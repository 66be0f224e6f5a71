const last = new Map<string, Promise<void>>();

/** Does `work` once this process has done what was asked for before about the same `key`, however that ended. */
export function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const mine = (last.get(key) ?? Promise.resolve()).then(work);
  const ended = mine.then(
    () => undefined,
    () => undefined,
  );
  last.set(key, ended);
  void ended.then(() => {
    if (last.get(key) === ended) last.delete(key);
  });
  return mine;
}
