import { randomBytes } from 'node:crypto';
import { postgresChangesFilter } from '@supabase/supabase-js';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { migrate } from '#db/migrations/migrate.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { changesOf, type Harness, type Person, type Process, startHarness, subscribed } from './testing/harness.ts';

let harness: Harness;
let one: Process;
let other: Process;
let ann: Person;
let bob: Person;
beforeAll(async () => {
  harness = await startHarness(await freshDatabase());
  await harness.owner.query(`
    create table public.notices (id uuid primary key default gen_random_uuid(), body text);
    alter table public.notices enable row level security;
    create policy server on public.notices to service_role using (true) with check (true);
    create policy everybody_reads on public.notices for select to authenticated using (body <> 'hidden');
    grant select on public.notices to authenticated, service_role;
    select realtime.watch('public.notices', null);
  `);
  // A clock that is put on is no silence.
  [one, other] = await Promise.all([harness.process({ limits: { silenceMs: 600_000 } }), harness.process()]);
  [ann, bob] = await Promise.all([harness.person('ann'), harness.person('bob')]);
});
afterEach(() => void vi.useRealTimers());
afterAll(() => harness?.stop());

const rename = (id: string, name: string) =>
  harness.owner.query('update lists set name = $2 where id = $1', [id, name]);

test('what is inserted, updated and deleted is told to its owner, in any process, and to no one else', async () => {
  const anns = await Promise.all([one, other].map((process) => changesOf(ann.client(process), { table: 'lists' })));
  const bobs = await changesOf(bob.client(one), {});
  const id = await harness.list(ann, { search_params: { location: 'Salem' } });
  const heard = (count: number) => Promise.all(anns.map((told) => expect.poll(() => told).toHaveLength(count)));
  // A row is told as it is when it is read, and one that is gone by then only as deleted.
  await heard(1);
  await rename(id, 'Bakers');
  await heard(2);
  await harness.owner.query('delete from lists where id = $1', [id]);
  await heard(3);
  for (const told of anns) {
    expect(told.map(({ eventType }) => eventType)).toEqual(['INSERT', 'UPDATE', 'DELETE']);
    expect(told[2]).toMatchObject({ new: {}, old: { id }, schema: 'public', table: 'lists', errors: null });
  }
  const sent = await harness.list(bob);
  await expect.poll(() => bobs.map((change) => change.new)).toMatchObject([{ id: sent, user_id: bob.userId }]);
});

test('a change has the columns of its row, with their types', async () => {
  const told = await changesOf(ann.client(one), { table: 'lists' });
  const id = await harness.list(ann, { search_params: { location: 'Salem' }, lead_count: 3, sandbox: true });
  await expect.poll(() => told).toHaveLength(1);
  expect(told[0]).toMatchObject({
    new: { id, name: 'Bakers in Salem, MA', search_params: { location: 'Salem' }, lead_count: 3, sandbox: true },
    old: {},
  });
  expect(Date.parse(told[0]?.commit_timestamp ?? '')).toBeGreaterThan(Date.now() - 60_000);
});

test('rows of any size, and thousands of one statement, arrive whole', async () => {
  const listId = await harness.list(ann);
  const told = await changesOf(ann.client(other), { table: 'leads', filter: `list_id=eq.${listId}` });
  await harness.lead(listId, { address: 'x'.repeat(20_000), position: -1 });
  await expect.poll(() => told[0]?.new).toMatchObject({ address: 'x'.repeat(20_000) });
  await harness.owner.query(
    `insert into leads (list_id, position, business_name) select $1, n, 'Crumb & Co' from generate_series(1, 1500) as n`,
    [listId],
  );
  await expect.poll(() => told.length).toBe(1501);
  expect(new Set(told.map((change) => ('position' in change.new ? change.new.position : undefined))).size).toBe(1501);
});

