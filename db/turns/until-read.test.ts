import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { untilRead } from './until-read.ts';

/** Answers 20 MB, more than any socket buffers, and says when it was taken or thrown away. */
async function serve(unreadMs: number) {
  let left = () => {};
  const leaving = new Promise<void>((resolve) => {
    left = resolve;
  });
  const server = createServer((_request, outgoing) => {
    untilRead({ outgoing }, left, unreadMs);
    outgoing.end(Buffer.alloc(20_000_000));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const answer = new Promise<IncomingMessage>((resolve) => get({ port, host: '127.0.0.1' }, resolve));
  return { server, leaving, answer: await answer };
}

test('an answer that no one reads is thrown away, and its caller has left', async () => {
  const { server, leaving, answer } = await serve(50);
  const cut = new Promise((resolve) => answer.once('error', resolve));
  answer.pause();
  await leaving;
  answer.resume();
  expect(await cut).toMatchObject({ code: 'ECONNRESET' });
  server.close();
});

test('an answer that is read to its end is whole', async () => {
  const { server, leaving, answer } = await serve(5_000);
  let bytes = 0;
  for await (const part of answer) bytes += (part as Buffer).length;
  await leaving;
  expect(bytes).toBe(20_000_000);
  server.close();
});

/** Asks a server that answers by `listener`. */
async function askOf(listener: RequestListener): Promise<IncomingMessage> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve) => get({ port, host: '127.0.0.1' }, resolve));
}

test('an answer whose next part is made slowly is not thrown away, and one that is unread then is', async () => {
  const slow = await askOf(async (_request, outgoing) => {
    untilRead({ outgoing }, () => {}, 50);
    outgoing.write('one,');
    await once(outgoing, 'timeout');
    outgoing.end('two');
  });
  expect(await text(slow)).toBe('one,two');
  let left = false;
  const unread = await askOf(async (_request, outgoing) => {
    untilRead({ outgoing }, () => (left = true), 50);
    outgoing.write('one,');
    await once(outgoing, 'timeout');
    outgoing.end(Buffer.alloc(20_000_000));
  });
  unread.pause();
  await expect.poll(() => left).toBe(true);
});
