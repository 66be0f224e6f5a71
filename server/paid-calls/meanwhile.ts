import type { Deps } from '#server/deps.ts';

/** Stores what answers bring while the next call is out, each behind the one before. */
export type Meanwhile = {
  /** Begins `work` when what was given before is done. It is left out when that has failed. */
  begin(work: () => Promise<void>): void;
  /** Whether one of them has failed. */
  hasFailed(): boolean;
  /**
   * Resolves when nothing is under way.
   * @throws what the first of them failed with.
   */
  done(): Promise<void>;
};

/**
 * Returns what `work` returns, once everything that it has given to its Meanwhile is done as well.
 * @throws what `work` throws, or else what the first of these failed with. When both fail, the latter is logged.
 */
export async function withMeanwhile<T>(log: Deps['log'], work: (meanwhile: Meanwhile) => Promise<T>): Promise<T> {
  let last: Promise<void> = Promise.resolve();
  let hasFailed = false;
  const meanwhile: Meanwhile = {
    begin(next) {
      last = last.then(next);
      // Told to anyone who asks whether it is done.
      last.catch(() => {
        hasFailed = true;
      });
    },
    hasFailed: () => hasFailed,
    done: () => last,
  };
  const result = await work(meanwhile).catch(async (error: unknown) => {
    await last.catch((failure: unknown) => {
      if (failure !== error) log.error({ err: failure }, 'what a paid answer brought was not stored');
    });
    throw error;
  });
  await last;
  return result;
}
