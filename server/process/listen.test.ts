import { afterEach, expect, test } from 'vitest';
import { type HttpServer, listen } from './listen.ts';

const running: HttpServer[] = [];
const start = async (port: number, host = '127.0.0.1') => {
  const server = await listen({
    host,
    port,
    listener: (_request, response) => setTimeout(() => response.end('done'), 100),
  });
  running.push(server);
  return server;
};
afterEach(() => Promise.all(running.splice(0).map((server) => server.stop())));

test('port 0 becomes a real one', async () => {
  const { port } = await start(0);
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('done');
});

test('a taken port is named, with a way out', async () => {
  const { port } = await start(0);
  await expect(start(port)).rejects.toThrow(
    `Port ${port} on 127.0.0.1 is taken by another program. Stop that, or choose another port: PORT=${port + 1} npm start`,
  );
});

test('an address of another machine is named', async () => {
  await expect(start(0, '203.0.113.7')).rejects.toThrow('HOST=203.0.113.7 is not an address of this machine.');
});

test('stopping lets a running request end, and takes no more', async () => {
  const { port, stop } = await start(0);
  const answer = fetch(`http://127.0.0.1:${port}/`);
  await new Promise((resolve) => setTimeout(resolve, 30));
  await stop();
  expect(await (await answer).text()).toBe('done');
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
});
