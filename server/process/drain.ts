import type { RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** The time in which a process that is about to stop goes on serving, but says that it is not ready. */
export type Drain = {
  /** Serves as `listener` does. From `begin` on, `/readyz` answers 503 and clients are told to take another connection next time. */
  through(listener: RequestListener): RequestListener;
  /** Resolves when no one should be sending anything new anymore. */
  begin(): Promise<void>;
};

/** `seconds`: long enough for every balancer to ask `/readyz` as often as it must before it believes the answer. */
export function createDrain(seconds: number): Drain {
  let begun = false;
  return {
    through(listener) {
      return (request, response) => {
        if (!begun) return listener(request, response);
        response.setHeader('Connection', 'close');
        if (request.url !== '/readyz') return listener(request, response);
        response.writeHead(503, { 'Content-Type': 'application/json' }).end(JSON.stringify({ status: 'stopping' }));
      };
    },
    async begin() {
      begun = true;
      await sleep(seconds * 1_000);
    },
  };
}
