import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type RealtimeChannel } from '@supabase/supabase-js';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { freshDatabase } from '#test/databases/database.ts';
import { type Harness, type Person, PUBLISHABLE_KEY, startHarness, subscribed } from './testing/harness.ts';

let harness: Harness;
let ann: Person;
beforeAll(async () => {
  harness = await startHarness(await freshDatabase());
  ann = await harness.person('ann');
});
afterEach(() => void vi.useRealTimers());
afterAll(() => harness?.stop());

const NOWHERE = 'http://127.0.0.1:9';
const clientOf = (url: string, realtime: object = {}) =>
  createClient(url, PUBLISHABLE_KEY, { accessToken: async () => ann.token(), realtime });

/** A server that takes sockets and never says anything. */
async function silentServer() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  let opened = 0;
  server.on('connection', () => {
    opened += 1;
  });
  const stop = () =>
    new Promise<void>((resolve) => {
      for (const socket of server.clients) socket.terminate();
      server.close(() => resolve());
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, opened: () => opened, stop };
}

/** Waits in real time, where `expect.poll` would move the clock that a test has stopped. */
async function until(met: () => boolean): Promise<void> {
  while (!met()) await sleep(5);
}

/** What becomes of a channel, as it comes. */
function watch(channel: RealtimeChannel, timeoutMs?: number): string[] {
  const statuses: string[] = [];
  channel.subscribe((status) => void statuses.push(status), timeoutMs);
  return statuses;
}

test('the client waits 10 s, beats every 25 s, and comes back after 1, 2, 5 and 10 s', () => {
  const { realtime } = clientOf(NOWHERE);
  expect([realtime.timeout, realtime.heartbeatIntervalMs]).toEqual([10_000, 25_000]);
  expect([1, 2, 3, 4, 5].map((tries) => realtime.reconnectAfterMs(tries))).toEqual([
    1_000, 2_000, 5_000, 10_000, 10_000,
  ]);
  const { rejoinTimer, timeout } = realtime.channel('room');
  expect(timeout).toBe(10_000);
  expect([1, 2, 3, 4].map((tries) => rejoinTimer.timerCalc(tries))).toEqual([1_000, 2_000, 5_000, 10_000]);
});

test('a server that is down: the channel is told, the newest 100 messages wait', async () => {
  const discarded: string[] = [];
  const logger = (_kind: string, text: string) => void (/buffer overflow/.test(text) && discarded.push(text));
  const client = clientOf(NOWHERE, { logger });
  const channel = client.channel('room');
  const statuses = watch(channel);
  for (let count = 0; count < 103; count += 1) void channel.track({ count }, { timeout: 60_000 });
  expect(discarded).toHaveLength(3);
  await expect.poll(() => statuses[0]).toBe('CHANNEL_ERROR');
  channel.teardown();
  await client.realtime.disconnect();
});

test('a server that is slow: joining is given up, and a heartbeat without an answer opens another socket', async () => {
  const silent = await silentServer();
  const beats: string[] = [];
  const client = clientOf(silent.url, {
    heartbeatIntervalMs: 100,
    heartbeatCallback: (status: string) => void beats.push(status),
    reconnectAfterMs: () => 50,
  });
  const channel = client.channel('room');
  const statuses = watch(channel, 80);
  await expect.poll(() => statuses[0]).toBe('TIMED_OUT');
  await expect.poll(() => beats).toContain('timeout');
  await expect.poll(silent.opened).toBeGreaterThan(1);
  channel.teardown();
  await client.realtime.disconnect();
  await silent.stop();
});

