import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assuming } from '#db/roles/server-role.ts';
import { freshDatabase } from '#test/databases/database.ts';

let owner: pg.Client;
let web: pg.Pool;

beforeAll(async () => {
  const url = await freshDatabase();
  owner = new pg.Client(url);
  await owner.connect();
  web = new pg.Pool({ connectionString: assuming(url, 'web'), max: 8 });
});
afterAll(() => Promise.all([owner.end(), web.end()]));

/** Someone with so many lists, every other one archived, made by the owner of the database. */
async function personWith(lists: number): Promise<string> {
  const { rows } = await owner.query<{ id: string }>(
    "insert into auth.users (email) values (gen_random_uuid() || '@people.example') returning id",
  );
  const id = rows[0]?.id ?? '';
  await owner.query('insert into app.profiles (user_id, email) values ($1, $2)', [id, `${id}@people.example`]);
  await owner.query(
    `insert into public.lists (user_id, name, lifecycle_status)
     select $1, 'List ' || n, case when n % 2 = 0 then 'archived' else 'active' end from generate_series(1, $2) as n`,
    [id, lists],
  );
  return id;
}

/** Inserts lists of someone as `role`, as the data API, hosted or not, and the server do. */
async function insert(userId: string, lists: number, role = 'authenticated', pauseSeconds = 0): Promise<void> {
  const client = await web.connect();
  try {
    await client.query('begin');
    const claims = JSON.stringify({ sub: userId, role, aal: 'aal1' });
    await client.query("select set_config('request.jwt.claims', $1, true), set_config('role', $2, true)", [
      claims,
      role,
    ]);
    await client.query(
      "insert into public.lists (user_id, name, status) select $1, 'More', 'processing' from generate_series(1, $2)",
      [userId, lists],
    );
    await client.query('select pg_sleep($1)', [pauseSeconds]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

const count = async (userId: string) =>
  Number((await owner.query('select count(*) from public.lists where user_id = $1', [userId])).rows[0]?.count);

test('no one has more than 1,000 lists, archived ones included, by whatever role', async () => {
  const full = await personWith(1_000);
  for (const role of ['authenticated', 'service_role', 'fairlead_web'])
    await expect(insert(full, 1, role)).rejects.toMatchObject({
      code: '23514',
      constraint: 'lists_per_person',
      message: expect.stringContaining('Delete lists you no longer need'),
    });
  expect(await count(full)).toBe(1_000);
  await owner.query('delete from public.lists where id = (select id from public.lists where user_id = $1 limit 1)', [
    full,
  ]);
  await insert(full, 1);
});

test('those who make lists at the same time do not pass the limit together', async () => {
  const almost = await personWith(995);
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => insert(almost, 1, 'authenticated', 0.05)));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  expect(await count(almost)).toBe(1_000);
});

test('a statement makes a hundred lists, and not one more', async () => {
  const ann = await personWith(0);
  await expect(insert(ann, 101)).rejects.toMatchObject({ code: '23514', constraint: 'lists_at_once' });
  await insert(ann, 100);
  expect(await count(ann)).toBe(100);
});

test('the owner of the database is not bound: a restore, and who fills a database', async () => {
  expect(await count(await personWith(1_500))).toBe(1_500);
});
