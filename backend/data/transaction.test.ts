import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshDatabase } from '#test/databases/database.ts';
import { eventually } from '#test/eventually.ts';
import { type DataApi, type Person, startDataApi } from './testing/harness.ts';
import { asCaller } from './transaction.ts';

let api: DataApi;
let ann: Person;

beforeAll(async () => {
  api = await startDataApi(await freshDatabase());
  // A pool without a listener would end the process when an idle connection is lost.
  api.webPool.on('error', () => {});
  api.webPool.on('connect', (client) => client.on('error', () => {}));
  ann = await api.person('ann');
  await api.list(ann, { name: 'Bakers' });
  await api.pool.query(`
    create view public.settings as select current_user::text as role, current_setting('statement_timeout') as timeout,
      current_setting('transaction_read_only') as read_only, current_setting('request.jwt.claims')::jsonb ->> 'sub' as sub;
    create view public.slow as select 1 as id from pg_sleep(20);
    grant select on public.settings, public.slow to authenticated`);
});
afterAll(() => api.stop());

it('runs as the caller, with a time limit, and reads cannot write', async () => {
  const { data } = await ann.client.from('settings').select().single();
  expect(data).toEqual({ role: 'authenticated', timeout: '2s', read_only: 'on', sub: ann.userId });
});

it('says so when the database goes away in the middle of a request, and goes on when it is back', async () => {
  const asked = api.raw('slow', { token: ann.token });
  await eventually(async () => {
    const { rowCount } = await api.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and query like '%"slow"%'`,
    );
    expect(rowCount).toBe(1);
  });
  const answer = await asked;
  expect(answer.status).toBe(503);
  expect(await answer.json()).toEqual({
    code: '57P01',
    message: 'The database is not available. Please try again in a moment.',
    details: null,
    hint: null,
  });
  expect((await ann.client.from('lists').select('name')).data).toEqual([{ name: 'Bakers' }]);
});

it('says so when the database cannot be reached at all', async () => {
  const nowhere = new pg.Pool({ host: '127.0.0.1', port: 1 });
  await expect(asCaller(nowhere, { role: 'anon' }, 'read only', async () => 1)).rejects.toThrow('ECONNREFUSED');
  await nowhere.end();
});

it('gives every connection back, also after failures', async () => {
  for (let n = 0; n < 12; n += 1) {
    expect((await ann.client.from('lists').select('id').eq('id', 'not-an-id')).error?.code).toBe('22P02');
    expect((await ann.client.from('lists').insert({ name: 'x', user_id: ann.userId, lead_count: 1 })).status).toBe(403);
  }
  await eventually(() => expect(api.webPool.idleCount).toBe(api.webPool.totalCount));
  expect(api.webPool.totalCount).toBeLessThanOrEqual(5);
});
