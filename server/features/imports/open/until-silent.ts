import { AppError } from '#server/lib/app-error.ts';

/** Looks in a row at which nothing has come since the one before. */
const MOST_SILENT_LOOKS = 2;

export const stoodStill = (): AppError =>
  new AppError('CONFLICT', 'This upload stalled for too long and was canceled. Choose the file again.');

/**
 * A body that ends with CONFLICT once nothing more comes of it: a line that is dead says so to no one.
 * - `look`: to be called every now and then. While what came is being read, nothing is waited for, and nothing is given up.
 */
export function untilSilent(body: AsyncIterable<Uint8Array>): { chunks: AsyncIterable<Uint8Array>; look(): void } {
  const parts = body[Symbol.asyncIterator]();
  let giveUp: (() => void) | undefined;
  let silentLooks = 0;
  const next = () =>
    new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
      silentLooks = 0;
      giveUp = () => reject(stoodStill());
      parts.next().then(resolve, reject);
    });
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const part = await next();
        giveUp = undefined;
        if (part.done) return;
        yield part.value;
      }
    } finally {
      // Not waited for: behind a line that is dead, it would be so for minutes.
      parts.return?.().catch(() => undefined);
    }
  }
  return {
    chunks: chunks(),
    look() {
      silentLooks += 1;
      if (silentLooks >= MOST_SILENT_LOOKS) giveUp?.();
    },
  };
}
