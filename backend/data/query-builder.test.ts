import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freshDatabase } from '#test/databases/database.ts';
import { type DataApi, type Person, startDataApi } from './testing/harness.ts';

let api: DataApi;
let ann: Person;
let bakers: string;

beforeAll(async () => {
  api = await startDataApi(await freshDatabase());
  ann = await api.person('ann');
  bakers = await api.list(ann, { name: 'Bakers', search_params: '{"location":"Salem","tags":["a"]}' });
  await api.list(ann, { name: 'Roofers, "all"', lead_count: 7, resolved_place: 'Salem, MA' });
  await api.pool.query(`
    create table public.tags (id integer primary key, name text unique, note text default 'none');
    grant all on public.tags to authenticated;
    notify pgrst`);
  await vi.waitFor(async () => expect((await ann.client.from('tags').select()).status).toBe(200), 15_000);
});
afterAll(() => api.stop());

/** The client's types offer some methods only for databases that say they are new enough. */
type Row = Record<string, unknown>;
type Table = { Row: Row; Insert: Row; Update: Row; Relationships: [] };
type NewDatabase = {
  __InternalSupabase: { PostgrestVersion: '14' };
  public: { Tables: Record<string, Table>; Views: Record<never, never>; Functions: Record<never, never> };
};
const lists = <const S extends string>(select: S) => ann.client.from('lists').select(select).order('name');

describe('what select can say', () => {
  it('JSON paths, casts and their names', async () => {
    const select = 'search_params->>location, place:search_params->location, first:search_params->tags->0';
    expect((await lists(select).limit(1)).data).toEqual([{ location: 'Salem', place: 'Salem', first: 'a' }]);
    expect((await lists('lead_count::text, n:lead_count::bool').eq('lead_count', 7)).data).toEqual([
      { lead_count: '7', n: true },
    ]);
    const { data } = await lists('name').order('search_params->>location', { nullsFirst: true });
    expect(data).toHaveLength(2);
  });

  it('counts: exact, planned and estimated are all exact', async () => {
    for (const count of ['exact', 'planned', 'estimated'] as const) {
      const answer = await ann.client.from('lists').select('name', { count }).limit(1);
      expect(answer).toMatchObject({ count: 2, data: [{}], status: 206 });
      expect(await ann.client.from('lists').select('*', { count, head: true })).toMatchObject({ count: 2, data: null });
    }
    expect((await ann.client.from('lists').select('count').single()).data).toEqual({ count: 2 });
  });

  it('counts that tell nothing of other people, however many rows they have', async () => {
    const bob = await api.person('bob');
    const copies = `insert into lists (user_id, name) select $1, 'Secret' from generate_series(1, 500)`;
    await api.pool.query(copies, [bob.userId]);
    await api.pool.query('analyze lists');
    for (const count of ['planned', 'estimated'] as const) {
      const { data, count: told } = await ann.client.from('lists').select('name', { count }).eq('name', 'Secret');
      expect({ data, told }).toEqual({ data: [], told: 0 });
    }
    await api.pool.query('delete from lists where user_id = $1', [bob.userId]);
  });
});

