import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { type HttpRequest, sendRequest } from './http.ts';
import { ProviderError } from './provider.ts';

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

async function serve(listener: RequestListener): Promise<string> {
  const started = createServer(listener);
  server = started;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  const address = started.address();
  if (!address || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}`;
}

const request = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  provider: 'searchbug',
  fetch: globalThis.fetch,
  method: 'POST',
  url,
  headers: {},
  body: 'F=1',
  timeoutMs: 2_000,
  paid: true,
  ...more,
});

const failureOf = async (promise: Promise<unknown>): Promise<ProviderError> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ProviderError) return error;
  throw new Error(`expected a ProviderError, got ${String(error)}`);
};

test('an answer carries status, headers, text and parsed JSON; the request a stable user agent', async () => {
  let agent: string | undefined;
  const url = await serve((incoming, response) => {
    agent = incoming.headers['user-agent'];
    response.writeHead(418, { 'retry-after': '3' }).end('{"tea":true}');
  });
  const reply = await sendRequest(request(url));
  expect(reply).toMatchObject({ status: 418, text: '{"tea":true}', json: { tea: true } });
  expect(reply.headers.get('retry-after')).toBe('3');
  expect(agent).toMatch(/^Fairlead\//);
});

test('redirects are answers', async () => {
  const url = await serve((_, response) => response.writeHead(302, { location: 'https://elsewhere.example/' }).end());
  await expect(sendRequest(request(url))).resolves.toMatchObject({ status: 302, json: undefined });
});

test('a slow answer is given up after the time-out and may have been billed', async () => {
  const url = await serve(() => undefined);
  const error = await failureOf(sendRequest(request(url, { timeoutMs: 100 })));
  expect(error).toMatchObject({ kind: 'transient', charge: 'possible', detail: 'timed out' });
  expect(error.message).toMatch(/SearchBug did not respond within 1 seconds?/);
});

test('a body that stops halfway counts against the time-out as well', async () => {
  const url = await serve((_, response) => void response.writeHead(200).write('{"half'));
  await expect(failureOf(sendRequest(request(url, { timeoutMs: 150 })))).resolves.toMatchObject({
    detail: 'timed out',
  });
});

test('a cut connection may have been billed when the call is paid, and not otherwise', async () => {
  const url = await serve((_, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"half', () => response.destroy());
  });
  expect(await failureOf(sendRequest(request(url)))).toMatchObject({ kind: 'transient', charge: 'possible' });
  expect(await failureOf(sendRequest(request(url, { paid: false })))).toMatchObject({
    kind: 'transient',
    charge: 'none',
  });
});

test('a connection that never opened cannot have been billed', async () => {
  const url = await serve(() => undefined);
  server?.close();
  const error = await failureOf(sendRequest(request(url)));
  expect(error).toMatchObject({ kind: 'transient', charge: 'none', detail: 'ECONNREFUSED' });
  expect(error.message).toContain('could not be reached');
});

test('a huge body is refused before it fills the memory', async () => {
  const url = await serve((_, response) => {
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    for (let count = 0; count < 8; count += 1) response.write(chunk);
    response.end();
  });
  const error = await failureOf(sendRequest(request(url)));
  expect(error).toMatchObject({ kind: 'unknown_shape', charge: 'possible' });
});

test("the caller's abort is passed on as it is, before and during the call", async () => {
  const url = await serve(() => undefined);
  const early = AbortSignal.abort(new Error('cancelled early'));
  await expect(sendRequest(request(url, { signal: early }))).rejects.toThrow('cancelled early');
  const controller = new AbortController();
  const sent = sendRequest(request(url, { signal: controller.signal }));
  setTimeout(() => controller.abort(new Error('cancelled later')), 50);
  await expect(sent).rejects.toThrow('cancelled later');
});
