import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '#test/databases/database.ts';
import { type DataApi, type Person, startDataApi } from './testing/harness.ts';

let api: DataApi;
let ann: Person;

beforeAll(async () => {
  api = await startDataApi(await freshDatabase());
  ann = await api.person('ann');
});
afterAll(() => api.stop());

const newList = (name: string) => ({
  user_id: ann.userId,
  name,
  search_params: { radius: 40234 },
  status: 'processing',
});
const nameOf = async (id: string) => {
  const { rows } = await api.pool.query<{ name: string }>('select name from lists where id = $1', [id]);
  return rows[0]?.name;
};

describe('inserting', () => {
  it('answers the new row', async () => {
    const { data, error, status } = await ann.client.from('lists').insert(newList('Bakers')).select().single();
    expect(error).toBeNull();
    expect(status).toBe(201);
    expect(data).toMatchObject({
      name: 'Bakers',
      search_params: { radius: 40234 },
      lead_count: 0,
      status: 'processing',
    });
    expect(await nameOf(data.id)).toBe('Bakers');
  });

  it('answers nothing when not asked', async () => {
    const { data, status, count } = await ann.client.from('lists').insert(newList('Quiet'), { count: 'exact' });
    expect({ data, status, count }).toEqual({ data: null, status: 201, count: 1 });
  });

  it('keeps any text as it is', async () => {
    const name = `<script>'"\\ \${x} $1 مرحبا 🥐 =HYPERLINK("x")`;
    const { data } = await ann.client.from('lists').insert(newList(name)).select('name').single();
    expect(data).toEqual({ name });
  });

  it('inserts several rows, in order, or none of them', async () => {
    const { data } = await ann.client
      .from('lists')
      .insert([newList('A'), newList('B')])
      .select('name');
    expect(data).toEqual([{ name: 'A' }, { name: 'B' }]);
    const { error } = await ann.client.from('lists').insert([newList('C'), { ...newList('D'), status: 'completed' }]);
    expect(error?.code).toBe('42501');
    const { rows } = await api.pool.query(`select 1 from lists where name = 'C'`);
    expect(rows).toEqual([]);
    expect((await ann.client.from('lists').insert([]).select()).data).toEqual([]);
  });

  it('fills keys that some rows lack with the default, or with null', async () => {
    const { search_params: _, ...short } = newList('Short');
    const { data } = await ann.client
      .from('lists')
      .insert([newList('Long'), short], { defaultToNull: false })
      .select('name, search_params');
    expect(data).toEqual([
      { name: 'Long', search_params: { radius: 40234 } },
      { name: 'Short', search_params: {} },
    ]);
    const { error } = await ann.client.from('lists').insert([newList('Long'), short]);
    expect(error).toMatchObject({ code: '23502' });
  });

  it('refuses rows of different keys without columns', async () => {
    const answer = await api.raw('lists', {
      method: 'POST',
      token: ann.token,
      body: JSON.stringify([{ name: 'a' }, { status: 'processing' }]),
      headers: { 'Content-Type': 'application/json' },
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: 'PGRST102', message: 'All object keys must match' });
  });
});

describe('updating', () => {
  it('changes what matches and answers it', async () => {
    const id = await api.list(ann);
    const { data, status } = await ann.client.from('lists').update({ name: 'Renamed' }).eq('id', id).select('id, name');
    expect({ data, status }).toEqual({ data: [{ id, name: 'Renamed' }], status: 200 });
  });

  it('archives with the clock of the server', async () => {
    const id = await api.list(ann);
    const archived = { lifecycle_status: 'archived', archived_at: '1999-01-01T00:00:00Z' };
    const { data } = await ann.client.from('lists').update(archived).eq('id', id).select('archived_at').single();
    expect(Math.abs(Date.parse(data?.archived_at) - Date.now())).toBeLessThan(60_000);
  });

  it('answers 204 without a body, and counts', async () => {
    const id = await api.list(ann);
    const { status, count } = await ann.client
      .from('lists')
      .update({ name: 'Counted' }, { count: 'exact' })
      .eq('id', id);
    expect({ status, count }).toEqual({ status: 204, count: 1 });
    const none = await ann.client.from('lists').update({ name: 'x' }).eq('name', 'nobody').select();
    expect(none.data).toEqual([]);
  });

  it('undoes a change of several rows when one was asked for', async () => {
    const [one, two] = [await api.list(ann, { name: 'Twin' }), await api.list(ann, { name: 'Twin' })];
    const { error } = await ann.client.from('lists').update({ name: 'Both' }).eq('name', 'Twin').select().single();
    expect(error).toMatchObject({ code: 'PGRST116', details: 'The result contains 2 rows' });
    expect([await nameOf(one), await nameOf(two)]).toEqual(['Twin', 'Twin']);
  });

  it('refuses to change everything, several objects, and nothing', async () => {
    expect((await ann.client.from('lists').update({ name: 'x' })).error).toMatchObject({
      code: '21000',
      message: 'UPDATE requires a WHERE clause',
    });
    expect(
      (
        await ann.client
          .from('lists')
          .update([{ name: 'x' }, { name: 'y' }])
          .eq('name', 'x')
      ).error?.code,
    ).toBe('PGRST102');
    expect((await ann.client.from('lists').update({}).eq('name', 'x')).error?.code).toBe('PGRST102');
  });
});

describe('deleting', () => {
  it('deletes what matches, and what hangs on it', async () => {
    const id = await api.list(ann);
    await api.lead(id);
    const { data, status } = await ann.client.from('lists').delete().eq('id', id).select('id');
    expect({ data, status }).toEqual({ data: [{ id }], status: 200 });
    const { rows } = await api.pool.query('select 1 from leads where list_id = $1', [id]);
    expect(rows).toEqual([]);
    expect((await ann.client.from('lists').delete().eq('id', id)).status).toBe(204);
  });

  it('refuses to delete everything', async () => {
    const { error, status } = await ann.client.from('lists').delete();
    expect(status).toBe(400);
    expect(error).toMatchObject({ code: '21000', message: 'DELETE requires a WHERE clause' });
  });
});