/** Resolves when every change of before has been told: those of someone else are told after them. */
async function settled() {
  const person = await harness.person('settled');
  const told = await changesOf(person.client(one), { table: 'lists' });
  for (const count of [1, 2]) {
    await harness.list(person);
    await expect.poll(() => told).toHaveLength(count);
  }
}

test('a row that changes hands is told to whom it belongs then, and nothing of it to whom it was taken from', async () => {
  const [anns, bobs] = [
    await changesOf(ann.client(one), { table: 'lists' }),
    await changesOf(bob.client(one), { table: 'lists' }),
  ];
  const id = await harness.list(ann);
  await expect.poll(() => anns).toHaveLength(1);
  await harness.owner.query(
    `do $$ begin update lists set name = 'Renamed' where id = '${id}';
       update lists set user_id = '${bob.userId}' where id = '${id}'; end $$`,
  );
  await expect.poll(() => bobs).toMatchObject([{ eventType: 'UPDATE', new: { id, name: 'Renamed' }, old: { id } }]);
  await harness.owner.query('delete from lists where id = $1', [id]);
  await expect.poll(() => bobs.map(({ eventType }) => eventType)).toEqual(['UPDATE', 'DELETE']);
  await settled();
  expect(anns).toHaveLength(1);
});

test('of a table without an owner everyone is asked, and no one told what is deleted', async () => {
  const told = await Promise.all(
    [ann.client(one), bob.client(other)].map((client) => changesOf(client, { table: 'notices' })),
  );
  await harness.owner.query("insert into notices (body) values ('hidden'), ('shown')");
  for (const one of told) await expect.poll(() => one.map((change) => change.new)).toMatchObject([{ body: 'shown' }]);
  await harness.owner.query("delete from notices where body = 'shown'");
  await harness.owner.query("update notices set body = 'found'");
  for (const one of told)
    await expect.poll(() => one.map((change) => change.new)).toMatchObject([{}, { body: 'found' }]);
});

test('nothing is told with a token that has just run out', async () => {
  const [short, long] = [
    await changesOf(ann.client(one, { token: () => ann.token(60) }), { table: 'lists' }),
    await changesOf(ann.client(one), { table: 'lists' }),
  ];
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 100_000 });
  await harness.list(ann);
  await expect.poll(() => long).toHaveLength(1);
  expect(short).toEqual([]);
});

test.each([
  [
    'whose second step is asked for',
    "insert into auth.mfa_factors (user_id, factor_type, status, sealed_secret) values ($1, 'totp', 'verified', 'x')",
  ],
  ['who has been disabled', "update app.profiles set status = 'disabled' where user_id = $1"],
])('nothing is told to someone %s, though their channel is still open', async (_whom, change) => {
  const eve = await harness.person('eve');
  const statuses: string[] = [];
  const told: unknown[] = [];
  const lists = { event: '*' as const, schema: 'public', table: 'lists' };
  await subscribed(
    eve
      .client(one)
      .channel('open')
      .on('postgres_changes', lists, (one) => void told.push(one)),
    statuses,
  );
  await harness.owner.query(change, [eve.userId]);
  await harness.list(eve);
  await settled();
  // The channel itself may be closed by now: sessions are looked after from time to time.
  expect([told, statuses[0]]).toEqual([[], 'SUBSCRIBED']);
});

test('the leads of a deleted list go with it silently; one that is deleted alone is told to the owner of its list', async () => {
  const told = await changesOf(ann.client(one), {});
  const bobs = await changesOf(bob.client(one), { table: 'leads' });
  const listId = await harness.list(ann);
  const [first] = [await harness.lead(listId), await harness.lead(listId)];
  await harness.owner.query('delete from leads where id = $1', [first]);
  await harness.owner.query('delete from lists where id = $1', [listId]);
  await expect.poll(() => told.filter(({ eventType }) => eventType === 'DELETE')).toHaveLength(2);
  const deleted = told.filter(({ eventType }) => eventType === 'DELETE');
  expect(deleted.map(({ table, old }) => [table, old])).toEqual([
    ['leads', { id: first }],
    ['lists', { id: listId }],
  ]);
  expect(bobs).toEqual([]);
});

