import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { denialText } from '#contract/access/precheck.ts';
import { freshDatabase } from '#test/databases/database.ts';

const HOOKS = readFileSync('supabase/hooks.sql', 'utf8');
const forbidden = expect.objectContaining({ code: '42501' });

let client: pg.Client;
beforeAll(async () => {
  client = new pg.Client({ connectionString: await freshDatabase() });
  await client.connect();
  // Roles belong to the whole cluster, so another run may have made it.
  await client.query(`
    do $$ begin create role supabase_auth_admin nologin noinherit; exception when duplicate_object then null; end $$`);
  await client.query('grant supabase_auth_admin to current_user');
  await client.query(HOOKS);
  await client.query(HOOKS);
});
afterAll(() => client.end());

async function as<T>(role: string, query: string, values: unknown[] = []): Promise<T | undefined> {
  await client.query(`set role ${role}`);
  try {
    return (await client.query<{ answer: T }>(query, values)).rows[0]?.answer;
  } finally {
    await client.query('reset role');
  }
}
const ask = (role: string, event: unknown) =>
  as(role, 'select app.custom_access_token_hook($1) as answer', [JSON.stringify(event)]);
async function personOf(status: string) {
  const id = randomUUID();
  await client.query('insert into auth.users (id) values ($1)', [id]);
  await client.query('insert into app.profiles (user_id, email, status) values ($1, $2, $3)', [
    id,
    `${id}@people.example`,
    status,
  ]);
  return { user_id: id, claims: { sub: id, role: 'authenticated', aal: 'aal1' }, authentication_method: 'otp' };
}

test('the active, and anyone who has no profile yet, get their claims as they came', async () => {
  const active = await personOf('active');
  expect(await ask('supabase_auth_admin', active)).toEqual({ claims: active.claims });
  const stranger = { ...active, user_id: randomUUID() };
  expect(await ask('supabase_auth_admin', stranger)).toEqual({ claims: active.claims });
});

test('the disabled are refused, in the words of the gate', async () => {
  expect(await ask('supabase_auth_admin', await personOf('disabled'))).toEqual({
    error: { http_code: 403, message: denialText('DISABLED') },
  });
});

test('no one gets in by a password, nor stays in by one', async () => {
  const active = await personOf('active');
  const refused = { error: { http_code: 403, message: denialText('NO_CONTACT') } };
  const refreshed = (amr: unknown) => ({ ...active, claims: { ...active.claims, amr } });
  expect(await ask('supabase_auth_admin', { ...active, authentication_method: 'password' })).toEqual(refused);
  expect(await ask('supabase_auth_admin', refreshed([{ method: 'password', timestamp: 1 }]))).toEqual(refused);
  expect(await ask('supabase_auth_admin', refreshed(['password']))).toEqual(refused);
  expect(await ask('supabase_auth_admin', refreshed([{ method: 'otp' }]))).toHaveProperty('claims');
});

test('no one else may call it, and the auth server sees no more than it needs', async () => {
  const event = await personOf('active');
  for (const role of ['anon', 'authenticated']) await expect(ask(role, event)).rejects.toEqual(forbidden);
  for (const query of ['select email as answer from app.profiles', 'select 1 as answer from app.provider_keys'])
    await expect(as('supabase_auth_admin', query)).rejects.toEqual(forbidden);
  await expect(as('supabase_auth_admin', "update app.profiles set status = 'active'")).rejects.toEqual(forbidden);
});
