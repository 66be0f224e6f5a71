import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freshDatabase } from '#test/databases/database.ts';
import { type DataApi, type Person, startDataApi } from './testing/harness.ts';

let api: DataApi;
let ann: Person;
let bakers: string;
let roofers: string;

beforeAll(async () => {
  api = await startDataApi(await freshDatabase());
  ann = await api.person('ann');
  const bob = await api.person('bob');
  bakers = await api.list(ann, { name: 'Bakers' });
  roofers = await api.list(ann, { name: 'Roofers', lead_count: 2 });
  await api.list(ann, { name: 'Empty' });
  await api.lead(bakers, { business_name: 'Crumb', email: 'a@crumb.example' });
  await api.lead(roofers, { business_name: 'Shingle' });
  await api.lead(roofers, { business_name: 'Gable', email: 'g@gable.example' });
  await api.lead(await api.list(bob, { name: 'Secret' }), { business_name: 'Hidden' });
});
afterAll(() => api.stop());

const lists = <const S extends string>(select: S) => ann.client.from('lists').select(select).order('name');
const leads = <const S extends string>(select: S) => ann.client.from('leads').select(select);
async function rows(query: PromiseLike<{ data: unknown; error: unknown }>): Promise<unknown> {
  const { data, error } = await query;
  expect(error).toBeNull();
  return data;
}

describe('leads in lists', () => {
  it('counts them', async () => {
    expect(await rows(lists('name, leads(count)'))).toEqual([
      { name: 'Bakers', leads: [{ count: 1 }] },
      { name: 'Empty', leads: [{ count: 0 }] },
      { name: 'Roofers', leads: [{ count: 2 }] },
    ]);
    const all = (await rows(lists('*, leads(count)').eq('id', roofers))) as object[];
    expect(all[0]).toMatchObject({ id: roofers, lead_count: 2, leads: [{ count: 2 }] });
    expect(await rows(lists('name, with_email:leads(count)').not('with_email.email', 'is', null))).toMatchObject([
      { with_email: [{ count: 1 }] },
      { with_email: [{ count: 0 }] },
      { with_email: [{ count: 1 }] },
    ]);
  });

  it('embeds them, ordered, filtered and in pages', async () => {
    const query = () => lists('name, leads(business_name)').eq('id', roofers);
    const of = (...names: string[]) => [{ name: 'Roofers', leads: names.map((business_name) => ({ business_name })) }];
    const by = (ascending: boolean) => ['business_name', { ascending, referencedTable: 'leads' }] as const;
    expect(await rows(query().order(...by(true)))).toEqual(of('Gable', 'Shingle'));
    expect(await rows(query().order(...by(false)))).toEqual(of('Shingle', 'Gable'));
    expect(
      await rows(
        query()
          .order(...by(true))
          .limit(1, { referencedTable: 'leads' }),
      ),
    ).toEqual(of('Gable'));
    expect(
      await rows(
        query()
          .order(...by(true))
          .range(1, 1, { referencedTable: 'leads' }),
      ),
    ).toEqual(of('Shingle'));
    expect(await rows(query().is('leads.email', null))).toEqual(of('Shingle'));
    const either = 'business_name.eq.Gable,email.is.null';
    expect(
      await rows(
        query()
          .or(either, { referencedTable: 'leads' })
          .order(...by(true)),
      ),
    ).toEqual(of('Gable', 'Shingle'));
    expect(await rows(lists('leads(*)').eq('id', bakers))).toMatchObject([{ leads: [{ business_name: 'Crumb' }] }]);
  });

  it('leaves out lists without any: !inner, and null filters', async () => {
    const inner = lists('name, leads!inner(business_name)').eq('leads.business_name', 'Gable');
    expect(await rows(inner)).toEqual([{ name: 'Roofers', leads: [{ business_name: 'Gable' }] }]);
    expect(await rows(lists('name, leads!inner()'))).toEqual([{ name: 'Bakers' }, { name: 'Roofers' }]);
    expect(await rows(lists('name, leads()').is('leads', null))).toEqual([{ name: 'Empty' }]);
    expect(await rows(lists('name, leads()').not('leads', 'is', null).limit(1))).toEqual([{ name: 'Bakers' }]);
    expect(await rows(lists('name, leads()').or('leads.is.null,name.eq.Roofers'))).toEqual([
      { name: 'Empty' },
      { name: 'Roofers' },
    ]);
    const { count } = await ann.client
      .from('lists')
      .select('*, leads!inner(*)', { count: 'exact', head: true })
      .eq('leads.business_name', 'Gable');
    expect(count).toBe(1);
  });

  it('shows no one the rows of others', async () => {
    expect(await rows(leads('business_name, lists(name)').eq('business_name', 'Hidden'))).toEqual([]);
    expect(JSON.stringify(await rows(lists('*, leads(*, lists(*))')))).not.toMatch(/Hidden|Secret/);
    const { status, error } = await api.anon.from('lists').select('leads(count)');
    expect({ status, code: error?.code }).toEqual({ status: 401, code: '42501' });
  });
});