test.each([
  ['name=eq.Bakers', 'Bakers', 'Bankers'],
  ['name=neq.Bankers', 'Bakers', 'Bankers'],
  ['name=in.(Bakers,"Bars, pubs")', 'Bars, pubs', 'Pubs'],
  ['name=eq."Bars, pubs"', 'Bars, pubs', 'Bars'],
  ['name=like.Ba*,name=not.like.*s', 'Bakery', 'Bakers'],
  ['name=imatch.^bakers?$', 'BAKER', 'Bakery'],
  ['lead_count=gte.0,name=isdistinct.Bars,resolved_place=is.null', 'Bakers', 'Bars'],
  [String(postgresChangesFilter().gte('lead_count', 0).in('name', ['Bars, pubs', 'Inns'])), 'Bars, pubs', 'Pubs'],
])('%s', async (filter, passes, fails) => {
  const told = await changesOf(ann.client(one), { table: 'lists', filter });
  await harness.list(ann, { name: fails });
  await harness.list(ann, { name: passes });
  await expect.poll(() => told.map((change) => change.new)).toMatchObject([{ name: passes }]);
});

test('one channel may have several subscriptions, and ask for some columns only', async () => {
  const inserted: unknown[] = [];
  const named: unknown[] = [];
  const lists = { schema: 'public', table: 'lists' };
  await subscribed(
    ann
      .client(one)
      .channel('several')
      .on('postgres_changes', { ...lists, event: 'INSERT' }, (change) => void inserted.push(change.new))
      .on('postgres_changes', { ...lists, event: 'UPDATE', select: ['name'] }, (change) => void named.push(change.new)),
  );
  const id = await harness.list(ann);
  await rename(id, 'Renamed');
  await expect.poll(() => named).toEqual([{ name: 'Renamed' }]);
  expect(inserted).toMatchObject([{ id, status: 'processing' }]);
});

const refusals: [string, { table?: string; filter?: string; select?: string[]; schema?: string }, string][] = [
  ['a table that is not there', { table: 'nothing' }, 'changes of public.nothing are not told'],
  ["a server's table", { table: 'runs', schema: 'app' }, 'changes of app.runs are not told'],
  ['a value of another type', { table: 'lists', filter: 'id=eq.7' }, 'invalid input syntax for type uuid'],
  ['an unknown column', { table: 'lists', filter: 'nothing=eq.7' }, 'column nothing does not exist'],
  ['an unknown operator', { table: 'lists', filter: 'name=fts.bakers' }, 'not offered for changes'],
  ['a pattern that could take very long', { table: 'lists', filter: 'name=match.(a*)\\1' }, 'may not refer back'],
  ['the same in quotes', { table: 'lists', filter: 'name=match."(a*)\\\\1"' }, 'may not refer back'],
  ['no filter', { table: 'lists', filter: 'name' }, 'failed to parse'],
  ['a filter on all tables', { filter: 'name=eq.Bakers' }, 'a filter needs a table'],
  ['a column that cannot be told', { table: 'lists', select: ['nothing'] }, 'column nothing does not exist'],
];
test.each(refusals)('%s is refused', async (_what, wish, message) => {
  const [statuses, said]: [string[], { status: string; message: string }[]] = [[], []];
  const client = ann.client(one);
  const binding = { event: '*' as const, schema: 'public', ...wish };
  const channel = client.channel('told later').on('postgres_changes', binding, () => {});
  await subscribed(channel.on('system', {}, (one: (typeof said)[number]) => void said.push(one)));
  await expect.poll(() => said).toMatchObject([{ status: 'error', message: expect.stringContaining(message) }]);
  client
    .channel('waits', { config: { postgres_changes_options: { wait: true } } })
    .on('postgres_changes', binding, () => {})
    .subscribe((status, error) => void statuses.push(`${status} ${error?.message}`));
  await expect.poll(() => statuses[0]).toContain(message);
  expect(statuses[0]).toMatch(/^CHANNEL_ERROR/);
});

