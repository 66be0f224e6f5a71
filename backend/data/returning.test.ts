import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { freshDatabase } from '#test/databases/database.ts';
import { type DataApi, type Person, startDataApi } from './testing/harness.ts';

let api: DataApi;
let ann: Person;

beforeAll(async () => {
  api = await startDataApi(await freshDatabase());
  await api.pool.query(`
    create table public.rooms (id integer primary key, name text, open boolean default true);
    create table public.seats (id integer primary key, room_id integer references rooms, price integer);
    create view public.open_rooms as select id, name from public.rooms;
    grant all on public.rooms, public.seats, public.open_rooms to authenticated;
    notify pgrst`);
  ann = await api.person('ann');
});
beforeEach(async () => {
  await api.pool.query(`
    truncate public.rooms, public.seats;
    insert into rooms values (1, 'Blue', true), (2, 'Red', false);
    insert into seats values (1, 1, 5), (2, 2, 9), (3, null, 7)`);
});
afterAll(() => api.stop());

const seats = () => ann.client.from('seats');
const prices = async () => (await api.pool.query('select price from seats order by id')).rows.map(({ price }) => price);

it('a write answers its rows in the order that is asked for', async () => {
  const dear = await seats().update({ price: 1 }).gt('id', 0).select('id').order('id', { ascending: false });
  expect(dear.data).toEqual([{ id: 3 }, { id: 2 }, { id: 1 }]);
  const byRoom = await seats()
    .delete()
    .gt('id', 0)
    .select('id, rooms(name)')
    .order('rooms(name)', { nullsFirst: true });
  expect(byRoom.data?.map(({ id }) => id)).toEqual([3, 1, 2]);
  const added = await seats()
    .insert([
      { id: 8, price: 2 },
      { id: 9, price: 1 },
    ])
    .select('id')
    .order('price');
  expect(added).toMatchObject({ status: 201, data: [{ id: 9 }, { id: 8 }] });
});

it('a change with a limit is made when it keeps to it, and undone when it does not', async () => {
  const one = await seats().update({ price: 6 }).eq('id', 1).select('price').limit(1).single();
  expect(one).toMatchObject({ status: 200, data: { price: 6 } });
  for (const change of [seats().update({ price: 0 }), seats().delete()]) {
    const { error, status } = await change.gt('id', 0).select().limit(2);
    expect({ status, code: error?.code }).toEqual({ status: 400, code: 'PGRST127' });
  }
  expect(await prices()).toEqual([6, 9, 7]);
});

it('!inner leaves rows out of the answer, not out of the change', async () => {
  const changed = await seats()
    .update({ price: 0 }, { count: 'exact' })
    .gt('id', 0)
    .eq('rooms.open', true)
    .select('id, rooms!inner(name)');
  expect(changed).toMatchObject({ count: 3, data: [{ id: 1, rooms: { name: 'Blue' } }] });
  expect(await prices()).toEqual([0, 0, 0]);
  const alone = await seats()
    .update({ price: 1 })
    .eq('id', 2)
    .eq('rooms.open', true)
    .select('rooms!inner(name)')
    .single();
  expect(alone).toMatchObject({ status: 406, error: { code: 'PGRST116', details: 'The result contains 0 rows' } });
  expect(await prices()).toEqual([0, 0, 0]);
});

it('a view is upserted by the key of its table', async () => {
  const open = () => ann.client.from('open_rooms');
  expect((await open().upsert({ id: 1, name: 'Green' }).select()).data).toEqual([{ id: 1, name: 'Green' }]);
  expect((await open().upsert({ id: 3, name: 'New' })).error).toBeNull();
  expect((await open().select('name').order('id')).data).toEqual([{ name: 'Green' }, { name: 'Red' }, { name: 'New' }]);
});
