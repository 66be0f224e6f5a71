import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits `ms`.
 * @throws the signal's reason as soon as it aborts.
 */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}