test('a filter that fails on a row takes nothing from the others, and is not applied to rows of someone else', async () => {
  const said: { message: string }[] = [];
  const lists = { event: '*' as const, schema: 'public', table: 'lists' };
  const broken = bob
    .client(one)
    .channel('broken')
    .on('postgres_changes', { ...lists, filter: 'name=match.a(' }, () => {});
  await subscribed(broken.on('system', {}, (one: { message: string }) => void said.push(one)));
  const anns = await changesOf(ann.client(one), { table: 'lists' });
  const told = await changesOf(bob.client(one), { table: 'lists', filter: 'name=eq.Bakers' });
  await harness.list(ann);
  await expect.poll(() => anns).toHaveLength(1);
  expect(said.map(({ message }) => message)).toEqual(['Subscribed to PostgreSQL']);
  await harness.list(bob, { name: 'Bakers' });
  await expect.poll(() => told).toHaveLength(1);
  expect(said.at(-1)?.message).toContain('could not be applied');
});

test('what a filter fails on says nothing about rows that its person does not see', async () => {
  const said: { message: string }[] = [];
  const binding = { event: '*' as const, schema: 'public', filter: 'name=like.Secret\\' };
  // PostgreSQL refuses such a pattern only once it has met a text that begins so.
  const guessing = bob.client(one).channel('guessing');
  guessing.on('postgres_changes', { ...binding, table: 'lists' }, () => {});
  guessing.on('postgres_changes', { ...binding, table: 'notices', filter: 'body=like.hid\\' }, () => {});
  await subscribed(guessing.on('system', {}, (one: { message: string }) => void said.push(one)));
  const anns = await changesOf(ann.client(one), { table: 'lists' });
  const bobs = await changesOf(bob.client(one), { table: 'lists' });
  const both = [ann.userId, bob.userId];
  await harness.owner.query("insert into lists (user_id, name) values ($1, 'Secret plans'), ($2, 'Bakers')", both);
  await harness.owner.query("insert into notices (body) values ('hidden')");
  await expect.poll(() => [anns.length, bobs.length]).toEqual([1, 1]);
  await settled();
  expect(said.map(({ message }) => message)).toEqual(['Subscribed to PostgreSQL']);
});

/** Another database, where comparing `lists.tardy` takes two seconds. */
async function startTardy() {
  const tardy = await startHarness(await freshDatabase());
  await tardy.owner.query(`
    create type public.tardy as (x integer);
    create function public.slowly(one public.tardy, other public.tardy) returns boolean language plpgsql as
      $$ begin perform pg_sleep(2); return true; end $$;
    create operator public.= (leftarg = public.tardy, rightarg = public.tardy, function = public.slowly);
    alter table public.lists add column tardy public.tardy default row(1)::public.tardy`);
  return tardy;
}

test('a filter that takes too long is given up, and no other of its person is told less', async () => {
  const tardy = await startTardy();
  const [process, eve] = [await tardy.process(), await tardy.person('eve')];
  const said: string[] = [];
  const slow = eve.client(process).channel('slow');
  slow.on('postgres_changes', { event: '*', schema: 'public', table: 'lists', filter: 'tardy=eq.(1)' }, () => {});
  await subscribed(slow.on('system', {}, ({ message }: { message: string }) => void said.push(message)));
  const eves = await changesOf(eve.client(process), { table: 'lists' });
  await tardy.list(eve);
  await expect.poll(() => eves).toHaveLength(1);
  await expect.poll(() => said).toEqual(['Subscribed to PostgreSQL', expect.stringContaining('took too long')]);
  await tardy.list(eve);
  await expect.poll(() => eves).toHaveLength(2);
  await settled();
  expect(said).toHaveLength(2);
  await tardy.stop();
});

