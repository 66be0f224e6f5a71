import { get } from 'node:http';
import type { RealtimeChannel, SupabaseClient } from '@supabase/supabase-js';
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase } from '#test/databases/database.ts';
import {
  type Harness,
  type Person,
  type Process,
  PUBLISHABLE_KEY,
  SECRET_KEY,
  startHarness,
  subscribed,
} from './testing/harness.ts';

let harness: Harness;
let one: Process;
let other: Process;
let ann: Person;
let bob: Person;
beforeAll(async () => {
  harness = await startHarness(await freshDatabase());
  [one, other] = await Promise.all([harness.process(), harness.process()]);
  [ann, bob] = await Promise.all([harness.person('ann'), harness.person('bob')]);
});
afterAll(() => harness?.stop());

type Heard = { event: string; payload: unknown };

/** A channel, and what it hears of broadcasts. */
async function joined(client: SupabaseClient, name: string, config: object = {}, statuses: string[] = []) {
  const heard: Heard[] = [];
  const channel = client
    .channel(name, { config })
    .on('broadcast', { event: '*' }, ({ event, payload }) => void heard.push({ event, payload }));
  await subscribed(channel, statuses);
  return { channel, heard, statuses };
}

/** The status and error of a channel that is not let in. */
async function refused(channel: RealtimeChannel): Promise<string> {
  const statuses: string[] = [];
  await channel.socket.setAuth();
  channel.subscribe((status, error) => void statuses.push(`${status} ${error?.message}`));
  await expect.poll(() => statuses[0]).toBeDefined();
  await channel.unsubscribe();
  return statuses[0] ?? '';
}

const say = (channel: RealtimeChannel, event: string, payload: unknown) =>
  channel.send({ type: 'broadcast', event, payload });

test('who has left hears nothing more; the last channel takes the socket along', async () => {
  const client = ann.client(one);
  const [room, hall, yard] = [
    await joined(client, 'left room'),
    await joined(client, 'left hall'),
    await joined(client, 'left yard'),
  ];
  const speaker = await joined(bob.client(one), 'left room');
  expect(await client.removeChannel(room.channel)).toBe('ok');
  await say(speaker.channel, 'nobody', {});
  expect([room.statuses.at(-1), client.getChannels()]).toEqual(['CLOSED', [hall.channel, yard.channel]]);
  expect(await client.removeAllChannels()).toEqual(['ok', 'ok']);
  expect([room.heard, client.getChannels()]).toEqual([[], []]);
  await expect.poll(() => client.realtime.isConnected()).toBe(false);
});

describe('broadcast', () => {
  test('reaches everyone in the topic, in all processes, but not the sender, and no one in another', async () => {
    const sender = await joined(ann.client(one), 'room');
    const near = await joined(bob.client(one), 'room');
    const far = await joined(bob.client(other), 'room');
    const elsewhere = await joined(bob.client(one), 'room 2');
    await say(sender.channel, 'moved', { x: 1, text: 'Ünï "quoted" 😀' });
    const message = { event: 'moved', payload: { x: 1, text: 'Ünï "quoted" 😀' } };
    for (const { heard } of [near, far]) await expect.poll(() => heard).toEqual([message]);
    expect([sender.heard, elsewhere.heard]).toEqual([[], []]);
  });

  test('is heard by its sender who asked for it, and answered to who wants to know', async () => {
    const { channel, heard } = await joined(ann.client(one), 'own', { broadcast: { self: true, ack: true } });
    expect(await say(channel, 'first', { a: 1 })).toBe('ok');
    await expect.poll(() => heard).toEqual([{ event: 'first', payload: { a: 1 } }]);
  });

  test('carries bytes, and to clients of the older version what is JSON', async () => {
    const sender = await joined(ann.client(one), 'bytes');
    const modern = await joined(bob.client(other), 'bytes');
    const older = await joined(bob.client(one, { vsn: '1.0.0' }), 'bytes');
    const bytes = Uint8Array.from([0, 255, 7, 10]);
    await say(sender.channel, 'raw', bytes.buffer);
    await say(older.channel, 'json', { from: 'older' });
    await expect.poll(() => modern.heard).toHaveLength(2);
    const raw = modern.heard.find(({ event }) => event === 'raw')?.payload;
    expect([...new Uint8Array(raw as ArrayBuffer)]).toEqual([...bytes]);
    await expect.poll(() => sender.heard).toEqual([{ event: 'json', payload: { from: 'older' } }]);
    expect(older.heard).toEqual([]);
  });

  test('may be large, and stays in order', async () => {
    const sender = await joined(ann.client(one), 'large');
    const far = await joined(bob.client(other), 'large');
    for (const [n, size] of [200_000, 1, 8_000, 60_000].entries()) await say(sender.channel, `${n}`, 'a'.repeat(size));
    await expect
      .poll(() => far.heard.map(({ event, payload }) => [event, String(payload).length]))
      .toEqual([
        ['0', 200_000],
        ['1', 1],
        ['2', 8_000],
        ['3', 60_000],
      ]);
  });

  test('goes over HTTP too: what is sent before subscribing, and httpSend', async () => {
    const { heard } = await joined(bob.client(one), 'by http');
    const client = ann.client(other);
    await client.realtime.setAuth();
    const channel = client.channel('by http');
    expect(await channel.httpSend('json', { a: 1 })).toEqual({ success: true });
    expect(await channel.httpSend('bytes', Uint8Array.from([1, 2]))).toEqual({ success: true });
    expect(await say(channel, 'batch', { b: 2 })).toBe('ok');
    await expect.poll(() => heard.map(({ event }) => event).sort()).toEqual(['batch', 'bytes', 'json']);
    await expect(
      client.channel(`user:${ann.userId}`, { config: { private: true } }).httpSend('kept', {}, { persist: true }),
    ).rejects.toThrow('not stored here');
  });
});

