import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { fetchPage } from './fetch-page.ts';

/** Asks a site that answers each request with these bytes. `stays`: it never ends its answer. */
async function asked(answer: string, { stays = false } = {}) {
  const site = createServer((connection) =>
    connection.on('error', () => {}).once('data', () => (stays ? connection.write(answer) : connection.end(answer))),
  );
  site.listen(0, '127.0.0.1');
  onTestFinished(() => void site.close());
  await once(site, 'listening');
  const standIn = new URL(`http://127.0.0.1:${(site.address() as AddressInfo).port}`);
  const limits = { maxBytes: 1_000, timeoutMs: stays ? 300 : 2_000 };
  return fetchPage(new URL('http://firm.example/'), { standIn }, limits, {}, new AbortController().signal);
}

test.each([
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nhello',
  'HTTP/1.1 100 Continue\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhi',
  'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nhi',
  'SSH-2.0-OpenSSH_9.9\r\n',
  '',
])('what is no answer to a request for a page ends it: %j', async (answer) => {
  expect(await asked(answer)).toBe('unreachable');
});

test.each(['', 'Content-Length: 99\r\n', 'Transfer-Encoding: chunked\r\n', 'Content-Encoding: gzip\r\n'])(
  'what came of an answer that does not end in time is none: what it left out might refuse us (%j)',
  async (header) => {
    const rest = header.startsWith('Transfer') ? '10\r\nUser-agent: *\r\n' : 'User-agent: *\n';
    expect(await asked(`HTTP/1.1 200 OK\r\n${header}\r\n${rest}`, { stays: true })).toBe('unreachable');
  },
);

test.each([
  ['HTTP/1.0 200 OK\r\n\r\nhi', { status: 200, body: Buffer.from('hi') }],
  ['HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi', { status: 200 }],
])('an old or early answer is one: %j', async (answer, expected) => {
  expect(await asked(answer)).toMatchObject(expected);
});