test('a server that answers 503: the client is back after 1, 2, 5 and 10 s, no sooner, and joins as soon as it may', async () => {
  const { realtime } = await harness.process();
  const askedAt: number[] = [];
  let busy = true;
  const front = createServer().on('upgrade', (request, socket, head) => {
    askedAt.push(Date.now());
    if (!busy) return realtime.upgrade(request, socket, head);
    socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n');
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  let refused = 0;
  const logger = (_kind: string, text: string) => {
    if (text === 'close') refused += 1;
  };
  const client = clientOf(`http://127.0.0.1:${(front.address() as AddressInfo).port}`, { logger });
  await client.realtime.setAuth();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const statuses = watch(client.channel('room'));
  for (const [tries, pause] of [1_000, 2_000, 5_000, 10_000].entries()) {
    await until(() => refused > tries);
    busy = tries < 3;
    vi.advanceTimersByTime(pause - 1);
    await sleep(20);
    vi.advanceTimersByTime(1);
  }
  await until(() => statuses.at(-1) === 'SUBSCRIBED');
  expect(askedAt.slice(1).map((at, n) => at - (askedAt[n] ?? 0))).toEqual([1_000, 2_000, 5_000, 10_000]);
  vi.useRealTimers();
  await client.realtime.disconnect();
  front.close();
});

test('a server that is slow to answer a join: given up after 10 s, and joined a second later when it answers', async () => {
  const { promise: answers, resolve: answer } = Promise.withResolvers<void>();
  let asked = 0;
  const slow = await harness.process({
    async verify(token) {
      asked += 1;
      await answers;
      return harness.knownToken(token);
    },
  });
  const client = ann.client(slow);
  await client.realtime.setAuth();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const statuses = watch(client.channel('room'));
  await until(() => asked === 1);
  vi.advanceTimersByTime(9_999);
  expect(statuses).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(statuses).toEqual(['TIMED_OUT']);
  answer();
  vi.advanceTimersByTime(1_000);
  await until(() => statuses.length > 1);
  expect(statuses).toEqual(['TIMED_OUT', 'SUBSCRIBED']);
});

test('heartbeats are answered', async () => {
  const beats: string[] = [];
  const client = ann.client(await harness.process(), { heartbeatIntervalMs: 1_000 });
  client.realtime.onHeartbeat((status) => void beats.push(status));
  await subscribed(client.channel('room'));
  await expect.poll(() => beats).toContain('ok');
});

test('a server that restarts says so at once; clients join again by themselves, and hear what comes then', async () => {
  const before = await harness.process();
  const heard: unknown[] = [];
  const told: unknown[] = [];
  const lists = { event: '*' as const, schema: 'public', table: 'lists' };
  const channel = ann
    .client(before)
    .channel('room', { config: { broadcast: { self: true } } })
    .on('broadcast', { event: '*' }, ({ event }) => void heard.push(event))
    .on('postgres_changes', lists, (change) => void told.push(change));
  const statuses: string[] = [];
  await subscribed(channel, statuses);
  const began = performance.now();
  await before.stop();
  expect(performance.now() - began).toBeLessThan(1_000);
  await expect.poll(() => statuses.at(-1)).toContain('CHANNEL_ERROR');
  await harness.process({ port: Number(new URL(before.url).port) });
  await expect.poll(() => statuses.at(-1)).toBe('SUBSCRIBED');
  await channel.send({ type: 'broadcast', event: 'after', payload: {} });
  await harness.list(ann);
  await expect.poll(() => [heard, told.length]).toEqual([['after'], 1]);
});

test('presence is not offered, and says so', async () => {
  const channel = await subscribed(ann.client(await harness.process()).channel('room'));
  expect(await channel.track({ online: true })).toBe('error');
  expect(await channel.untrack()).toBe('error');
  expect(channel.presenceState()).toEqual({});
});

test('a socket is opened, asked and closed by hand', async () => {
  const lines: string[] = [];
  const beats: string[] = [];
  const client = ann.client(await harness.process(), {
    logger: (_kind: string, text: string) => void lines.push(text),
    heartbeatCallback: (status: string) => void beats.push(status),
  });
  const { realtime } = client;
  const state = () => [
    ...[realtime.connectionState(), realtime.isConnecting(), realtime.isConnected()],
    realtime.isDisconnecting(),
  ];
  expect(new URL(realtime.endpointURL())).toMatchObject({ protocol: 'ws:', pathname: '/realtime/v1/websocket' });
  expect(state()).toEqual(['closed', false, false, false]);
  realtime.connect();
  expect(state()).toEqual(['connecting', true, false, false]);
  await expect.poll(state).toEqual(['open', false, true, false]);
  await realtime.sendHeartbeat();
  await expect.poll(() => beats).toEqual(['sent', 'ok']);
  realtime.push({ topic: 'phoenix', event: 'heartbeat', payload: {}, ref: '77', join_ref: '' });
  await expect.poll(() => lines.some((line) => line.includes('77'))).toBe(true);
  realtime.log('test', 'a line of our own');
  expect([realtime.hasLogger(), lines.at(-1)]).toEqual([true, 'a line of our own']);
  expect(await realtime.disconnect()).toBe('ok');
  expect(state()).toEqual(['closed', false, false, false]);
});

test('a channel takes the listeners of another before it joins, joins with what it is told, and ends by hand', async () => {
  const process = await harness.process();
  const heard: unknown[] = [];
  const client = ann.client(process);
  const model = client.channel('model').on('broadcast', { event: '*' }, ({ event }) => void heard.push(event));
  const channel = client.channel('room');
  channel.copyBindings(model);
  await subscribed(channel);
  expect(() => channel.copyBindings(model)).toThrow('joined');
  expect(client.getChannels()).toEqual([model, channel]);
  await subscribed(ann.client(process).channel('room')).then((other) =>
    other.send({ type: 'broadcast', event: 'copied', payload: {} }),
  );
  await expect.poll(() => heard).toEqual(['copied']);

  const refused = ann.client(process).channel('refused');
  const statuses = watch(refused);
  refused.updateJoinPayload({ access_token: 'garbage' });
  await expect.poll(() => statuses[0]).toBe('CHANNEL_ERROR');
  refused.teardown();
});

test('messages are written and read by the client as the protocol has them', () => {
  const { serializer } = clientOf(NOWHERE).realtime;
  const message = { join_ref: '1', ref: '2', topic: 'realtime:room', event: 'phx_join', payload: { a: 1 } };
  serializer.encode(message, (text) => {
    expect(text).toBe('["1","2","realtime:room","phx_join",{"a":1}]');
    serializer.decode(text, (read: unknown) => expect(read).toEqual(message));
  });
  expect.assertions(2);
});
