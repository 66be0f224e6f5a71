import { readStored } from '#web/lib/storage/storage.ts';

/** Where this browser keeps one person's calls that the server has not taken yet. */
export const outboxKey = (userId: string): string => `calls-to-log:${userId}`;

/** Whether any wait. It stands apart, so that a page can ask without the code that sends them. */
export const hasWaiting = (userId: string): boolean => readStored(outboxKey(userId)) !== undefined;