describe('over HTTP', () => {
  const post = (body: unknown, headers: Record<string, string> = { authorization: `Bearer ${ann.token()}` }) =>
    fetch(`${one.url}/realtime/v1/api/broadcast`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const message = { topic: 'room', event: 'e', payload: {} };

  test.each([
    ['no token', { messages: [message] }, {}, 401],
    ['the publishable key', { messages: [message] }, { authorization: `Bearer ${PUBLISHABLE_KEY}` }, 401],
    ['the secret key', { messages: [{ ...message, private: true }] }, { apikey: SECRET_KEY }, 202],
    ['no JSON', '{', undefined, 422],
    ['no topic', { messages: [{ event: 'e', payload: {} }] }, undefined, 422],
    ['too much', { messages: [{ ...message, payload: 'x'.repeat(300_000) }] }, undefined, 413],
    ["someone else's topic", { messages: [{ ...message, topic: 'user:x', private: true }] }, undefined, 403],
    ['too many', { messages: Array.from({ length: 101 }, () => message) }, undefined, 422],
  ])('%s', async (_what, body, headers, status) => {
    expect((await post(body, headers as Record<string, string> | undefined)).status).toBe(status);
  });
});

describe('a private channel', () => {
  const config = { private: true };

  test("is one's own: no one else listens or speaks, and the public one of that name is another", async () => {
    const own = await joined(ann.client(one), `user:${ann.userId}`, {
      private: true,
      broadcast: { self: true, ack: true },
    });
    const sub = await joined(ann.client(other), `user:${ann.userId}:lists`, config);
    const publicOne = await joined(bob.client(one), `user:${ann.userId}`);
    expect(await say(own.channel, 'mine', {})).toBe('ok');
    await say(publicOne.channel, 'theirs', {});
    await expect.poll(() => own.heard).toEqual([{ event: 'mine', payload: {} }]);
    for (const topic of [`user:${ann.userId}`, `user:${ann.userId}:lists`, `user:${bob.userId}x`, 'room', 'user:.*'])
      expect(await refused(bob.client(one).channel(topic, { config }))).toContain('Unauthorized');
    expect([sub.heard, publicOne.heard]).toEqual([[], []]);
  });
});

describe('anyone who is not signed in', () => {
  test('has no channel, and joins as soon as there is a token', async () => {
    let token = '';
    const statuses: string[] = [];
    const channel = ann.client(one, { token: () => token || PUBLISHABLE_KEY }).channel('later');
    channel.subscribe((status, error) => void statuses.push(`${status} ${error?.message}`));
    await expect.poll(() => statuses[0]).toContain('Please sign in');
    token = ann.token();
    await channel.socket.setAuth();
    await expect.poll(() => statuses.at(-1)).toContain('SUBSCRIBED');
  });

  test('with another key does not even get a socket', async () => {
    const client = createClient(one.url, 'sb_publishable_other', { accessToken: async () => ann.token() });
    const errors: string[] = [];
    const channel = client.channel('room').subscribe((status) => void errors.push(status));
    await expect.poll(() => errors[0]).toBe('CHANNEL_ERROR');
    expect(client.realtime.isConnected()).toBe(false);
    await channel.unsubscribe();
    await client.realtime.disconnect();
  });

  test('learns from HTTP what the address is for', async () => {
    const answer = await fetch(`${one.url}/realtime/v1/websocket`);
    expect([answer.status, answer.headers.get('upgrade')]).toEqual([426, 'websocket']);
  });
});

describe('the token', () => {
  test('is exchanged in place; one that has expired ends the channel', async () => {
    let token = ann.token(2);
    const { statuses } = await joined(ann.client(one, { token: () => token }), 'short');
    const renewed = await joined(ann.client(one, { token: () => token }), 'renewed');
    token = ann.token(60);
    await renewed.channel.socket.setAuth();
    await expect.poll(() => statuses).toEqual(['SUBSCRIBED', 'CLOSED']);
    await say(renewed.channel, 'still here', {});
    expect(renewed.statuses).toEqual(['SUBSCRIBED']);
  });

  test.each([
    ['expired', () => ann.token(-10), 'Token has expired'],
    ['of no one', () => 'e30.e30.', 'Please sign in'],
    ['of someone else', () => bob.token(), 'someone else'],
  ])('that is %s is not taken instead', async (_what, next, message) => {
    const said: string[] = [];
    const client = ann.client(one);
    const channel = client
      .channel('stolen')
      .on('system', {}, (system: { message: string }) => void said.push(system.message));
    const statuses: string[] = [];
    await subscribed(channel, statuses);
    channel.send({ type: 'broadcast', event: 'first', payload: {} });
    client.realtime.push({
      topic: 'realtime:stolen',
      event: 'access_token',
      payload: { access_token: next() },
      ref: '99',
    });
    await expect.poll(() => statuses).toEqual(['SUBSCRIBED', 'CLOSED']);
    expect(said.at(-1)).toContain(message);
  });

  test('is good for nothing once its session has ended, and at once', async () => {
    const eve = await harness.person('eve');
    const { statuses } = await joined(eve.client(one), 'room');
    const stays = await joined(ann.client(one), 'room');
    await harness.owner.query('delete from auth.sessions where id = $1', [eve.sessionId]);
    await expect.poll(() => statuses).toEqual(['SUBSCRIBED', 'CLOSED']);
    expect(await refused(eve.client(one).channel('room'))).toContain('This session has ended');
    expect(stays.statuses).toEqual(['SUBSCRIBED']);
  });

  test('of someone disabled, banned or with a second step to prove is refused, and looked at again and again', async () => {
    const strict = await harness.process({ limits: { sessionCheckMs: 50 } });
    for (const ban of [
      "update app.profiles set status = 'disabled' where user_id = $1",
      "update auth.users set banned_until = now() + interval '1 day' where id = $1",
      "insert into auth.mfa_factors (user_id, factor_type, status, sealed_secret) values ($1, 'totp', 'verified', 'x')",
    ]) {
      const eve = await harness.person('eve');
      const { statuses } = await joined(eve.client(strict), 'room');
      await harness.owner.query(ban, [eve.userId]);
      await expect.poll(() => statuses).toEqual(['SUBSCRIBED', 'CLOSED']);
      expect(await refused(eve.client(strict).channel('room'))).toContain('Unauthorized');
    }
  });
});

describe('limits', () => {
  test('of channels, messages, subscriptions, names', async () => {
    const strict = await harness.process({
      limits: { channelsOfSocket: 2, messagesPerSecond: 5, bindingsOfChannel: 1 },
    });
    const client = ann.client(strict);
    const first = await joined(client, 'first');
    const lists = { event: '*' as const, schema: 'public', table: 'lists' };
    const two = client.channel('two', { config: { postgres_changes_options: { wait: true } } });
    two.on('postgres_changes', lists, () => {}).on('postgres_changes', { ...lists, event: 'INSERT' }, () => {});
    expect(await refused(two)).toContain('TooManySubscriptions');
    for (const name of ['x'.repeat(250), 'ü'.repeat(124)])
      expect(await refused(client.channel(name))).toContain('TopicNameRequired');
    await joined(client, 'second');
    expect(await refused(client.channel('third'))).toContain('ChannelRateLimitReached');
    for (let count = 0; count < 11; count += 1) await say(first.channel, 'much', {});
    await expect.poll(() => first.statuses).toEqual(['SUBSCRIBED', 'CLOSED']);
  });

  test('of subscriptions of one person, on all their sockets', async () => {
    const strict = await harness.process({ limits: { bindingsOfPerson: 1 } });
    const lists = { event: '*' as const, schema: 'public', table: 'lists' };
    const watching = (person: Person) =>
      person
        .client(strict)
        .channel('lists', { config: { postgres_changes_options: { wait: true } } })
        .on('postgres_changes', lists, () => {});
    const first = await subscribed(watching(ann));
    expect(await refused(watching(ann))).toContain('TooManySubscriptions');
    await subscribed(watching(bob));
    await first.unsubscribe();
    await subscribed(watching(ann));
  });

  test('hold for channels that are joined at once on many sockets', async () => {
    const lists = { event: '*', schema: 'public', table: 'lists', filter: 'name=eq.a' };
    const wishes = [
      ['ConnectionRateLimitReached', { socketsOfPerson: 2 }, {}],
      ['TooManySubscriptions', { bindingsOfPerson: 2 }, { postgres_changes: [lists] }],
    ] as const;
    for (const [reason, limits, wish] of wishes) {
      const strict = await harness.process({ limits });
      const address = `${strict.url.replace('http', 'ws')}/realtime/v1/websocket?vsn=1.0.0&apikey=${PUBLISHABLE_KEY}`;
      const config = { ...wish, postgres_changes_options: { wait: true } };
      const payload = { access_token: ann.token(), config };
      const sockets = await Promise.all(
        Array.from({ length: 12 }, async () => {
          const socket = new WebSocket(address);
          await new Promise((resolve) => socket.addEventListener('open', resolve));
          return socket;
        }),
      );
      const replies = await Promise.all(
        sockets.map((socket) => {
          const reply = new Promise<string>((resolve) =>
            socket.addEventListener('message', ({ data }) => resolve(String(data)), { once: true }),
          );
          socket.send(JSON.stringify({ topic: 'realtime:room', event: 'phx_join', ref: '1', join_ref: '1', payload }));
          return reply;
        }),
      );
      expect(replies.filter((reply) => reply.includes('"status":"ok"'))).toHaveLength(2);
      expect(replies.filter((reply) => reply.includes(reason))).toHaveLength(10);
      for (const socket of sockets) socket.close();
    }
  });

  test('of sockets: of a person, of a network without a channel, and how long they are idle or silent', async () => {
    const strict = await harness.process({
      limits: { socketsOfPerson: 1, unjoinedOfNetwork: 2, idleMs: 1_500, silenceMs: 2_500 },
    });
    const { statuses } = await joined(ann.client(strict), 'room');
    expect(await refused(ann.client(strict).channel('room'))).toContain('ConnectionRateLimitReached');
    await joined(bob.client(strict), 'room');
    const address = `${strict.url.replace('http', 'ws')}/realtime/v1/websocket?vsn=2.0.0&apikey=${PUBLISHABLE_KEY}`;
    const open = () =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(address);
        socket.onopen = () => resolve('open');
        socket.onerror = () => resolve('refused');
      });
    await expect.poll(open).toBe('refused');
    await expect.poll(() => strict.realtime.size()).toBe(2);
    // The client joins again and again from now on.
    await expect.poll(() => statuses.length).toBeGreaterThanOrEqual(2);
    expect(statuses[1]).toContain('CHANNEL_ERROR');
  });

  test('of one message, and what is none', async () => {
    for (const [sent, code] of [
      ['x'.repeat(300_000), 1009],
      ['not JSON', 1007],
      ['{"topic":1}', 1007],
      [Uint8Array.from([3, 9, 9]), 1007],
    ] as const) {
      const socket = new WebSocket(
        `${one.url.replace('http', 'ws')}/realtime/v1/websocket?vsn=2.0.0&apikey=${PUBLISHABLE_KEY}`,
      );
      const closed = new Promise<number>((resolve) => {
        socket.onclose = (event) => resolve(event.code);
      });
      socket.onopen = () => socket.send(sent);
      expect(await closed).toBe(code);
    }
  });

  test.each([
    ['/realtime/v1/websocket?vsn=3.0.0', 400],
    ['/realtime/v1/websocket?vsn=2.0.0&apikey=wrong', 401],
    ['/elsewhere', 404],
    ['//', 400],
    ['http://[', 400],
  ])('an upgrade of %s is answered %d', async (path, status) => {
    const answer = await new Promise<number | undefined>((resolve) => {
      const sent = path.includes('?') && !path.includes('apikey') ? `${path}&apikey=${PUBLISHABLE_KEY}` : path;
      const headers = {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==',
      };
      get(one.url, { path: sent, headers }, (response) => resolve(response.statusCode)).on('error', () =>
        resolve(undefined),
      );
    });
    expect(answer).toBe(status);
  });
});
