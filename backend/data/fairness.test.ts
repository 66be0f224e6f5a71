import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { freshDatabase } from '#test/databases/database.ts';
import { type DataApi, type Person, startDataApi } from './testing/harness.ts';

let api: DataApi;
let ann: Person;
let ben: Person;

beforeAll(async () => {
  api = await startDataApi(await freshDatabase());
  [ann, ben] = [await api.person('ann'), await api.person('ben')];
  await api.list(ann, { search_params: JSON.stringify({ x: 'a'.repeat(3_000) }) });
  await api.list(ben);
  // Whatever else takes long: no one finds a way without trying.
  await api.pool.query(`
    create view public.slow as select 1 as one from (select pg_sleep(30)) as sleeping;
    grant select on public.slow to authenticated`);
});
afterAll(() => api.stop());

const runningSlowly = async () => {
  const { rows } = await api.pool.query<{ running: number }>(
    `select count(*)::integer as running from pg_stat_activity
     where state = 'active' and query like '%"slow"%' and pid <> pg_backend_pid() and datname = current_database()`,
  );
  return rows[0]?.running;
};
const read = (person: Person, path: string, init: RequestInit = {}) => api.raw(path, { token: person.token, ...init });

test.each([
  'search_params->>x=match.^(a*)(a*)(a*)(a*)\\1\\2\\3\\4$',
  'search_params->>x=imatch.(a*)*b',
  'name=not.match.(?=a)a*a*b',
  'or=(name.eq.x,search_params->>x.match."(a*)(a*)\\\\1\\\\2")',
  'name=match(any).{x,"(a*)\\\\1"}',
  'select=id,leads(id)&leads.business_name=match.(a)\\1',
  `name=like.${'%25a'.repeat(11)}`,
  `name=ilike.${'*a'.repeat(11)}`,
])('a pattern that PostgreSQL could work on for very long is refused: %s', async (query) => {
  const refused = await read(ann, `lists?${query}`);
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ code: 'PGRST100', details: expect.stringMatching(/may/) });
});

test('patterns that people use work as before', async () => {
  for (const query of ['name=match.Spring(field|dale)', 'name=imatch.^bakers.*il$', 'name=ilike.*baker*springfield*'])
    expect(await (await read(ann, `lists?select=name&${query}`)).json()).toHaveLength(1);
});

test('a read that takes more than two seconds is ended, and says what to do', async () => {
  const begun = performance.now();
  const ended = await read(ann, 'slow');
  expect(performance.now() - begun).toBeLessThan(5_000);
  expect([ended.status, await ended.json()]).toEqual([
    500,
    {
      code: '57014',
      message: 'canceling statement due to statement timeout',
      details: null,
      hint: expect.stringContaining('2 seconds'),
    },
  ]);
  expect(api.logged).toEqual([]);
});

test('one person’s slow reads leave connections to the others, and wait for each other', async () => {
  const hangUp = new AbortController();
  const slow = Array.from({ length: 20 }, () => read(ann, 'slow', { signal: hangUp.signal }).catch(() => undefined));
  await vi.waitUntil(async () => (await runningSlowly()) !== 0);
  for (let turn = 0; turn < 10; turn += 1) {
    const begun = performance.now();
    expect((await read(ben, 'lists')).status).toBe(200);
    expect(performance.now() - begun).toBeLessThan(1_000);
    expect(await runningSlowly()).toBeLessThanOrEqual(2);
  }
  // A request that hangs up is dropped, both now and when its turn comes.
  hangUp.abort();
  await Promise.all(slow);
  await vi.waitUntil(async () => (await runningSlowly()) === 0, { timeout: 1_500 });
  expect((await read(ann, 'lists')).status).toBe(200);
  expect(api.logged).toEqual([]);
});

test('after a slow read, a person’s reads take turns with those of others who are slow, and no one else’s do', async () => {
  const cat = await api.person('cat');
  const listId = await api.list(cat, { name: 'Of Cat' });
  /** How many reads go by the connections of each. */
  const taken = { usual: 0, slow: 0 };
  const count = (which: keyof typeof taken) => () => {
    taken[which] += 1;
  };
  const [usual, slow] = [count('usual'), count('slow')];
  api.webPool.on('acquire', usual);
  api.slowPool.on('acquire', slow);
  onTestFinished(() => {
    api.webPool.off('acquire', usual);
    api.slowPool.off('acquire', slow);
  });
  expect((await read(cat, 'lists')).status).toBe(200);
  expect(taken).toEqual({ usual: 1, slow: 0 });
  expect((await read(cat, 'slow')).status).toBe(500);
  Object.assign(taken, { usual: 0, slow: 0 });
  expect((await read(cat, 'lists')).status).toBe(200);
  expect(taken).toEqual({ usual: 0, slow: 1 });
  expect((await read(await api.person('dan'), 'lists')).status).toBe(200);
  expect(taken).toEqual({ usual: 1, slow: 1 });
  const init = { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: '{"name":"Written"}' };
  expect((await read(cat, `lists?id=eq.${listId}`, init)).status).toBe(204);
  expect(taken).toEqual({ usual: 2, slow: 1 });
});

test('who waits for others’ connections is not slow for that', async () => {
  const eve = await api.person('eve');
  const held = await Promise.all(Array.from({ length: 5 }, () => api.webPool.connect()));
  const asked = read(eve, 'lists');
  await vi.waitUntil(() => api.webPool.waitingCount === 1);
  // Longer than a heavy request is at work.
  await sleep(200);
  for (const client of held) client.release();
  expect((await asked).status).toBe(200);
  expect(api.turns.isHeavy(eve.userId)).toBe(false);
});

test('a write goes on when its client hangs up', async () => {
  const listId = await api.list(ann, { name: 'Slowly changed' });
  await api.pool.query(`
    create function public.wait_a_little() returns trigger language plpgsql as
      $$ begin if new.name = 'Changed' then perform pg_sleep(0.5); end if; return new; end $$;
    create trigger wait_a_little before update on public.lists for each row execute function public.wait_a_little()`);
  const init = { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: '{"name":"Changed"}' };
  await read(ann, `lists?id=eq.${listId}`, { ...init, signal: AbortSignal.timeout(200) }).catch(() => {});
  await expect
    .poll(async () => (await api.pool.query('select name from lists where id = $1', [listId])).rows)
    .toEqual([{ name: 'Changed' }]);
});

test('who opens more requests than anyone needs is told to wait, and no one else is', async () => {
  const hangUp = new AbortController();
  const asked = Array.from({ length: 70 }, () => read(ann, 'slow', { signal: hangUp.signal }).catch(() => undefined));
  const refused = await Promise.race(asked);
  expect([refused?.status, refused?.headers.get('Retry-After')]).toEqual([429, '2']);
  expect(await refused?.json()).toMatchObject({ message: expect.stringContaining('too many requests open') });
  expect((await read(ben, 'lists')).status).toBe(200);
  hangUp.abort();
  const answered = (await Promise.all(asked)).filter((one) => one?.status === 429);
  expect(answered.length).toBeLessThanOrEqual(6);
  await expect.poll(async () => (await read(ann, 'lists')).status).toBe(200);
});

test('a request inserts a hundred rows and no more', async () => {
  const insert = (rows: number) =>
    read(ben, 'lists', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(Array.from({ length: rows }, () => ({ user_id: ben.userId, name: 'Many' }))),
    });
  const refused = await insert(101);
  expect([refused.status, await refused.json()]).toMatchObject([400, { code: '54000' }]);
  expect((await insert(100)).status).toBe(201);
});
