import { createClient } from '@supabase/supabase-js';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { freshDatabase } from '#test/databases/database.ts';
import { skipPauses } from '#test/runner/skip-pauses.ts';
import { type Fault, type UnreliableWay, unreliableWay } from '#test/servers/unreliable-way.ts';
import { type DataApi, type Person, PUBLISHABLE_KEY, startDataApi } from './testing/harness.ts';

/** Where no one listens, and a port that fetch does not refuse by itself. */
const NOWHERE = 'http://127.0.0.1:2';

let api: DataApi;
let way: UnreliableWay;
let ann: Person;

beforeAll(async () => {
  api = await startDataApi(await freshDatabase());
  way = await unreliableWay(api.url);
  ann = await api.person('ann');
  await api.list(ann, { name: 'Bakers' });
});
beforeEach(() => way.mend());
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await way?.close();
  await api?.stop();
});

const clientAt = (url: string) => createClient(url, PUBLISHABLE_KEY, { accessToken: async () => ann.token });
const lists = (url = way.url) => clientAt(url).from('lists').select('name');

/** The client's pauses before it tries again, in ms. */
const PAUSES = [1_000, 2_000, 4_000];

it.each<Fault>(['busy', 'cut'])(
  'a server that is %s: what only reads is tried again after 1, 2 and 4 s, and then has its answer',
  async (fault) => {
    const pauses = skipPauses(PAUSES);
    way.faults.push(fault, fault, fault);
    expect(await lists()).toMatchObject({ error: null, data: [{ name: 'Bakers' }] });
    expect([pauses, way.askedAt.length]).toEqual([PAUSES, 4]);
  },
);

it('a fourth failure is told, in the answer or thrown', async () => {
  skipPauses(PAUSES);
  way.faults.push('busy', 'busy', 'busy', 'busy');
  expect(await lists()).toMatchObject({ data: null, status: 503, error: { message: '<h1>Busy</h1>' } });
  expect((await lists(NOWHERE)).error).toMatchObject({
    message: expect.stringContaining('fetch failed'),
    details: expect.stringContaining('ECONNREFUSED'),
  });
  await expect(lists(NOWHERE).throwOnError()).rejects.toThrow('fetch failed');
});

it.each<Fault>(['busy', 'cut'])('what writes is tried once when a server is %s', async (fault) => {
  const pauses = skipPauses(PAUSES);
  way.faults.push(fault, fault);
  const own = { user_id: ann.userId, name: 'Roofers', status: 'processing' };
  expect((await clientAt(way.url).from('lists').insert(own)).error).not.toBeNull();
  expect((await clientAt(way.url).from('lists').delete().eq('name', 'Bakers')).error).not.toBeNull();
  expect([pauses, way.askedAt.length]).toEqual([[], 2]);
  expect((await lists()).data).toEqual([{ name: 'Bakers' }]);
});

it('retry(false) tries once', async () => {
  way.faults.push('busy');
  expect((await lists().retry(false)).status).toBe(503);
  expect(way.askedAt).toHaveLength(1);
});

it.each<Fault>(['silent', 'busy'])('abortSignal gives up, also in the pause after a server was %s', async (fault) => {
  way.faults.push(fault, fault);
  const stop = new AbortController();
  const waiting = lists().abortSignal(stop.signal).then();
  await expect.poll(() => way.askedAt.length).toBe(1);
  stop.abort();
  expect((await waiting).error?.message).toMatch(/abort/i);
  expect(way.askedAt).toHaveLength(1);
});

it('an answer that is cut in the middle is an error, never a part of the rows', async () => {
  await api.pool.query(`insert into public.lists (user_id, name)
    select '${ann.userId}', repeat('x', 100) from generate_series(1, 900)`);
  way.faults.push('cut download');
  const { data, error } = await lists();
  expect([data, error?.message]).toEqual([null, expect.stringContaining('terminated')]);
});
