import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { setUserStatus } from '#contract/admin-users.ts';
import { type ListChange, LiveMessage } from '#contract/live.ts';
import { searchLeads } from '#contract/search.ts';
import { buildList, buildListOf } from '#test/lists.ts';
import { type Process, type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
/** Another process, which serves and does not work. */
let web: Process;
let url: string;
beforeAll(async () => {
  product = await startProduct({ latencyMs: 50 });
  web = await product.process({ worker: false });
  url = await web.serve();
});

type Listener = {
  messages: LiveMessage[];
  /** When each of them came. */
  times: number[];
  /** What the messages have told of a list, in order. */
  of(listId: string): ListChange[];
  headers: Headers;
  ended: Promise<void>;
  leave(): void;
};

/** Listens over real HTTP, until it leaves or is left. */
async function listen(user: TestUser, from = url): Promise<Listener> {
  const leaving = new AbortController();
  const response = await fetch(`${from}/api/events`, {
    headers: { authorization: await user.authorization() },
    signal: leaving.signal,
  });
  if (!response.ok || !response.body) throw new Error(`${response.status} ${await response.text()}`);
  const messages: LiveMessage[] = [];
  const times: number[] = [];
  const decoder = new TextDecoder();
  const read = async (body: ReadableStream<Uint8Array>) => {
    let rest = '';
    for await (const part of body) {
      const blocks = (rest + decoder.decode(part, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks.filter((one) => one.startsWith('data: '))) {
        messages.push(LiveMessage.parse(JSON.parse(block.slice('data: '.length))));
        times.push(performance.now());
      }
    }
  };
  const ended = read(response.body).catch(() => {});
  await expect.poll(() => messages.length).toBeGreaterThan(0);
  return {
    messages,
    times,
    of: (listId) =>
      messages.flatMap((one) =>
        one.kind === 'changed' ? one.changes.filter((change) => change.listId === listId) : [],
      ),
    headers: response.headers,
    ended,
    leave: () => leaving.abort(),
  };
}

const rename = (listId: string, name: string) =>
  product.db.updateTable('lists').set({ name }).where('id', '=', listId).execute();

test('work by another process moves both sessions of its owner within a second, and nobody else', async () => {
  const owner = await web.user('owner');
  await owner.connect('google_places', 'sandbox');
  const listId = await buildList(product.db, owner.id);
  const stranger = await listen(await web.user('stranger'));
  const [one, other] = await Promise.all([listen(owner), listen(web.as(owner))]);
  const found = await owner.call(searchLeads, {
    query: 'plumber',
    location: 'Springfield, IL',
    list_id: listId,
    radius: 40_234,
    maxResults: 60,
  });
  const answered = performance.now();
  for (const listener of [one, other]) {
    await expect.poll(() => listener.of(listId).at(-1)?.list?.status).toBe('completed');
    expect((listener.times.at(-1) ?? 0) - answered).toBeLessThan(1_000);
    const runs = listener.of(listId).flatMap((change) => change.runs);
    expect(runs.map(({ state }) => state)).toEqual(expect.arrayContaining(['running', 'completed']));
    expect(runs.at(-1)).toMatchObject({ state: 'completed', search: { kept: found.leads?.length } });
  }
  expect(stranger.messages).toEqual([{ kind: 'ready' }]);
  for (const listener of [one, other, stranger]) listener.leave();
});

test('proxies neither keep nor hold it back', async () => {
  const listener = await listen(await web.user());
  expect(Object.fromEntries(listener.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  });
  expect(listener.headers.get('content-length')).toBeNull();
  listener.leave();
});

test('a list that changes all the time is told four times a second at the most, and its last state always', async () => {
  const user = await web.user();
  const listId = await buildListOf(product.db, user.id, []);
  const listener = await listen(user);
  const from = performance.now();
  for (let round = 0; round < 40; round += 1) {
    await rename(listId, `Name ${round}`);
    await pause(20);
  }
  await expect.poll(() => listener.of(listId).at(-1)?.list?.name).toBe('Name 39');
  const seconds = (performance.now() - from) / 1_000;
  expect(listener.of(listId).length).toBeLessThanOrEqual(4 * seconds + 2);
  listener.leave();
});

test('whoever begins to listen is told what is under way, and when a list is deleted', async () => {
  const user = await web.user();
  const listId = await buildListOf(product.db, user.id, [{}], { status: 'processing' });
  await sql`update lists set created_at = now() - interval '1 day' where id = ${listId}`.execute(product.db);
  const listener = await listen(user);
  await expect.poll(() => listener.of(listId).at(-1)?.list?.status).toBe('processing');
  await product.db.deleteFrom('lists').where('id', '=', listId).execute();
  await expect.poll(() => listener.of(listId).at(-1)?.list).toBeNull();
  listener.leave();
});

test('the stream ends with its session, no other one does, and all of somebody disabled do', async () => {
  const user = await web.user();
  const again = web.as(user);
  const [signedOut, stays] = [await listen(user), await listen(again)];
  const [, sessionId] = (await user.authorization()).split('|');
  await sql`delete from auth.sessions where id = ${sessionId}`.execute(product.db);
  await signedOut.ended;
  await expect(listen(user)).rejects.toThrow('401');
  const listId = await buildListOf(product.db, user.id, []);
  await expect.poll(() => stays.of(listId).length).toBeGreaterThan(0);
  await (await web.admin()).call(setUserStatus, { user_id: user.id, status: 'disabled' });
  await stays.ended;
  await expect(listen(again)).rejects.toThrow('401');
});

test('the stream ends when a second step is asked for that its session has not proven', async () => {
  const user = await web.user();
  const sessionId = (await user.authorization()).split('|')[1] ?? '';
  const open = async (aal: 'aal1' | 'aal2') => {
    const leaving = new AbortController();
    const body = await web.deps.live.open({ userId: user.id, sessionId, aal }, leaving.signal);
    const { done } = await body.getReader().read();
    leaving.abort();
    return done ? 'ended' : 'told';
  };
  expect(await open('aal1')).toBe('told');
  await product.db
    .insertInto('auth.mfa_factors')
    .values({ user_id: user.id, factor_type: 'totp', status: 'verified', sealed_secret: 'v1' })
    .execute();
  expect(await open('aal1')).toBe('ended');
  expect(await open('aal2')).toBe('told');
});

test('one person has ten streams, and a place is free again when one of them leaves', async () => {
  const user = await web.user();
  const listeners = [];
  for (let count = 0; count < 10; count += 1) listeners.push(await listen(user));
  await expect(listen(user)).rejects.toThrow('429');
  listeners[0]?.leave();
  await expect.poll(async () => (await listen(user).catch(() => undefined)) !== undefined).toBe(true);
  for (const listener of listeners) listener.leave();
});

test('a broken connection to the database is told of when it is back', async () => {
  const listener = await listen(await web.user());
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'fairlead notifications' and datname = current_database()
  `.execute(product.db);
  await expect.poll(() => listener.messages, { timeout: 5_000 }).toContainEqual({ kind: 'missed' });
  listener.leave();
});

test('a process that stops ends its streams at once and opens no more', async () => {
  const leaving = await product.process({ worker: false });
  const from = await leaving.serve();
  const user = leaving.as(await web.user());
  const listener = await listen(user, from);
  const began = performance.now();
  leaving.deps.live.stop();
  await listener.ended;
  await expect(listen(user, from)).rejects.toThrow('503');
  await leaving.stop();
  expect(performance.now() - began).toBeLessThan(3_000);
});
