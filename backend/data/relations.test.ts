import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '#test/databases/database.ts';
import { type DataApi, type Person, startDataApi } from './testing/harness.ts';

let api: DataApi;
let ann: Person;

beforeAll(async () => {
  const url = await freshDatabase();
  api = await startDataApi(url);
  await api.pool.query(`
    create table public.shops (id integer primary key, name text not null, branch_of integer references shops);
    create table public.owners (shop_id integer primary key references shops, name text);
    create table public.codes (id integer primary key, shop_id integer constraint codes_shop_key unique references shops);
    create table public.goods (id integer primary key, title text);
    create table public.offers (shop_id integer references shops, good_id integer references goods, price integer,
      primary key (shop_id, good_id));
    create table public.heirs (id integer primary key, after integer unique references heirs);
    create schema private;
    create table private.visits (id integer primary key, shop_id integer references public.shops, by text);
    create view public.visits as select id, shop_id as shop, by from private.visits;
    create view public.shop_names as select id as shop, name, upper(name) as loud, branch_of from public.shops;
    create view public.offered as with o as (select * from public.offers) select o.shop_id, g.id, g.title
      from o join public.goods g on g.id = o.good_id;
    create view public.odd as select 'a) {b' as "(}", id as "i (\\d}", name as "{" from public.shops where name <> '}) {';
    create view public.either as select id, name from public.shops union all select shop_id, name from public.owners;
    insert into shops values (1, 'Main', null), (2, 'North', 1), (3, 'South', 1);
    insert into owners values (1, 'Ann'), (2, null);
    insert into codes values (7, 1);
    insert into goods values (1, 'Bread'), (2, 'Cake'), (3, 'Pie');
    insert into offers values (1, 1, 4), (1, 2, 9), (2, 2, 8);
    insert into heirs values (1, null), (2, 1);
    insert into private.visits values (1, 1, 'Bob'), (2, 1, 'Cid');
    grant usage on schema private to authenticated;
    grant select on all tables in schema public to authenticated;
    notify pgrst`);
  ann = await api.person('ann');
});
afterAll(() => api.stop());

const shops = <const S extends string>(select: S) => ann.client.from('shops').select(select).order('id');
const of = <const S extends string>(table: string, select: S) => ann.client.from(table).select(select);
async function rows(query: PromiseLike<{ data: unknown; error: unknown }>): Promise<unknown> {
  const { data, error } = await query;
  expect(error).toBeNull();
  return data;
}

describe('one to one', () => {
  it('is an object from both sides, by primary key and by unique constraint', async () => {
    expect(await rows(shops('id, owners(name), codes(id)'))).toEqual([
      { id: 1, owners: { name: 'Ann' }, codes: { id: 7 } },
      { id: 2, owners: { name: null }, codes: null },
      { id: 3, owners: null, codes: null },
    ]);
    expect(await rows(of('owners', 'name, shops(id)').eq('shop_id', 1))).toEqual([{ name: 'Ann', shops: { id: 1 } }]);
  });

  it('can be spread, and rows ordered by it', async () => {
    const spread = of('shops', 'id, ...owners(owner:name)').order('owners(name)', { nullsFirst: false }).order('id');
    expect(await rows(spread)).toEqual([
      { id: 1, owner: 'Ann' },
      { id: 2, owner: null },
      { id: 3, owner: null },
    ]);
    expect(await rows(shops('id, owners!inner()'))).toEqual([{ id: 1 }, { id: 2 }]);
  });
});

describe('a table that refers to itself', () => {
  it('has the row it points to by the column, and those that point to it by its name', async () => {
    const family = shops('id, parent:branch_of(name), branches:shops(id)').order('id', { referencedTable: 'branches' });
    expect(await rows(family)).toEqual([
      { id: 1, parent: null, branches: [{ id: 2 }, { id: 3 }] },
      { id: 2, parent: { name: 'Main' }, branches: [] },
      { id: 3, parent: { name: 'Main' }, branches: [] },
    ]);
    expect(await rows(shops('shops(id)').eq('id', 2))).toEqual([{ shops: [] }]);
    expect(await rows(of('heirs', 'before:after(id), next:heirs(id)').eq('id', 1))).toEqual([
      { before: null, next: { id: 2 } },
    ]);
  });

  it('takes column and constraint as a hint for those that point to it', async () => {
    for (const hint of ['branch_of', 'shops_branch_of_fkey'])
      expect(await rows(shops(`children:shops!${hint}(id)`).limit(1))).toEqual([{ children: [{ id: 2 }, { id: 3 }] }]);
    expect((await shops('shops!nothing(id)')).error?.code).toBe('PGRST200');
  });

  it('goes on inside: the branches of a parent', async () => {
    expect(await rows(shops('branch_of(name, shops(name))').eq('id', 2))).toEqual([
      { branch_of: { name: 'Main', shops: [{ name: 'North' }, { name: 'South' }] } },
    ]);
  });
});

