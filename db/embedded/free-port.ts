import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Systems take the ports of outgoing connections from above these: one of theirs may be taken again before it is used. */
const [FIRST, LAST] = [20_000, 32_767];
const TRIES = 50;

/** Returns a TCP port that is free on 127.0.0.1 at this moment. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(FIRST, LAST + 1);
    if (await isFree(port)) return port;
  }
  throw new Error(`No port from ${FIRST} to ${LAST} of 127.0.0.1 is free.`);
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
