import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '#test/databases/database.ts';
import { type DataApi, type Person, startDataApi } from './testing/harness.ts';

let api: DataApi;
let ann: Person;
let bakers: string;

beforeAll(async () => {
  api = await startDataApi(await freshDatabase());
  ann = await api.person('ann');
  bakers = await api.list(ann, { name: 'Bakers', created_at: '2026-01-01T00:00:00Z', resolved_place: 'Salem, MA' });
  await api.list(ann, { name: 'Roofers, (all) "A"', created_at: '2026-01-02T00:00:00Z', lead_count: 7 });
  await api.list(ann, {
    name: 'Plumbers 100%',
    created_at: '2026-01-03T00:00:00Z',
    lead_count: 3,
    tier1_complete: true,
  });
});
afterAll(() => api.stop());

const names = async (query: PromiseLike<{ data: { name: string }[] | null; error: unknown }>) => {
  const { data, error } = await query;
  expect(error).toBeNull();
  return data?.map(({ name }) => name);
};
const lists = () => ann.client.from('lists').select('name');

describe('selecting', () => {
  it('answers every column, with JSON, times and booleans as PostgreSQL writes them', async () => {
    const { data } = await ann.client.from('lists').select('*').eq('id', bakers).single();
    expect(data).toMatchObject({
      id: bakers,
      user_id: ann.userId,
      name: 'Bakers',
      search_params: {},
      lead_count: 0,
      completeness: null,
      tier1_complete: false,
      created_at: '2026-01-01T00:00:00+00:00',
    });
  });

  it('answers chosen columns, and renames them', async () => {
    const { data } = await ann.client.from('lists').select('id, title:name').eq('id', bakers);
    expect(data).toEqual([{ id: bakers, title: 'Bakers' }]);
  });

  it('keeps an alias a value, whatever it says', async () => {
    const alias = `"x'); drop table lists --"`;
    const answer = await api.raw(`lists?select=${encodeURIComponent(alias)}:name&id=eq.${bakers}`, {
      token: ann.token,
    });
    expect(await answer.json()).toEqual([{ "x'); drop table lists --": 'Bakers' }]);
  });

  it('answers no rows as an empty array', async () => {
    expect(await names(lists().eq('name', 'nobody'))).toEqual([]);
  });
});

describe('filters', () => {
  it.each([
    ['eq', () => lists().eq('name', 'Roofers, (all) "A"'), ['Roofers, (all) "A"']],
    ['neq', () => lists().neq('lead_count', 0).order('name'), ['Plumbers 100%', 'Roofers, (all) "A"']],
    ['gt', () => lists().gt('lead_count', 3), ['Roofers, (all) "A"']],
    ['gte', () => lists().gte('lead_count', 3).order('name'), ['Plumbers 100%', 'Roofers, (all) "A"']],
    ['lt', () => lists().lt('created_at', '2026-01-02T00:00:00Z'), ['Bakers']],
    ['lte and gt', () => lists().lte('lead_count', 7).gt('lead_count', 3), ['Roofers, (all) "A"']],
    ['in', () => lists().in('name', ['Bakers', 'Plumbers 100%']).order('name'), ['Bakers', 'Plumbers 100%']],
    ['in with reserved characters', () => lists().in('name', ['a,b', 'Bakers']), ['Bakers']],
    ['in with numbers', () => lists().in('lead_count', [3]), ['Plumbers 100%']],
    ['in with nothing', () => lists().in('name', []), []],
    ['is null', () => lists().is('resolved_place', null).order('name'), ['Plumbers 100%', 'Roofers, (all) "A"']],
    ['is true', () => lists().is('tier1_complete', true), ['Plumbers 100%']],
    ['like', () => lists().like('name', 'Bak%'), ['Bakers']],
    ['like is case-sensitive', () => lists().like('name', 'bak%'), []],
    ['ilike', () => lists().ilike('name', '%BERS%'), ['Plumbers 100%']],
    ['match', () => lists().match({ lead_count: 3, tier1_complete: true }), ['Plumbers 100%']],
  ])('%s', async (_, query, expected) => {
    expect(await names(query())).toEqual(expected);
  });

  it('reads * as % in like, and escaped quotes in an in-list', async () => {
    const like = await api.raw('lists?select=name&name=like.*ers*25*', { token: ann.token });
    expect(await like.json()).toEqual([]);
    const list = await api.raw(`lists?select=name&name=in.("Roofers, (all) \\"A\\"",x)`, { token: ann.token });
    expect(await list.json()).toEqual([{ name: 'Roofers, (all) "A"' }]);
    const star = await api.raw('lists?select=name&name=like.Plumb*', { token: ann.token });
    expect(await star.json()).toEqual([{ name: 'Plumbers 100%' }]);
    const notNull = await api.raw('lists?select=name&resolved_place=is.not_null', { token: ann.token });
    expect(await notNull.json()).toEqual([{ name: 'Bakers' }]);
  });
});

