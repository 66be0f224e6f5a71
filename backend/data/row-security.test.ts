import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '#test/databases/database.ts';
import { type DataApi, type Person, PUBLISHABLE_KEY, startDataApi } from './testing/harness.ts';

let api: DataApi;
let ann: Person;
let bob: Person;
let annsList: string;
let bobsList: string;
let bobsLead: string;

beforeAll(async () => {
  api = await startDataApi(await freshDatabase());
  ann = await api.person('ann');
  bob = await api.person('bob');
});
afterAll(() => api.stop());
beforeEach(async () => {
  await api.pool.query('delete from lists');
  annsList = await api.list(ann, { name: "Ann's" });
  bobsList = await api.list(bob, { name: "Bob's" });
  await api.lead(annsList);
  bobsLead = await api.lead(bobsList);
});

const everything = async () => {
  const lists = await api.pool.query('select * from lists order by id');
  const leads = await api.pool.query('select * from leads order by id');
  return { lists: lists.rows, leads: leads.rows };
};

describe('another user', () => {
  it('sees only what is hers', async () => {
    expect((await ann.client.from('lists').select('name')).data).toEqual([{ name: "Ann's" }]);
    expect((await ann.client.from('lists').select('name').eq('id', bobsList)).data).toEqual([]);
    expect((await ann.client.from('lists').select('*', { count: 'exact', head: true })).count).toBe(1);
    expect((await ann.client.from('leads').select('list_id')).data).toEqual([{ list_id: annsList }]);
    expect((await ann.client.from('leads').select().eq('id', bobsLead).maybeSingle()).data).toBeNull();
  });

  it('changes nothing of someone else', async () => {
    const before = await everything();
    expect((await ann.client.from('lists').update({ name: 'Mine' }).eq('id', bobsList).select()).data).toEqual([]);
    expect((await ann.client.from('lists').delete().eq('id', bobsList).select()).data).toEqual([]);
    const foreign = { user_id: bob.userId, name: 'Planted', status: 'processing' };
    const insert = await ann.client.from('lists').insert(foreign);
    expect(insert).toMatchObject({ status: 403, error: { code: '42501' } });
    expect(await everything()).toEqual(before);
  });
});

describe('columns that are the server’s to write', () => {
  const serverOnly = {
    id: '00000000-0000-4000-8000-000000000001',
    lead_count: 5,
    completeness: 100,
    tier2_complete: true,
    compliance_checked: true,
    compliance_cost_micros: 0,
    retention_from: '2030-01-01T00:00:00Z',
    created_at: '2030-01-01T00:00:00Z',
    sandbox: false,
    resolved_place: 'Elsewhere',
  };
  it.each(Object.entries(serverOnly))('lists.%s', async (column, value) => {
    const own = { user_id: ann.userId, name: 'New', status: 'processing', [column]: value };
    expect(await ann.client.from('lists').insert(own)).toMatchObject({ status: 403, error: { code: '42501' } });
    const update = await ann.client
      .from('lists')
      .update({ [column]: value })
      .eq('id', annsList);
    expect(update).toMatchObject({ status: 403, error: { code: '42501' } });
  });

  it('lists.user_id and lists.status cannot be changed, nor a list begin completed', async () => {
    for (const change of [{ user_id: bob.userId }, { status: 'completed' }]) {
      const { error } = await ann.client.from('lists').update(change).eq('id', annsList);
      expect(error?.code).toBe('42501');
    }
    const completed = { user_id: ann.userId, name: 'Done', status: 'completed' };
    expect((await ann.client.from('lists').insert(completed)).error?.code).toBe('42501');
  });

  it('leads can only be read', async () => {
    const before = await everything();
    const leads = ann.client.from('leads');
    const lead = { list_id: annsList, position: 99, business_name: 'Planted' };
    expect(await leads.insert(lead)).toMatchObject({ status: 403, error: { code: '42501' } });
    expect(await leads.update({ email: 'a@b.example' }).eq('list_id', annsList)).toMatchObject({ status: 403 });
    expect(await leads.delete().eq('list_id', annsList)).toMatchObject({ status: 403 });
    expect(await everything()).toEqual(before);
  });
});

