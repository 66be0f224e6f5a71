import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * What becomes of a request on the way: a load balancer's own 503 (`busy`), an answer that comes late (`slow`) or never (`silent`), or a
 * connection that is cut before the request arrives (`cut`), with a part of its body (`cut upload`) or of the answer (`cut download`).
 */
export type Fault = 'busy' | 'slow' | 'silent' | 'cut' | 'cut upload' | 'cut download';
export type UnreliableWay = {
  url: string;
  /** What happens to the next requests, one after the other. */
  faults: Fault[];
  /** When each came, in ms. */
  askedAt: number[];
  /** Until nothing happens to the next. */
  mend(): void;
  close(): Promise<void>;
};
const SLOW_MS = 300;

/** Stands between a client and the server at `target`. Only requests to `path` are counted and go wrong. */
export async function unreliableWay(target: string, path = /./): Promise<UnreliableWay> {
  const faults: Fault[] = [];
  const askedAt: number[] = [];
  const server = createServer(async (request, response) => {
    const counts = path.test(request.url ?? '');
    if (counts) askedAt.push(performance.now());
    const fault = counts ? faults.shift() : undefined;
    if (fault === 'silent') return;
    if (fault === 'cut') return void request.socket.destroy();
    if (fault === 'busy') return void response.writeHead(503, { 'content-type': 'text/html' }).end('<h1>Busy</h1>');
    if (fault === 'slow') await sleep(SLOW_MS);
    passOn(target, request, response, fault);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    askedAt,
    mend() {
      faults.length = 0;
      askedAt.length = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function passOn(target: string, request: IncomingMessage, response: ServerResponse, fault: Fault | undefined): void {
  const { method = 'GET', headers } = request;
  const onward = send(`${target}${request.url}`, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    if (fault !== 'cut download') return void answer.pipe(response);
    answer.once('data', (part: Buffer) => response.write(part.subarray(0, part.length / 2), () => response.destroy()));
  });
  onward.on('error', () => response.destroy());
  response.on('close', () => onward.destroy());
  if (fault !== 'cut upload') return void request.pipe(onward);
  request.once('data', (part: Buffer) => onward.write(part, () => request.socket.destroy()));
}