describe('order and pages', () => {
  it('orders by several columns, with nulls where asked', async () => {
    expect(await names(lists().order('created_at', { ascending: false }))).toEqual([
      'Plumbers 100%',
      'Roofers, (all) "A"',
      'Bakers',
    ]);
    expect(
      await names(lists().order('resolved_place', { nullsFirst: true }).order('lead_count', { ascending: false })),
    ).toEqual(['Roofers, (all) "A"', 'Plumbers 100%', 'Bakers']);
    expect(await names(lists().order('resolved_place', { nullsFirst: false }).order('name'))).toEqual([
      'Bakers',
      'Plumbers 100%',
      'Roofers, (all) "A"',
    ]);
  });

  it('answers a range and the count of all', async () => {
    const { data, count, status } = await ann.client
      .from('lists')
      .select('name', { count: 'exact' })
      .order('name')
      .range(1, 1);
    expect({ data, count, status }).toEqual({ data: [{ name: 'Plumbers 100%' }], count: 3, status: 206 });
  });

  it('counts without rows (HEAD)', async () => {
    const { data, count, status } = await ann.client.from('lists').select('name', { count: 'exact', head: true });
    expect({ data, count, status }).toEqual({ data: null, count: 3, status: 200 });
  });

  it('understands the Range header and names the range it answers', async () => {
    const answer = await api.raw('lists?select=name&order=name', {
      token: ann.token,
      headers: { Range: '1-5', 'Range-Unit': 'items', Prefer: 'count=exact' },
    });
    expect(answer.headers.get('Content-Range')).toBe('1-2/3');
    expect(answer.headers.get('Preference-Applied')).toBe('count=exact');
    expect(await answer.json()).toHaveLength(2);
    const uncounted = await api.raw('lists?limit=2', { token: ann.token });
    expect(uncounted.headers.get('Content-Range')).toBe('0-1/*');
    expect(uncounted.status).toBe(200);
  });

  it('refuses a page behind the end when it counts', async () => {
    const { error, status } = await ann.client.from('lists').select('name', { count: 'exact' }).range(10, 20);
    expect(status).toBe(416);
    expect(error?.code).toBe('PGRST103');
  });

  it('answers at most 1,000 rows', async () => {
    const big = await api.list(ann, { name: 'Big' });
    await api.pool.query(
      `insert into leads (list_id, position, business_name) select $1, n, 'Shop ' || n from generate_series(1, 1100) n`,
      [big],
    );
    const { data, count } = await ann.client.from('leads').select('position', { count: 'exact' }).eq('list_id', big);
    expect(data).toHaveLength(1000);
    expect(count).toBe(1100);
    const rest = await ann.client
      .from('leads')
      .select('position')
      .eq('list_id', big)
      .order('position')
      .range(1000, 2999);
    expect(rest.data?.map(({ position }) => position)).toEqual(Array.from({ length: 100 }, (_, at) => 1001 + at));
  });
});

describe('a single object', () => {
  it('answers one row as an object', async () => {
    const answer = await api.raw(`lists?select=name&id=eq.${bakers}`, {
      token: ann.token,
      headers: { Accept: 'application/vnd.pgrst.object+json' },
    });
    expect(answer.headers.get('Content-Type')).toBe('application/vnd.pgrst.object+json; charset=utf-8');
    expect(await answer.json()).toEqual({ name: 'Bakers' });
  });

  it('refuses none and several', async () => {
    const none = await lists().eq('name', 'nobody').single();
    expect(none.status).toBe(406);
    expect(none.error).toMatchObject({ code: 'PGRST116', details: 'The result contains 0 rows', hint: null });
    const several = await lists().gt('lead_count', 1).single();
    expect(several.error).toMatchObject({ code: 'PGRST116', details: 'The result contains 2 rows' });
    expect((await lists().eq('name', 'nobody').maybeSingle()).data).toBeNull();
    expect((await lists().eq('id', bakers).maybeSingle()).data).toEqual({ name: 'Bakers' });
  });
});