test('one person’s slow filters delay no one else, with filters or without', async () => {
  const tardy = await startTardy();
  const process = await tardy.process();
  const [eve, fay, gus] = [await tardy.person('eve'), await tardy.person('fay'), await tardy.person('gus')];
  const order: string[] = [];
  for (let number = 0; number < 4; number += 1) {
    const slow = eve.client(process).channel(`slow ${number}`);
    const filter = `tardy=eq.(${number})`;
    slow.on('postgres_changes', { event: '*', schema: 'public', table: 'lists', filter }, () => {});
    await subscribed(
      slow.on('system', {}, ({ message }: { message: string }) => {
        if (message.includes('took too long')) order.push('given up');
      }),
    );
  }
  const listen = async (name: string, person: Person, filter?: string) => {
    const channel = person.client(process).channel(name);
    const binding = { event: '*' as const, schema: 'public', table: 'lists', ...(filter ? { filter } : {}) };
    await subscribed(channel.on('postgres_changes', binding, () => void order.push(name)));
  };
  await listen('fay', fay);
  await listen('gus', gus, 'name=eq.Bakers');
  // All at once, so that they are looked at together.
  await tardy.owner.query("insert into lists (user_id, name) select unnest($1::uuid[]), 'Bakers'", [
    [eve.userId, fay.userId, gus.userId],
  ]);
  await expect.poll(() => order).toContain('given up');
  expect(order.slice(0, 2).toSorted()).toEqual(['fay', 'gus']);
  await tardy.stop();
});

test('nothing is told, and nothing kept, where no one has subscribed', async () => {
  const alone = await startHarness(await freshDatabase());
  const heard: unknown[] = [];
  const client = await alone.owner.connect();
  client.on('notification', (one) => void heard.push(one.payload));
  await client.query('listen realtime_change');
  await alone.list(await alone.person('eve'));
  await client.query('select 1');
  expect(heard).toEqual([]);
  client.release(true);
  await alone.stop();
});

test('the owner of the database need not be a superuser', async () => {
  const url = await freshDatabase('empty');
  const admin = new pg.Client(url);
  await admin.connect();
  const role = `owner_${randomBytes(4).toString('hex')}`;
  await admin.query(`create role ${role} login password 'x' createrole role current_user`);
  await admin.query(`grant anon, authenticated, service_role to ${role} with admin option`);
  await admin.query(`alter database ${new URL(url).pathname.slice(1)} owner to ${role}`);
  await admin.query(`grant fairlead_web, fairlead_worker to ${role} with admin option`);
  await admin.end();
  const owned = Object.assign(new URL(url), { username: role, password: 'x' }).href;
  await migrate(owned, { hosted: false });
  const plain = await startHarness(owned);
  const eve = await plain.person('eve');
  const told = await changesOf(eve.client(await plain.process()), { table: 'lists' });
  await plain.list(eve);
  await expect.poll(() => told).toHaveLength(1);
  await plain.stop();
});

test('anyone who listens joins again when the database was away, and hears what comes then', async () => {
  const statuses: string[] = [];
  const told: unknown[] = [];
  const lists = { event: '*' as const, schema: 'public', table: 'lists' };
  const channel = ann
    .client(one)
    .channel('away')
    .on('postgres_changes', lists, (change) => void told.push(change));
  await subscribed(channel, statuses);
  await harness.owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'fairlead notifications' and datname = current_database()`,
  );
  await expect
    .poll(() => statuses)
    .toMatchObject(['SUBSCRIBED', expect.stringMatching(/^CHANNEL_ERROR/), 'SUBSCRIBED']);
  await harness.list(ann);
  await expect.poll(() => told).toHaveLength(1);
});
