import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { LIVE_CHANNEL, type LiveMessage } from '#contract/live.ts';
import { NOBODY_LISTENS } from '#db/notifications.ts';
import { buildListOf } from '#test/lists.ts';
import { type Product, startProduct } from '#test/product.ts';
import { sendBroadcasts } from './send-broadcasts.ts';
import { startHostedLive } from './start-hosted-live.ts';

type Sent = { topic: string; event: string; payload: LiveMessage; private: boolean };
type Asked = { key: string; messages: Sent[] };

let product: Product;
/** What Supabase's Realtime was asked, and how it answers. */
let asked: Asked[];
let statuses: number[];
let tellers: { stop(): Promise<void> }[];
const supabase = createServer(async (request, response) => {
  const { messages } = (await json(request)) as { messages: Sent[] };
  const status = request.url === '/realtime/v1/api/broadcast' ? (statuses.shift() ?? 202) : 404;
  if (status === 202) asked.push({ key: String(request.headers.apikey), messages });
  response.writeHead(status).end();
});
let url: string;

beforeAll(async () => {
  product = await startProduct({ worker: false });
  await new Promise<void>((resolve) => supabase.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(supabase.address() as AddressInfo).port}`;
});
beforeEach(async () => {
  [asked, statuses, tellers] = [[], [], []];
  await sql`delete from app.live_lease`.execute(product.db);
});
afterEach(() => Promise.all(tellers.map((one) => one.stop())));
afterAll(() => supabase.close());

/** One of several processes; its key tells it apart. */
function tell(key: string, notifications = product.deps.notifications) {
  const teller = startHostedLive({ ...product.deps, notifications }, { url, secretKey: key }, { renewMs: 40 });
  tellers.push(teller);
  return teller;
}
/** Resolves when one of them has begun. */
const begun = () =>
  expect.poll(async () => (await sql`select from app.live_lease`.execute(product.db)).rows.length).toBe(1);
const rename = (listId: string, name: string) =>
  product.db.updateTable('lists').set({ name }).where('id', '=', listId).execute();
/** Who has told that a list has this name. */
const toldBy = (name: string) => {
  const isThat = ({ payload }: Sent) =>
    payload.kind === 'changed' && payload.changes.some(({ list }) => list?.name === name);
  return [...new Set(asked.filter(({ messages }) => messages.some(isThat)).map(({ key }) => key))];
};

test('one of several processes tells, and when it stops another', async () => {
  const user = await product.user();
  const first = tell('first');
  await begun();
  tell('second');
  const listId = await buildListOf(product.db, user.id, [], { name: 'Built' });
  await expect.poll(() => toldBy('Built')).toEqual(['first']);
  const [{ messages: [message] = [] } = { messages: [] }] = asked;
  expect(message).toMatchObject({ topic: LIVE_CHANNEL.of(user.id), event: LIVE_CHANNEL.event, private: true });
  await first.stop();
  await rename(listId, 'Renamed');
  await expect.poll(() => toldBy('Renamed')).toEqual(['second']);
});

test('anyone who takes over tells what was changed since everything had been told', async () => {
  const user = await product.user();
  await buildListOf(product.db, user.id, [], { name: 'Unheard' });
  await sql`
    insert into app.live_lease (holder, alive_until, told_at)
    values (${randomUUID()}, clock_timestamp() + interval '0.2 seconds', now() - interval '1 minute')`.execute(
    product.db,
  );
  tell('next');
  await expect.poll(() => toldBy('Unheard')).toEqual(['next']);
});

test('a process that hears nothing looks every few seconds', async () => {
  const user = await product.user();
  tell('deaf', NOBODY_LISTENS);
  await begun();
  await buildListOf(product.db, user.id, [], { name: 'Looked up' });
  await expect.poll(() => toldBy('Looked up')[0]).toBe('deaf');
});

test('what Supabase does not take is sent again, as it is then, and logged once; who is disabled is told nothing', async () => {
  const [user, other] = [await product.user(), await product.user()];
  await product.db.updateTable('app.profiles').set({ status: 'disabled' }).where('user_id', '=', other.id).execute();
  tell('patient');
  await begun();
  product.log.length = 0;
  statuses.push(429, 503);
  const listId = await buildListOf(product.db, user.id, [], { name: 'Before' });
  await buildListOf(product.db, other.id, [], { name: 'Not told' });
  await expect.poll(() => statuses).toEqual([503]);
  await rename(listId, 'After');
  await expect.poll(() => toldBy('After'), { timeout: 10_000 }).toEqual(['patient']);
  expect([toldBy('Before'), toldBy('Not told')]).toEqual([[], []]);
  expect(product.log.filter((line) => line.includes('changes not sent'))).toHaveLength(1);
});

test('a request holds a hundred messages, and 250 kB', async () => {
  const send = (people: number, message: LiveMessage) =>
    sendBroadcasts({ url, secretKey: 'key' }, new Map(Array.from({ length: people }, (_, at) => [`${at}`, message])));
  await send(150, { kind: 'missed' });
  const change = { listId: 'x'.repeat(90_000), list: null, runs: [] };
  await send(3, { kind: 'changed', changes: [change] });
  expect(asked.map(({ messages }) => messages.length)).toEqual([100, 50, 2, 1]);
});
