import { parentPort, workerData } from 'node:worker_threads';
import { type Attack, attack } from '#test/attack/harness/worst-requests.ts';

/** `headers`: of the person who attacks. `count` requests are sent again and again, until the worker is told to stop. */
export type AttackerData = {
  url: string;
  headers: Record<string, string>;
  attacks: readonly Attack[];
  count: number;
  atOnce: number;
};

// On a thread of its own, so that what is measured beside it waits for the server and not for this.
const { url, headers, attacks, count, atOnce } = workerData as AttackerData;
let over = false;
parentPort?.once('message', () => {
  over = true;
});
const statuses = new Map<number, number>();
const send = async ({ path, ...init }: Attack, signal: AbortSignal) => {
  const answer = await fetch(`${url}${path}`, {
    ...init,
    headers: { ...headers, 'content-type': 'application/json' },
    signal,
  });
  statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
  return answer;
};
while (!over) await attack(send, attacks, { count, atOnce });
parentPort?.postMessage(statuses);
