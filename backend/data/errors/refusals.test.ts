import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type DataApi, type Person, startDataApi } from '#backend/data/testing/harness.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { eventually } from '#test/eventually.ts';

let api: DataApi;
let ann: Person;
let listId: string;

beforeAll(async () => {
  api = await startDataApi(await freshDatabase());
  ann = await api.person('ann');
  listId = await api.list(ann);
});
afterAll(() => api.stop());

type Refusal = {
  status: number;
  code: string;
  body: { code: string; message: string; details: unknown; hint: unknown };
};
async function refusal(path: string, init: RequestInit & { token?: string } = {}): Promise<Refusal> {
  const answer = await api.raw(path, { token: ann.token, ...init });
  const body = (await answer.json()) as Refusal['body'];
  expect(Object.keys(body).sort()).toEqual(['code', 'details', 'hint', 'message']);
  return { status: answer.status, code: body.code, body };
}
const post = (body: string, type = 'application/json') => ({
  method: 'POST',
  body,
  headers: { 'Content-Type': type },
});

describe('what is understood and not answered', () => {
  it.each([
    ['headers only', post('{}'), 'return=headers-only'],
    ['another time zone', {}, 'timezone=America/Denver'],
  ])('%s', async (_, init, prefer) => {
    const headers = { 'Content-Type': 'application/json', Prefer: prefer };
    const { status, code, body } = await refusal('lists?id=eq.1', { ...init, headers });
    expect({ status, code }).toEqual({ status: 400, code: 'PGRST127' });
    expect(body.details).toMatch(/not supported\.$/);
  });

  it('PUT, and methods no one knows', async () => {
    expect((await refusal('lists', { ...post('{}'), method: 'PUT' })).code).toBe('PGRST127');
    expect(await refusal('lists', { method: 'OPTIONS' })).toMatchObject({ status: 405, code: 'PGRST117' });
  });

  it('media types other than JSON and CSV', async () => {
    for (const accept of [
      'application/geo+json',
      'application/vnd.pgrst.array+json;nulls=kept',
      'text/csv;nulls=stripped',
    ]) {
      expect(await refusal('lists', { headers: { Accept: accept } })).toMatchObject({ status: 406, code: 'PGRST107' });
    }
    expect((await api.raw('lists', { token: ann.token, headers: { Accept: 'text/html, */*;q=0.8' } })).status).toBe(
      200,
    );
  });

  it('other schemas', async () => {
    const { error } = await ann.client.schema('auth').from('users').select();
    expect(error).toMatchObject({ code: 'PGRST106', hint: 'Only the following schemas are exposed: public' });
  });

  it('order, limit and filters where they mean nothing', async () => {
    const remove = { method: 'DELETE' };
    expect((await refusal('lists?id=eq.x&offset=1', remove)).code).toBe('PGRST127');
    expect((await refusal('lists?id=eq.x', post('{}'))).code).toBe('PGRST127');
  });
});