describe('no one signed in', () => {
  it.each(['lists', 'leads'])('may do nothing with %s', async (table) => {
    const before = await everything();
    const asAnon = api.anon.from(table);
    const answers = [
      await asAnon.select(),
      await asAnon.select('*', { count: 'exact' }),
      await asAnon.insert({}),
      await asAnon.update({ [table === 'lists' ? 'name' : 'business_name']: 'x' }).eq('id', annsList),
      await asAnon.delete().eq('id', annsList),
    ];
    for (const answer of answers) expect(answer).toMatchObject({ status: 401, error: { code: '42501' }, data: null });
    expect(await everything()).toEqual(before);
  });

  it('is anyone who sends no token, or the publishable key as one', async () => {
    expect((await api.raw('lists')).status).toBe(401);
    expect((await api.raw('lists', { token: PUBLISHABLE_KEY })).status).toBe(401);
  });
});

describe('schemas app and auth', () => {
  it.each([
    'profiles',
    'provider_keys',
    'paid_calls',
    'users',
    'sessions',
    'app.profiles',
    'auth.users',
    '"auth"."users"',
  ])('%s cannot be reached', async (table) => {
    const answer = await api.raw(encodeURIComponent(table), { token: ann.token });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: 'PGRST205' });
  });
});

describe('tokens', () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const jwt = (payload: object) => `${part({ alg: 'none' })}.${part(payload)}.`;

  it('refuses what does not verify, and says when it is only too old', async () => {
    const forged = await api.raw('lists', {
      token: jwt({ sub: ann.userId, role: 'service_role', exp: 4_000_000_000 }),
    });
    expect(forged.status).toBe(401);
    expect(await forged.json()).toMatchObject({ code: 'PGRST301' });
    const expired = await api.raw('lists', { token: jwt({ exp: 1_000 }) });
    expect(expired.status).toBe(401);
    expect(expired.headers.get('WWW-Authenticate')).toContain('JWT expired');
    expect(await expired.json()).toMatchObject({ code: 'PGRST303', message: 'JWT expired' });
    expect((await api.raw('lists', { token: 'garbage' })).status).toBe(401);
  });

  it('refuses a session that was ended or has run out', async () => {
    const eve = await api.person('eve');
    expect((await eve.client.from('lists').select()).error).toBeNull();
    await api.pool.query(`update auth.sessions set not_after = now() - interval '1 second' where id = $1`, [
      eve.sessionId,
    ]);
    expect(await eve.client.from('lists').select()).toMatchObject({ status: 401, error: { code: 'PGRST301' } });
    await api.pool.query('delete from auth.sessions where id = $1', [eve.sessionId]);
    expect(await eve.client.from('lists').select()).toMatchObject({ status: 401, error: { code: 'PGRST301' } });
  });

  it('refuses a disabled person at once', async () => {
    const dan = await api.person('dan');
    await api.pool.query(`update app.profiles set status = 'disabled' where user_id = $1`, [dan.userId]);
    expect(await dan.client.from('lists').select()).toMatchObject({ status: 403, error: { code: '42501' } });
  });

  it('refuses a banned person for as long as the ban lasts', async () => {
    const ban = await api.person('ban');
    const until = (time: string) =>
      api.pool.query(`update auth.users set banned_until = now() + $2::interval where id = $1`, [ban.userId, time]);
    await until('1 hour');
    expect(await ban.client.from('lists').select()).toMatchObject({ status: 403, error: { code: '42501' } });
    await until('-1 second');
    expect((await ban.client.from('lists').select()).status).toBe(200);
  });

  it('leaves nothing of one caller for the next on the same connection', async () => {
    await Promise.all(
      Array.from({ length: 40 }, async (_, at) => {
        const [who, theirs] = at % 2 === 0 ? [ann, "Ann's"] : [bob, "Bob's"];
        expect((await who.client.from('lists').select('name')).data).toEqual([{ name: theirs }]);
        expect((await api.anon.from('lists').select()).status).toBe(401);
      }),
    );
    const { rows } = await api.pool.query(
      `select current_user = session_user as same, current_setting('request.jwt.claims', true) as claims`,
    );
    expect(rows).toEqual([{ same: true, claims: expect.toBeOneOf([null, '']) }]);
  });
});
