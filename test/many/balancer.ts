import { Agent, createServer, get, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** A load balancer as simple as there are: in turn, no second try. */
export type Balancer = {
  url: string;
  /**
   * Takes these into its rounds unless their `/readyz` says that they are stopping or not there yet; on a busy machine who is there may
   * be late with it. Resolves when all of them are in.
   */
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
  const next = () => {
    turn += 1;
    return ready[turn % ready.length];
  };
  const server = createServer((incoming, outgoing) => {
    const target = next();
    if (!target) return void outgoing.writeHead(503).end();
    const onward = request(
      new URL(incoming.url ?? '/', target),
      { method: incoming.method, agent, headers: forwarded(incoming) },
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
  const upgraded = new Set<Duplex>();
  server.on('upgrade', (incoming, client: Duplex) => {
    const target = next();
    if (!target) return client.destroy();
    const onward = request(new URL(incoming.url ?? '/', target), { agent: false, headers: forwarded(incoming) });
    onward.on('upgrade', (answer, socket, head) => {
      client.write(`HTTP/1.1 101 Switching Protocols\r\n${lines(answer)}\r\n`);
      client.write(head);
      for (const one of [client, socket]) {
        upgraded.add(one);
        one.on('error', () => {});
        one.on('close', () => {
          upgraded.delete(one);
          client.destroy();
          socket.destroy();
        });
      }
      client.pipe(socket).pipe(client);
    });
    onward.on('response', () => client.destroy());
    onward.on('error', () => client.destroy());
    client.on('error', () => onward.destroy());
    onward.end();
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
      for (const socket of upgraded) socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** As they came, behind whatever proxies there were before. */
function forwarded({ headers, socket }: IncomingMessage) {
  const before = headers['x-forwarded-for'];
  const from = socket.remoteAddress ?? '';
  return { ...headers, 'x-forwarded-for': before === undefined ? from : `${String(before)}, ${from}` };
}

function lines({ rawHeaders }: IncomingMessage): string {
  return rawHeaders.map((part, at) => (at % 2 === 0 ? `${part}: ` : `${part}\r\n`)).join('');
}

async function isReady(target: string): Promise<boolean> {
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      get(new URL('/readyz', target), resolve).on('error', reject);
    });
    const { status } = (await json(answer)) as { status: string };
    return status === 'ready' || status === 'unavailable';
  } catch {
    return false;
  }
}