describe('what cannot be understood', () => {
  it.each([
    ['lists?name=Bakers', 'PGRST100', 400],
    ['lists?name=equals.Bakers', 'PGRST100', 400],
    ['lists?name=is.nothing', 'PGRST100', 400],
    ['lists?name=in.a,b', 'PGRST100', 400],
    ['lists?name=in.(a', 'PGRST100', 400],
    ['lists?name=in.(a)b', 'PGRST100', 400],
    ['lists?select=', 'PGRST100', 400],
    ['lists?select=name;drop', 'PGRST100', 400],
    ['lists?select=a:b:c', 'PGRST100', 400],
    ['lists?order=name.sideways', 'PGRST100', 400],
    ['lists?order=name.asc.nullsfirst.more', 'PGRST100', 400],
    ['lists?limit=many', 'PGRST100', 400],
    ['lists?limit=1&limit=2', 'PGRST100', 400],
    ['lists?limit=-1', 'PGRST103', 416],
    ['lists?select=nothing', '42703', 400],
    ['lists?nothing=eq.1', '42703', 400],
    ['lists?order=nothing', '42703', 400],
    ['lists?id=eq.1', '22P02', 400],
    ['lists?lead_count=gt.many', '22P02', 400],
    ['lists?created_at=lt.soon', '22007', 400],
    ['lists?name=eq.%00', '22021', 400],
    ['nothing', 'PGRST205', 404],
    ['pg_class', 'PGRST205', 404],
    ['a/b/c', 'PGRST125', 404],
    ['', 'PGRST126', 404],
  ])('%s is %s', async (path, code, status) => {
    expect(await refusal(path)).toMatchObject({ code, status });
  });

  it('bodies', async () => {
    expect(await refusal('lists', post(''))).toMatchObject({ code: 'PGRST102', status: 400 });
    expect(await refusal('lists', post('{"name":'))).toMatchObject({ code: 'PGRST102', status: 400 });
    expect(await refusal('lists', post('"name"'))).toMatchObject({ code: 'PGRST102', status: 400 });
    expect(await refusal('lists', post('[1]'))).toMatchObject({ code: 'PGRST102', status: 400 });
    expect(await refusal('lists', post('name\na', 'text/csv'))).toMatchObject({ code: 'PGRST102', status: 415 });
    expect(await refusal('lists', post('{"nothing":1}'))).toMatchObject({ code: 'PGRST204', status: 400 });
    expect(await refusal('lists', post('{"__proto__":1}'))).toMatchObject({ code: 'PGRST204', status: 400 });
    expect(await refusal('lists', post(JSON.stringify({ name: 'x'.repeat(1_000_001) })))).toMatchObject({
      status: 413,
    });
    const deep = `{"search_params":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    expect((await refusal('lists', post(deep))).status).toBe(400);
  });

  it('ignores preferences no one knows, unless told to be strict', async () => {
    const asked = (prefer: string) => api.raw('lists', { token: ann.token, headers: { Prefer: prefer } });
    expect((await asked('color=blue')).status).toBe(200);
    expect(await (await asked('handling=strict, color=blue')).json()).toMatchObject({ code: 'PGRST122' });
  });
});

describe("the database's own refusals", () => {
  const insert = (columns: object) =>
    ann.client.from('lists').insert({ user_id: ann.userId, name: 'x', status: 'processing', ...columns });

  it('a check, a missing value, a value that is too long', async () => {
    const { error, status } = await insert({ name: 'x'.repeat(10_000) });
    expect(status).toBe(400);
    expect(error).toMatchObject({ code: '23514', message: expect.stringContaining('lists_name_length') });
    expect((await insert({ name: null })).error?.code).toBe('23502');
    expect((await insert({ search_params: 'text' })).error?.code).toBe('23514');
    expect((await insert({ name: 'a\u0000b' })).error?.code).toBe('22P05');
  });

  it('a key that is taken, and a row that others point to', async () => {
    await api.pool.query(`
      create table public.tags (id integer primary key, list_id uuid references public.lists);
      grant all on public.tags to authenticated;
      notify pgrst`);
    await vi.waitFor(async () => expect((await api.raw('tags', { token: ann.token })).status).toBe(200), 15_000);
    await api.pool.query('insert into public.tags values (1, $1)', [listId]);
    expect(await refusal('tags', post('{"id":1}'))).toMatchObject({ code: '23505', status: 409 });
    expect(await refusal(`lists?id=eq.${listId}`, { method: 'DELETE' })).toMatchObject({ code: '23503', status: 409 });
  });

  it('words of internal failures stay inside, and are logged', async () => {
    await api.pool.query(`
      create function public.corrupt() returns integer language plpgsql as
        $$ begin raise exception 'secret path /var/lib' using errcode = 'XX001'; end $$;
      create view public.corrupted as select public.corrupt() as id;
      grant select on public.corrupted to authenticated;
      notify pgrst`);
    await eventually(async () => expect((await api.raw('corrupted', { token: ann.token })).status).not.toBe(404));
    const { status, body } = await refusal('corrupted');
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain('secret');
    expect(api.logged.at(-1)).toMatchObject({ details: { code: 'XX001' }, message: 'data API request failed' });
  });
});
