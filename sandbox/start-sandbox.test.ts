import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from './start-sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, host: '127.0.0.1' });
});
afterAll(() => sandbox.close());
beforeEach(() => post('/meter/reset', {}));

const post = (path: string, body: unknown) =>
  fetch(sandbox.url + path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });
const account = (key: string) => fetch(`${sandbox.url}/hunter/v2/account`, { headers: { 'x-api-key': key } });

test('the meter counts per provider and key, over HTTP and in process, and starts again after a reset', async () => {
  for (const key of ['sandbox-a', 'sandbox-b', 'a-real-looking-key-1234'])
    await fetch(`${sandbox.url}/hunter/v2/domain-search?domain=firm-1.example`, { headers: { 'x-api-key': key } });
  await account('sandbox-a');
  const meter = await (await fetch(`${sandbox.url}/meter`)).json();
  expect(meter).toEqual({ totals: sandbox.meter.totals(), rows: sandbox.meter.rows() });
  expect(sandbox.meter.rows().map(({ key, calls }) => [key, calls])).toEqual([
    ['sandbox-a', 1],
    ['sandbox-b', 1],
    ['…1234', 1],
  ]);
  expect(sandbox.meter.callsBySubject('hunter', 'sandbox-a')).toEqual(new Map([['firm-1.example', 1]]));
  await post('/meter/reset', {});
  expect(sandbox.meter.rows()).toEqual([]);
});

test('the latency can be set while it runs', async () => {
  const timed = async () => {
    const start = performance.now();
    await account('sandbox');
    return performance.now() - start;
  };
  await post('/settings', { latencyMs: 2_000 });
  expect(await timed()).toBeGreaterThanOrEqual(1_999);
  await post('/settings', { latencyMs: 0 });
  expect(await timed()).toBeLessThan(2_000);
  for (const bad of ['{', { latencyMs: -1 }, { latencyMs: '5' }, {}])
    expect((await post('/settings', bad)).status).toBe(400);
});

describe('faults by the end of the key', () => {
  test('a key may have any name before its fault', async () => {
    expect((await account('sandbox-anna')).status).toBe(200);
    expect((await account('sandbox-anna-bad-key')).status).toBe(401);
  });

  test('with -later, free calls work and the fault comes with the paid ones', async () => {
    for (const fault of ['bad-key', 'out-of-credit', 'rate-limited', 'down', 'malformed']) {
      expect((await account(`sandbox-${fault}-later`)).status).toBe(200);
    }
    const search = (key: string) =>
      fetch(`${sandbox.url}/hunter/v2/domain-search?domain=a.example`, { headers: { 'x-api-key': key } });
    expect((await search('sandbox-bad-key-later')).status).toBe(401);
    expect((await search('sandbox-out-of-credit-later')).status).toBe(429);
    expect((await search('sandbox-down-later')).status).toBe(503);
  });

  test('down alternates between 503 and a cut connection, for each key on its own', async () => {
    for (const key of ['sandbox-one-down', 'sandbox-two-down']) {
      expect((await account(key)).status).toBe(503);
      await expect(account(key).then((response) => response.text())).rejects.toThrow();
      expect((await account(key)).status).toBe(503);
    }
  });

  test('slow takes three seconds', async () => {
    const start = performance.now();
    expect((await account('sandbox-slow')).status).toBe(200);
    expect(performance.now() - start).toBeGreaterThanOrEqual(2_990);
  });
});

test('unknown paths and oversized bodies are refused, and nothing stops the server', async () => {
  expect((await fetch(`${sandbox.url}/nothing`)).status).toBe(404);
  expect((await fetch(`${sandbox.url}/hunter/v2/nothing`, { headers: { 'x-api-key': 'sandbox' } })).status).toBe(404);
  expect((await post('/google/v1/places:searchText', 'x'.repeat(1_100_000))).status).toBe(413);
  expect((await account('sandbox')).status).toBe(200);
});

test('a port that is taken is an error', async () => {
  const port = Number(new URL(sandbox.url).port);
  await expect(startSandbox({ port, host: '127.0.0.1' })).rejects.toThrow(/EADDRINUSE/);
});
