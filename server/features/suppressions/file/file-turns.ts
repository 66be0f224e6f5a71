import { AppError } from '#server/lib/app-error.ts';

/** Lets one file of each person be read at a time, in this process: several would take its connections from everyone else. */
export function createFileTurns(): <T>(userId: string, read: () => Promise<T>) => Promise<T> {
  const reading = new Set<string>();
  return async (userId, read) => {
    if (reading.has(userId))
      throw new AppError('RATE_LIMITED', 'Another file of yours is being read. Try again when that is done.', {
        retryAfterSeconds: 10,
      });
    reading.add(userId);
    try {
      return await read();
    } finally {
      reading.delete(userId);
    }
  };
}
