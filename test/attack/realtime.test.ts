import { createClient, type RealtimeChannel, type SupabaseClient } from '@supabase/supabase-js';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forgeries } from './harness/forgeries.ts';
import { type Account, type Owner, signIn, signInOwner } from './harness/people.ts';
import { routesBelow } from './harness/routes.ts';
import { ADMIN, PUBLISHABLE_KEY, type Site, startSite } from './harness/site.ts';

let site: Site;
let alice: Owner;
let mallory: Account;
let tokens: [string, string | undefined][];
const clients: SupabaseClient[] = [];
beforeAll(async () => {
  site = await startSite();
  alice = await signInOwner(site, 'alice@people.example');
  await signIn(site, ADMIN);
  for (const email of ['mallory@people.example', 'disabled@people.example']) await site.invite(email);
  mallory = await signIn(site, 'mallory@people.example');
  const disabled = await signIn(site, 'disabled@people.example');
  await site.db
    .updateTable('app.profiles')
    .set({ status: 'disabled' })
    .where('user_id', '=', disabled.userId)
    .execute();
  tokens = Object.entries({ ...(await forgeries(site, alice, mallory)), 'a disabled user': disabled.accessToken });
});
afterAll(() => Promise.all(clients.map((client) => client.realtime.disconnect())));

async function clientWith(token: string): Promise<SupabaseClient> {
  const client = createClient(site.url, PUBLISHABLE_KEY, { accessToken: async () => token });
  clients.push(client);
  await client.realtime.setAuth();
  return client;
}

/** What becomes of a channel first. */
async function outcome(channel: RealtimeChannel): Promise<string> {
  const statuses: string[] = [];
  channel.subscribe((status) => void statuses.push(status));
  await expect.poll(() => statuses[0]).toBeDefined();
  return statuses[0] ?? '';
}

test('no socket and no request speaks or listens with a token that is none', async () => {
  const heard: unknown[] = [];
  const room = (await clientWith(alice.accessToken)).channel('room');
  expect(await outcome(room.on('broadcast', { event: '*' }, (said) => void heard.push(said)))).toBe('SUBSCRIBED');
  const routes = routesBelow(site, '/realtime/v1/').filter((route) => route.startsWith('POST'));
  expect(routes).toHaveLength(2);
  for (const [what, token] of tokens) {
    expect(await outcome((await clientWith(token ?? PUBLISHABLE_KEY)).channel('room')), what).toBe('CHANNEL_ERROR');
    for (const route of routes) {
      const path = (route.split(' ')[1] ?? '').replace(':topic', 'room').replace(':event', 'forged');
      const body = { messages: [{ topic: 'room', event: 'forged', payload: {} }] };
      expect((await site.call('POST', path, { token, body })).status, `${route} with ${what}`).toBe(401);
    }
  }
  expect(heard).toEqual([]);
});

test("nothing of someone else's is told, whatever is subscribed to", async () => {
  const told: unknown[] = [];
  const attacker = await clientWith(mallory.accessToken);
  const wishes = [
    {},
    { table: 'lists' },
    { table: 'lists', filter: `user_id=eq.${alice.userId}` },
    { table: 'lists', filter: 'id=not.is.null,name=like.*' },
    { table: 'leads', filter: `list_id=eq.${alice.listId}` },
    { table: 'leads', select: ['id'] },
  ];
  for (const [at, wish] of wishes.entries()) {
    const binding = { event: '*' as const, schema: 'public', ...wish };
    const channel = attacker.channel(`wish ${at}`).on('postgres_changes', binding, (change) => void told.push(change));
    expect(await outcome(channel)).toBe('SUBSCRIBED');
  }
  const alices: unknown[] = [];
  const own = (await clientWith(alice.accessToken)).channel('own');
  own.on('postgres_changes', { event: '*', schema: 'public' }, (change) => void alices.push(change));
  expect(await outcome(own)).toBe('SUBSCRIBED');
  await site.db.updateTable('lists').set({ name: 'Secret' }).where('id', '=', alice.listId).execute();
  await site.db.updateTable('leads').set({ phone: '(217) 555-0100' }).where('list_id', '=', alice.listId).execute();
  await site.db.deleteFrom('leads').where('list_id', '=', alice.listId).execute();
  await site.db.deleteFrom('lists').where('id', '=', alice.listId).execute();
  const row = { user_id: mallory.userId, name: 'Own', status: 'processing' };
  await site.db.insertInto('lists').values(row).execute();
  // Their own change comes after all of hers, in the same channels.
  await expect.poll(() => told.length).toBe(3);
  expect(JSON.stringify(told)).not.toContain(alice.userId);
  expect(JSON.stringify(told)).not.toContain(alice.listId);
  await expect.poll(() => alices.length).toBeGreaterThanOrEqual(2);
});

test("of a statement that changes everyone's rows each is told their own, however many there are", async () => {
  const told = { mallory: [] as string[], admin: [] as string[] };
  const admin = await signIn(site, ADMIN);
  for (const [who, { accessToken }] of Object.entries({ mallory, admin })) {
    const channel = (await clientWith(accessToken)).channel('everything');
    // What someone requests does not decide whose row it is.
    const filter = `user_id=in.(${mallory.userId},${admin.userId})`;
    channel.on('postgres_changes', { event: '*', schema: 'public', table: 'lists', filter }, ({ new: row }) => {
      told[who as keyof typeof told].push('user_id' in row ? String(row.user_id) : '');
    });
    expect(await outcome(channel)).toBe('SUBSCRIBED');
  }
  await sql`
    insert into lists (user_id, name, status)
    select whose, 'Many', 'processing' from generate_series(1, 160), unnest(${[mallory.userId, admin.userId]}::uuid[]) as whose
  `.execute(site.owner);
  for (const [ids, { userId }] of [
    [told.mallory, mallory],
    [told.admin, admin],
  ] as const) {
    await expect.poll(() => ids.length).toBe(160);
    expect(new Set(ids)).toEqual(new Set([userId]));
  }
});

test.each([
  "name=eq.x';drop table lists;--",
  'id=eq.1)or(1=1',
  '"name"=is.not_null) or (true',
  'name=in.(a,"b"),user_id=is.null) or true --',
  'search_params->>location=eq.x',
  'auth.uid()=eq.x',
])('the filter %s is no SQL', async (filter) => {
  const attacker = await clientWith(mallory.accessToken);
  const channel = attacker.channel(filter, { config: { postgres_changes_options: { wait: true } } });
  const told: unknown[] = [];
  channel.on(
    'postgres_changes',
    { event: '*', schema: 'public', table: 'lists', filter },
    (one) => void told.push(one),
  );
  await outcome(channel);
  await site.db.updateTable('lists').set({ name: 'Renamed' }).where('user_id', '=', mallory.userId).execute();
  expect(told).toEqual([]);
});
