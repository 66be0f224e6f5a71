import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A delivery as it arrived, the body byte for byte. */
export type Delivered = { path: string; headers: IncomingHttpHeaders; body: string };

/** Someone who is asked by hooks, over real HTTP. `answer` is the test's to exchange; at first all is allowed. */
export async function startHookServer() {
  const hooks = {
    url: '',
    delivered: [] as Delivered[],
    answer: ({ body }: Delivered, response: ServerResponse): void => {
      json(response, 200, { claims: JSON.parse(body).claims });
    },
    /** The events of a path, newest last. */
    eventsAt: (path: string) => hooks.delivered.filter((one) => one.path === path).map(({ body }) => JSON.parse(body)),
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const delivered = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() };
    hooks.delivered.push(delivered);
    hooks.answer(delivered, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  hooks.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return hooks;
}

/** Answers JSON. */
export function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
}