describe('many to many', () => {
  it('goes through a table whose primary key holds both keys', async () => {
    const query = shops('name, goods(title)').order('title', { referencedTable: 'goods', ascending: false });
    expect(await rows(query)).toEqual([
      { name: 'Main', goods: [{ title: 'Cake' }, { title: 'Bread' }] },
      { name: 'North', goods: [{ title: 'Cake' }] },
      { name: 'South', goods: [] },
    ]);
    expect(await rows(of('goods', 'title, shops!offers!inner(id)').eq('shops.id', 2))).toEqual([
      { title: 'Cake', shops: [{ id: 2 }] },
    ]);
    expect(await rows(shops('goods(count)').limit(1))).toEqual([{ goods: [{ count: 2 }] }]);
    expect((await shops('goods!codes(title)')).error?.code).toBe('PGRST200');
  });

  it('counts as embedded rows, of which one answer holds only so many', async () => {
    await api.pool.query(`
      insert into goods select n, 'Good ' || n from generate_series(100, 299) n;
      insert into shops select n, 'Shop ' || n from generate_series(100, 219) n;
      insert into offers select s, g, 1 from generate_series(100, 219) s, generate_series(100, 299) g`);
    const many = () => of('shops', 'goods(id)').gte('id', 100);
    expect((await many()).error?.code).toBe('54000');
    expect((await of('shops', '...goods(id)').gte('id', 100)).error?.code).toBe('54000');
    expect((await many().limit(20)).error).toBeNull();
    await api.pool.query('delete from offers where shop_id >= 100; delete from goods where id >= 100');
    await api.pool.query('delete from shops where id >= 100');
  });
});

describe('spreading many rows', () => {
  it('makes an array of each column, all in the same order', async () => {
    const query = shops('name, ...offers(good_id, cost:price)').order('price', {
      referencedTable: 'offers',
      ascending: false,
    });
    expect(await rows(query)).toEqual([
      { name: 'Main', good_id: [2, 1], cost: [9, 4] },
      { name: 'North', good_id: [2], cost: [8] },
      { name: 'South', good_id: [], cost: [] },
    ]);
  });

  it('filters, limits, renames and casts, and keeps nulls', async () => {
    const one = shops('...offers(price::text)').eq('offers.good_id', 2).limit(1);
    expect(await rows(one)).toEqual([{ price: ['9'] }]);
    const first = shops('...goods(titles:title)').order('title', { referencedTable: 'goods' }).limit(1);
    expect(await rows(first.limit(1, { referencedTable: 'goods' }))).toEqual([{ titles: ['Bread'] }]);
    const branches = shops('...shops(parents:branch_of, owners(name))')
      .order('id', { referencedTable: 'shops' })
      .limit(1);
    expect(await rows(branches)).toEqual([{ parents: [1, 1], owners: [{ name: null }, null] }]);
    expect(await rows(shops('...offers!inner(price)').gt('offers.price', 8))).toEqual([{ price: [9] }]);
  });

  it('spreads inside what is spread or embedded', async () => {
    const inside = shops('...offers(...goods(title))').order('good_id', { referencedTable: 'offers' }).limit(1);
    expect(await rows(inside)).toEqual([{ title: ['Bread', 'Cake'] }]);
    const twice = of('goods', '...offers(...shops(...owners(name)))').eq('id', 2);
    expect(await rows(twice.order('shop_id', { referencedTable: 'offers' }))).toEqual([{ name: ['Ann', null] }]);
    const nested = shops('branch_of(...shops(branches:name))').eq('id', 3);
    expect(await rows(nested)).toEqual([{ branch_of: { branches: ['North', 'South'] } }]);
  });
});