describe('formats', () => {
  it('csv', async () => {
    const { data, error } = await lists('name, lead_count, place:resolved_place').csv();
    expect(error).toBeNull();
    expect(data).toBe('name,lead_count,place\nBakers,0,\n"Roofers, ""all""",7,"Salem, MA"');
    expect((await lists('name, lead_count').csv()).data).toBe('name,lead_count\nBakers,0\n"Roofers, ""all""",7');
    expect((await lists('name').eq('name', 'x').csv()).data).toBe('\n');
    const answer = await api.raw('lists', { token: ann.token, headers: { Accept: 'text/csv' } });
    expect(answer.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
  });

  it('stripNulls', async () => {
    expect((await lists('name, resolved_place').stripNulls()).data).toEqual([
      { name: 'Bakers' },
      { name: 'Roofers, "all"', resolved_place: 'Salem, MA' },
    ]);
    expect((await lists('name, resolved_place').eq('id', bakers).stripNulls().single()).data).toEqual({
      name: 'Bakers',
    });
  });

  it('refuses plans, maps and the description of tables, which are switched off', async () => {
    expect(await ann.client.getOpenApiSpec()).toMatchObject({ status: 404, error: { code: 'PGRST126' } });
    expect(await lists('name').explain()).toMatchObject({ status: 406, error: { code: 'PGRST107' } });
    expect(await lists('name').explain({ format: 'json', analyze: true })).toMatchObject({ status: 406 });
    expect(await lists('name').geojson()).toMatchObject({ status: 406, error: { code: 'PGRST107' } });
  });
});

describe('upsert', () => {
  const tags = () => ann.client.from('tags');

  it('inserts what is new and replaces what is there', async () => {
    const first = await tags().upsert({ id: 1, name: 'one' }).select();
    expect(first).toMatchObject({ status: 201, data: [{ id: 1, name: 'one', note: 'none' }] });
    const again = await tags().upsert({ id: 1, name: 'uno' }).select('id, name').single();
    expect(again).toMatchObject({ status: 200, data: { id: 1, name: 'uno' } });
    const mixed = await tags().upsert(
      [
        { id: 1, name: 'one' },
        { id: 2, name: 'two' },
      ],
      { count: 'exact' },
    );
    expect(mixed).toMatchObject({ status: 201, data: null, count: 2 });
    const { data } = await tags()
      .upsert([{ id: 2, note: 'kept' }, { id: 3 }], { defaultToNull: false })
      .select('id, note');
    expect(data).toEqual([
      { id: 2, note: 'kept' },
      { id: 3, note: 'none' },
    ]);
  });

  it('knows a row by the columns it is told, and can leave it as it is', async () => {
    await tags().insert({ id: 10, name: 'ten', note: 'a' });
    const { data } = await tags().upsert({ id: 10, name: 'ten', note: 'b' }, { onConflict: 'name' }).select('note');
    expect(data).toEqual([{ note: 'b' }]);
    const ignored = await tags().upsert({ id: 10, note: 'c' }, { ignoreDuplicates: true }).select();
    expect(ignored).toMatchObject({ status: 201, data: [] });
    expect((await tags().select('note').eq('id', 10).single()).data).toEqual({ note: 'b' });
  });

  it('is refused like the writes it is made of', async () => {
    const own = { user_id: ann.userId, name: 'Mine', status: 'processing' };
    for (const list of [own, { ...own, id: bakers }])
      expect(await ann.client.from('lists').upsert(list)).toMatchObject({ status: 403, error: { code: '42501' } });
    expect((await tags().upsert({ id: 1 }, { onConflict: 'note' })).error?.code).toBe('42P10');
    expect((await tags().upsert({ id: 1 }, { onConflict: 'nothing' })).error?.code).toBe('42703');
    expect((await tags().upsert([{ id: 1 }, { id: 1 }])).error?.code).toBe('21000');
  });
});

describe('changes with a condition on the whole', () => {
  it('maxAffected undoes a change of more rows', async () => {
    const ids = [await api.list(ann, { name: 'Twin' }), await api.list(ann, { name: 'Twin' })];
    const client = ann.client as unknown as SupabaseClient<NewDatabase>;
    const { error } = await client.from('lists').update({ name: 'x' }).in('id', ids).maxAffected(1);
    expect(error).toMatchObject({ code: 'PGRST124', details: 'The query affects 2 rows' });
    expect((await client.from('lists').delete().eq('name', 'Twin').maxAffected(2)).status).toBe(204);
  });

  it('rollback answers as if, and changes nothing', async () => {
    const renamed = await ann.client.from('lists').update({ name: 'x' }).eq('id', bakers).select('name').rollback();
    expect(renamed.data).toEqual([{ name: 'x' }]);
    expect((await ann.client.from('lists').select('name').eq('id', bakers).single()).data).toEqual({ name: 'Bakers' });
  });
});

describe('functions', () => {
  it('are unknown, whatever their name', async () => {
    await api.pool.query('create function public.known(a integer) returns integer language sql as $$ select a $$');
    expect(await ann.client.rpc('known', { a: 1 })).toMatchObject({
      status: 404,
      error: {
        code: 'PGRST202',
        message: 'Could not find the function public.known(a) in the schema cache',
        details: expect.stringContaining('with parameter a or with a single unnamed json/jsonb parameter, but no'),
      },
    });
    expect((await ann.client.rpc('nothing', {}, { get: true })).error).toMatchObject({
      message: 'Could not find the function public.nothing without parameters in the schema cache',
      details:
        'Searched for the function public.nothing without parameters, but no matches were found in the schema cache.',
    });
    expect((await api.raw('rpc/nothing', { token: 'garbage' })).status).toBe(401);
  });
});

describe('on the client', () => {
  it('setHeader, overrideTypes, schema', async () => {
    const answer = await lists('name').setHeader('Prefer', 'count=exact').setHeader('Range', '0-0');
    expect(answer).toMatchObject({ count: 2, data: [{ name: 'Bakers' }], status: 206 });
    const { data } = await lists('name').overrideTypes<{ name: string }[], { merge: false }>();
    expect(data?.map(({ name }) => name)).toEqual(['Bakers', 'Roofers, "all"']);
    expect((await ann.client.schema('public').from('lists').select('name')).data).toHaveLength(2);
    expect((await ann.client.schema('app').from('profiles').select()).error?.code).toBe('PGRST106');
  });

  it('throwOnError, returns and abortSignal', async () => {
    await expect(lists('nothing').throwOnError()).rejects.toMatchObject({ code: '42703' });
    const { data } = await lists('name').limit(1).returns<{ name: string }[]>().throwOnError();
    expect(data?.[0]?.name).toBe('Bakers');
    const aborted = await lists('name').abortSignal(AbortSignal.abort());
    expect(aborted.error?.hint).toContain('aborted');
    expect((await lists('name').abortSignal(AbortSignal.timeout(10_000))).error).toBeNull();
  });
});
