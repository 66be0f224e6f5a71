import { setTimeout as pause } from 'node:timers/promises';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LIVE_CHANNEL } from '#contract/live.ts';
import { searchLeadsEndpoint } from '#contract/work/search/search.ts';
import { buildList, buildListOf } from '#test/lists.ts';
import { type Process, type Product, startProduct, type TestUser } from '#test/product.ts';
import { type LiveListener, listenToLists } from '#test/servers/live-listener.ts';

let product: Product;
/** Another process, which serves and does not work. */
let web: Process;
let url: string;
const clients: SupabaseClient[] = [];
beforeAll(async () => {
  product = await startProduct({ latencyMs: 50 });
  web = await product.process({ worker: false });
  url = await web.serve();
});
// Before the product is stopped: anyone who is cut off comes back.
afterAll(() => Promise.all(clients.map((client) => client.realtime.disconnect())));

async function clientOf(user: TestUser): Promise<SupabaseClient> {
  const token = (await user.authorization()).replace('Bearer ', '');
  const client = createClient(url, 'sb_publishable_test', { accessToken: async () => token });
  clients.push(client);
  return client;
}

async function listen(user: TestUser): Promise<LiveListener> {
  const listener = await listenToLists(await clientOf(user), user.id);
  expect(listener.statuses).toEqual(['SUBSCRIBED']);
  return listener;
}

const rename = (listId: string, name: string) =>
  product.db.updateTable('lists').set({ name }).where('id', '=', listId).execute();

test('work by another process moves both sessions of its owner within a second, and no one else', async () => {
  const owner = await web.user('owner');
  await owner.connect('google_places', 'sandbox');
  const listId = await buildList(product.db, owner.id);
  const stranger = await listen(await web.user('stranger'));
  const [one, other] = await Promise.all([listen(owner), listen(web.as(owner))]);
  const found = await owner.call(searchLeadsEndpoint, {
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
  expect(stranger.messages).toEqual([]);
});

test('a list that changes all the time is told four times a second at most, and its last state always', async () => {
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
});

test('a list that is deleted is told, and what would be too much at once is to be read', async () => {
  const user = await web.user();
  const listId = await buildListOf(product.db, user.id, []);
  const listener = await listen(user);
  await product.db.deleteFrom('lists').where('id', '=', listId).execute();
  await expect.poll(() => listener.of(listId).at(-1)?.list).toBeNull();
  await sql`
    insert into lists (user_id, name) select ${user.id}::uuid, repeat('x', 200) from generate_series(1, 800)
  `.execute(product.db);
  await expect.poll(() => listener.messages.at(-1)).toEqual({ kind: 'missed' });
});

test('only its owner listens on the channel, and no one speaks there but the server', async () => {
  const [owner, stranger] = [await web.user(), await web.user()];
  const [listener, speaker] = [await listen(owner), await listen(owner)];
  const refused = await listenToLists(await clientOf(stranger), owner.id);
  expect(refused.statuses[0]).toContain('Unauthorized');
  await speaker.channel.send({ type: 'broadcast', event: LIVE_CHANNEL.event, payload: { kind: 'missed' } });
  const listId = await buildListOf(product.db, owner.id, []);
  await expect.poll(() => listener.of(listId)).not.toEqual([]);
  expect(listener.messages.map(({ kind }) => kind)).not.toContain('missed');
});

test('a broken connection to the database is told of when it is back', async () => {
  const listener = await listen(await web.user());
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'fairlead notifications' and datname = current_database()
  `.execute(product.db);
  await expect.poll(() => listener.messages, { timeout: 5_000 }).toContainEqual({ kind: 'missed' });
});
