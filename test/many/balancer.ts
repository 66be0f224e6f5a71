import { Agent, createServer, get, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A load balancer as simple as there are: in turn, no second try. */
export type Balancer = {
  url: string;
  /** Takes these into its rounds while their `/readyz` answers 200. Resolves when all of them do. */
  serve(targets: readonly string[]): Promise<void>;
  stop(): Promise<void>;
};

const ASK_EVERY_MS = 50;

/** Keeps connections to its targets, as proxies do: one that is closed under a request fails that request, with 502. */
export async function startBalancer(port: number): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true });
  let targets: readonly string[] = [];
  let ready: string[] = [];
  let turn = 0;
  let stopped = false;
  let looking = Promise.resolve();
  /** One after the other, so that an old answer never replaces a newer one. */
  const look = () => {
    looking = looking.then(async () => {
      const answers = await Promise.all(targets.map(async (target) => ((await isReady(target)) ? [target] : [])));
      ready = answers.flat();
    });
    return looking;
  };
  const watch = async () => {
    for (; !stopped; await sleep(ASK_EVERY_MS)) await look();
  };
  void watch();
  const server = createServer((incoming, outgoing) => {
    turn += 1;
    const target = ready[turn % ready.length];
    if (!target) return void outgoing.writeHead(503).end();
    const { remoteAddress = '' } = incoming.socket;
    const onward = request(
      new URL(incoming.url ?? '/', target),
      { method: incoming.method, agent, headers: { ...incoming.headers, 'x-forwarded-for': remoteAddress } },
      (answer) => {
        const { connection: _, 'keep-alive': __, ...headers } = answer.headers;
        outgoing.writeHead(answer.statusCode ?? 502, headers);
        answer.pipe(outgoing);
      },
    );
    onward.on('error', () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()));
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async serve(next) {
      targets = next;
      do await look();
      while (ready.length < targets.length);
    },
    async stop() {
      stopped = true;
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function isReady(target: string): Promise<boolean> {
  return new Promise((resolve) => {
    get(new URL('/readyz', target), (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    }).on('error', () => resolve(false));
  });
}