describe('the list of a lead', () => {
  it('embeds one object, renamed, cast and spread', async () => {
    const gable = () => 'eq.Gable';
    const one = <const S extends string>(select: S) => leads(select).filter('business_name', 'eq', gable().slice(3));
    expect(await rows(one('business_name, lists(name)').single())).toEqual({
      business_name: 'Gable',
      lists: { name: 'Roofers' },
    });
    expect(await rows(one('shop:business_name, in:lists(title:name, leads:lead_count::text)').single())).toEqual({
      shop: 'Gable',
      in: { title: 'Roofers', leads: '2' },
    });
    expect(await rows(one('business_name, ...lists(list:name)').single())).toEqual({
      business_name: 'Gable',
      list: 'Roofers',
    });
    expect(await rows(one('list_id(name)').single())).toEqual({ list_id: { name: 'Roofers' } });
    expect(await rows(one('lists!leads_list_id_fkey(name)').single())).toEqual({ lists: { name: 'Roofers' } });
    expect(await rows(one('lists(name)').eq('lists.name', 'x').single())).toEqual({ lists: null });
  });

  it('orders and filters by it', async () => {
    const ordered = leads('business_name, lists!inner(name)').neq('lists.name', 'Empty');
    expect(await rows(ordered.order('lists(name)', { ascending: false }).order('business_name').range(0, 1))).toEqual([
      { business_name: 'Gable', lists: { name: 'Roofers' } },
      { business_name: 'Shingle', lists: { name: 'Roofers' } },
    ]);
  });
});

describe('after a write', () => {
  it('embeds what the new row is related to', async () => {
    const list = { user_id: ann.userId, name: 'New', status: 'processing' };
    const { data, status } = await ann.client.from('lists').insert(list).select('name, leads(business_name)').single();
    expect({ data, status }).toEqual({ data: { name: 'New', leads: [] }, status: 201 });
    const renamed = ann.client.from('lists').update({ name: 'Old' }).eq('name', 'New').select('*, leads(count)');
    expect(await rows(renamed)).toMatchObject([{ name: 'Old', leads: [{ count: 0 }] }]);
    expect(await rows(ann.client.from('lists').delete().eq('name', 'Old').select('leads(*)'))).toEqual([{ leads: [] }]);
  });

  it('undoes a write that would embed too much', async () => {
    const many = Array.from({ length: 21 }, () => ({ user_id: ann.userId, name: 'Many', status: 'processing' }));
    const { error } = await ann.client.from('lists').insert(many).select('leads(*)');
    expect(error?.code).toBe('54000');
    expect(await rows(ann.client.from('lists').select('name').eq('name', 'Many'))).toEqual([]);
  });
});

describe('what is refused', () => {
  it.each([
    ['lists?select=*,nothing(*)', 'PGRST200'],
    ['lists?select=*,users(*)', 'PGRST200'],
    ['lists?select=*,leads!nothing(*)', 'PGRST200'],
    ['lists?select=leads(*),leads(email)', '42712'],
    ['lists?select=leads(nothing)', '42703'],
    ['lists?select=*&leads.email=is.null', 'PGRST108'],
    ['lists?select=*&leads.order=email', 'PGRST108'],
    ['lists?select=*&order=leads(email)', 'PGRST108'],
    ['lists?select=*,leads(*)&order=leads(email)', 'PGRST118'],
    ['lists?select=lead_count.sum()', 'PGRST123'],
    ['lists?select=count()', 'PGRST123'],
    ['lists?select=leads(email', 'PGRST100'],
    ['lists?select=leads(email))', 'PGRST100'],
    ['lists?select=a:b:leads(email)', 'PGRST100'],
    ['lists?select=leads!inner!left(email)', 'PGRST100'],
    ['lists?select=leads(lists(leads(lists(id))))', 'PGRST100'],
    [`lists?select=${Array.from({ length: 9 }, (_, at) => `a${at}:leads(id)`).join()}`, 'PGRST100'],
    ['lists?select=leads(id)&leads.limit=1&leads.limit=2', 'PGRST100'],
    ['lists?select=name::regclass', '42704'],
    ['lists?select=name,count', '42803'],
  ])('%s is %s', async (path, code) => {
    const answer = await api.raw(path, { token: ann.token });
    expect(await answer.json()).toMatchObject({ code });
    expect(answer.status).toBe(400);
  });

  it('more embedded rows than one answer holds, unless they are only counted or the page is small', async () => {
    const big = await api.list(ann, { name: 'Z big' });
    await api.pool.query(
      `insert into leads (list_id, position, business_name) select $1, n, 'Shop ' || n from generate_series(1, 200) n`,
      [big],
    );
    const each = () => leads('id, lists(leads(id))').eq('list_id', big);
    expect((await each()).error).toMatchObject({ code: '54000', hint: expect.stringContaining('smaller pages') });
    expect((await each().limit(3)).data?.[0]).toMatchObject({ lists: { leads: Array(200).fill(expect.anything()) } });
    expect((await each().limit(5, { referencedTable: 'lists.leads' })).error).toBeNull();
    expect((await leads('id, lists(leads(count))').eq('list_id', big)).error).toBeNull();
  });

  it('tables that are related twice, unless one relationship is named', async () => {
    await api.pool.query(`
      create table public.moves (id integer primary key, source uuid references lists, target uuid references lists);
      grant select on public.moves to authenticated;
      notify pgrst`);
    await vi.waitFor(async () => expect((await ann.client.from('moves').select()).status).toBe(200), 15_000);
    await api.pool.query('insert into moves values (1, $1, $2)', [bakers, roofers]);
    const { error, status } = await ann.client.from('moves').select('lists(name)');
    expect(status).toBe(300);
    expect(error).toMatchObject({
      code: 'PGRST201',
      details: [{ cardinality: 'many-to-one' }, { cardinality: 'many-to-one' }],
      hint: expect.stringContaining("'lists!moves_source_fkey'"),
    });
    const both = ann.client.from('moves').select('from:lists!source(name), to:lists!moves_target_fkey(name)').single();
    expect(await rows(both)).toEqual({ from: { name: 'Bakers' }, to: { name: 'Roofers' } });
  });
});
