import { setTimeout as sleep } from 'node:timers/promises';

/** What ordinary clients do all the time, until it is stopped. */
export type Traffic = {
  /** For clients: as `fetch`, and notes what fails before a client tries it again by itself. */
  fetch: typeof fetch;
  /** What failed, or was answered wrong. */
  wrong: string[];
  /** How many requests were made. */
  requests(): number;
  /** Does `once` again and again; what it throws is noted. */
  repeat(pauseMs: number, once: (turn: number) => Promise<void>): void;
  /** Resolves when everything that has begun has ended. */
  stop(): Promise<void>;
};

export function startTraffic(): Traffic {
  const wrong: string[] = [];
  const loops: Promise<void>[] = [];
  let requests = 0;
  let over = false;
  return {
    wrong,
    requests: () => requests,
    async fetch(input, init) {
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      requests += 1;
      const response = await fetch(input, init).catch((error: unknown) => {
        wrong.push(`${pathname}: ${String(error)}`);
        throw error;
      });
      if (response.status >= 400) wrong.push(`${pathname}: ${response.status} ${await response.clone().text()}`);
      return response;
    },
    repeat(pauseMs, once) {
      const loop = async () => {
        for (let turn = 0; !over; turn += 1) {
          await once(turn).catch((error: unknown) => wrong.push(String(error)));
          await sleep(pauseMs);
        }
      };
      loops.push(loop());
    },
    async stop() {
      over = true;
      await Promise.all(loops);
    },
  };
}
