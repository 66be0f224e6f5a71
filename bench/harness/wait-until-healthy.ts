import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Resolves when `GET /healthz` answers 200.
 * @throws when the process ends before, or after five minutes.
 */
export async function waitUntilHealthy(url: string, child: ChildProcess): Promise<void> {
  for (const until = Date.now() + 300_000; Date.now() < until; await pause(10)) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`The server ended with ${child.exitCode ?? child.signalCode} instead of being ready.`);
    const answer = await fetch(`${url}/healthz`).catch(() => undefined);
    if (answer?.ok) return;
  }
  throw new Error(`${url} was not ready within five minutes.`);
}
