import { get } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
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
    `Port ${port} on 127.0.0.1 is in use by another program. Stop that program, or choose another port: PORT=${port + 1} npm start`,
  );
});

test('an address of another machine is named', async () => {
  await expect(start(0, '203.0.113.7')).rejects.toThrow('HOST=203.0.113.7 is not an address of this machine.');
});

test('stopping lets a running request end, and takes no more', async () => {
  const arrived = Promise.withResolvers<void>();
  const { port, stop } = await listen({
    host: '127.0.0.1',
    port: 0,
    listener: (_request, response) => {
      setTimeout(() => response.end('done'), 100);
      arrived.resolve();
    },
  });
  const answer = fetch(`http://127.0.0.1:${port}/`);
  await arrived.promise;
  await stop();
  expect(await (await answer).text()).toBe('done');
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
});

test('what moves may take longer than what is silent, and neither for ever', async () => {
  const waiting = new Set(['/slow', '/silent', '/endless']);
  const arrived = Promise.withResolvers<void>();
  const server = await listen({
    host: '127.0.0.1',
    port: 0,
    listener: (request, response) => {
      response.flushHeaders();
      const dripping = setInterval(() => request.url !== '/silent' && response.write('x'), 40);
      response.on('close', () => clearInterval(dripping));
      if (request.url === '/slow') setTimeout(() => response.end(), 2000);
      waiting.delete(request.url ?? '');
      if (waiting.size === 0) arrived.resolve();
    },
    patience: { silentMs: 1500, longestMs: 4000 },
  });
  running.push(server);
  const read = async (path: string) => (await fetch(`http://127.0.0.1:${server.port}${path}`)).text();
  const answers = ['/slow', '/silent', '/endless'].map((path) =>
    read(path).then(
      (text) => /^x+$/.test(text),
      () => 'cut',
    ),
  );
  await arrived.promise;
  const stopped = server.stop();
  expect(await Promise.race([answers[1], answers[0]])).toBe('cut');
  expect(await Promise.all(answers)).toEqual([true, 'cut', 'cut']);
  await stopped;
});

test.each([
  ['headers', 'GET / HTTP/1.1\r\nHost: x\r\n', 'X-Slow: 1\r\n'],
  ['body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n', 'x'],
])('anyone who sends %s drop by drop is cut off, while others are answered', async (_part, begin, drop) => {
  const server = await listen({
    host: '127.0.0.1',
    port: 0,
    listener: (request, response) => void request.resume().on('end', () => response.end('done')),
    limits: { headersTimeout: 1500, requestTimeout: 3000, connectionsCheckingInterval: 50 },
  });
  running.push(server);
  const slow = connect(server.port, '127.0.0.1');
  let answer = '';
  slow.on('data', (chunk: Buffer) => (answer += chunk.toString())).on('error', () => {});
  // Anyone who writes on may see a reset, be it before the 408 that was sent.
  const closed = new Promise((resolve) => slow.on('close', resolve));
  slow.write(begin);
  const dripping = setInterval(() => slow.write(drop), 40);
  await pause(100);
  expect(await (await fetch(`http://127.0.0.1:${server.port}/`)).text()).toBe('done');
  await closed;
  clearInterval(dripping);
  expect(answer).not.toContain('done');
});

test('a request to become HTTP/2 is answered as if it had not asked', async () => {
  const server = await listen({
    host: '127.0.0.1',
    port: 0,
    listener: (_request, response) => response.end('done'),
    onUpgrade: (_request, socket) => socket.destroy(),
  });
  running.push(server);
  const headers = { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': 'AAMAAABk' };
  const status = await new Promise((resolve, reject) => {
    get({ port: server.port, headers }, (response) => resolve(response.resume().statusCode)).on('error', reject);
  });
  expect(status).toBe(200);
});

test('headers without end are refused', async () => {
  const { port } = await start(0);
  const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { 'x-long': 'x'.repeat(40_000) } });
  expect(response.status).toBe(431);
});
