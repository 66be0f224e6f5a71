/** Stores what answers bring while the next call is out, each behind the one before. */
export type Meanwhile = {
  /** Begins `work` when what was given before is done. It is left out when that has failed. */
  begin(work: () => Promise<void>): void;
  /**
   * Resolves when nothing is under way.
   * @throws what the first of them failed with.
   */
  done(): Promise<void>;
};

/**
 * Returns what `work` returns, once everything that it has given to its Meanwhile is done as well.
 * @throws what `work` throws, or else what the first of these failed with.
 */
export async function withMeanwhile<T>(work: (meanwhile: Meanwhile) => Promise<T>): Promise<T> {
  let last: Promise<void> = Promise.resolve();
  try {
    return await work({
      begin(next) {
        last = last.then(next);
        // Told to anyone who asks whether it is done.
        last.catch(() => {});
      },
      done: () => last,
    });
  } finally {
    await last.catch(() => {});
  }
}