describe('views', () => {
  it('are related as the tables are that they show, both ways', async () => {
    const visited = shops('name, visits(by)').order('by', { referencedTable: 'visits' }).limit(1);
    expect(await rows(visited)).toEqual([{ name: 'Main', visits: [{ by: 'Bob' }, { by: 'Cid' }] }]);
    expect(await rows(of('visits', 'by, shops(name), shop_names(loud)').eq('id', 1))).toEqual([
      { by: 'Bob', shops: { name: 'Main' }, shop_names: { loud: 'MAIN' } },
    ]);
    expect(await rows(of('shop_names', 'name, visits(count), owners(name)').eq('shop', 1))).toEqual([
      { name: 'Main', visits: [{ count: 2 }], owners: { name: 'Ann' } },
    ]);
    expect(await rows(of('visits', 'shops!visits_shop_id_fkey(name)').eq('id', 1))).toEqual([
      { shops: { name: 'Main' } },
    ]);
  });

  it('show tables through joins and subqueries, and refer to themselves', async () => {
    expect(await rows(of('offered', 'title, shops!offers_shop_id_fkey(name)').eq('title', 'Bread'))).toEqual([
      { title: 'Bread', shops: { name: 'Main' } },
    ]);
    const family = of('shop_names', 'name, branches:shop_names(name)').eq('shop', 1);
    expect(await rows(family)).toEqual([{ name: 'Main', branches: [{ name: 'North' }, { name: 'South' }] }]);
  });

  it('may have brackets in the names and texts that they are made of', async () => {
    expect(await rows(of('owners', 'odd("{")').eq('shop_id', 1))).toEqual([{ odd: { '{': 'Main' } }]);
    expect(await rows(of('odd', 'visits(count)').eq('"{"', 'Main'))).toEqual([{ visits: [{ count: 2 }] }]);
  });

  it('are known by their names only, and not at all where they only compute', async () => {
    expect(await rows(of('owners', 'shop_id(name)').eq('shop_id', 1))).toEqual([{ shop_id: { name: 'Main' } }]);
    expect((await of('either', 'name, codes(id)')).error?.code).toBe('PGRST200');
    expect((await of('shops', 'either(name)')).error?.code).toBe('PGRST200');
    expect((await of('shops', 'shop_names(loud)')).error?.code).toBe('PGRST201');
  });

  it('open no rows that their own rights do not', async () => {
    await api.pool.query(`
      create view public.list_names with (security_invoker) as select id as list, name from public.lists;
      grant select on public.list_names to authenticated;
      notify pgrst`);
    const bob = await api.person('bob');
    await api.lead(await api.list(bob, { name: 'Secret' }), { business_name: 'Hidden' });
    await api.lead(await api.list(ann, { name: 'Own' }), { business_name: 'Shown' });
    await expect.poll(async () => (await of('list_names', 'name')).error).toBeNull();
    expect(await rows(of('list_names', 'name, leads(business_name)'))).toEqual([
      { name: 'Own', leads: [{ business_name: 'Shown' }] },
    ]);
    expect(await rows(of('leads', 'business_name, list_names(name)'))).toEqual([
      { business_name: 'Shown', list_names: { name: 'Own' } },
    ]);
  });
});

it('says which relations there are when a name means several', async () => {
  await api.pool.query('alter table goods add column shop_id integer references shops');
  await api.pool.query('notify pgrst');
  await expect.poll(async () => (await shops('goods(id)')).error?.code).toBe('PGRST201');
  expect((await shops('goods(id)')).error).toMatchObject({
    details: [
      {
        cardinality: 'one-to-many',
        embedding: 'shops with goods',
        relationship: 'goods_shop_id_fkey using shops(id) and goods(shop_id)',
      },
      {
        cardinality: 'many-to-many',
        relationship: 'offers using offers_shop_id_fkey(shop_id) and offers_good_id_fkey(good_id)',
      },
    ],
    hint: expect.stringContaining("'goods!goods_shop_id_fkey', 'goods!offers'"),
  });
  expect(await rows(shops('goods!offers(title)').eq('id', 2))).toEqual([{ goods: [{ title: 'Cake' }] }]);
});
