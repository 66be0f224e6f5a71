import type { JWK } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAuth } from '#backend/auth/testing/harness.ts';
import { createTokenVerifier } from '#backend/auth/tokens/access-token.ts';
import { findSession } from '#db/roles/sessions.ts';
import { freshDatabase } from '#test/databases/database.ts';

type Auth = Awaited<ReturnType<typeof startAuth>>;
let auth: Auth;
/** Another process of the same installation. */
let twin: Auth;
beforeAll(async () => {
  const database = await freshDatabase();
  [auth, twin] = await Promise.all([startAuth(database), startAuth(database)]);
});
afterAll(() => Promise.all([auth.close(), twin.close()]));

/** A new pair of tokens, or an error. */
type RefreshAnswer = { access_token: string; refresh_token: string; code?: string };

async function refresh(refreshToken: string, at: Auth = auth) {
  const response = await fetch(`${at.api}/token?grant_type=refresh_token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Supabase-Api-Version': '2024-01-01' },
    body: JSON.stringify({ refresh_token: refreshToken }),
  });
  return { status: response.status, body: (await response.json()) as RefreshAnswer };
}

const getUser = (accessToken: string) =>
  fetch(`${auth.api}/user`, { headers: { Authorization: `Bearer ${accessToken}` } });

/** Lets time pass for the refresh tokens that were used. */
const moveClock = (seconds: number) =>
  sql`update auth.refresh_tokens set used_at = used_at - ${seconds} * interval '1 second'`.execute(auth.db);

const text = expect.any(String);

test('two processes that start at once make one signing key', async () => {
  const sets = await Promise.all(
    [auth, twin, auth, twin].map(async ({ api }) => {
      const response = await fetch(`${api}/.well-known/jwks.json`);
      return (await response.json()) as { keys: JWK[] };
    }),
  );
  expect(new Set(sets.map((set) => JSON.stringify(set))).size).toBe(1);
  expect(sets[0]?.keys).toEqual([
    { kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', key_ops: ['verify'], kid: text, x: text, y: text },
  ]);
  const stored = await auth.db.selectFrom('auth.signing_keys').selectAll().execute();
  expect(stored).toHaveLength(1);
  expect(stored[0]?.sealed_private_jwk).toMatch(/^v1\./);
});

describe('refresh', () => {
  test('brings a new pair, and the client keeps it', async () => {
    const { client, session } = await auth.signIn('fresh@harbour.example');
    const { data, error } = await client.auth.refreshSession();
    expect(error).toBeNull();
    expect(data.session?.refresh_token).not.toBe(session.refresh_token);
    expect(data.session?.user.id).toBe(session.user.id);
    expect((await client.auth.getUser()).error).toBeNull();
  });

  test('stores no token, used or not', async () => {
    const { session } = await auth.signIn('stored@harbour.example');
    const next = (await refresh(session.refresh_token)).body.refresh_token;
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(t)::text || encode(token_hash, 'escape') as row from auth.refresh_tokens t`.execute(auth.db);
    const all = rows.map((one) => one.row).join();
    expect(all).not.toContain(session.refresh_token);
    expect(all).not.toContain(next);
  });

  test('of one token twenty times at once, in two processes, yields one child', async () => {
    const { session } = await auth.signIn('parallel@harbour.example');
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => refresh(session.refresh_token, index % 2 ? auth : twin)),
    );
    expect(answers.map((one) => one.status)).toEqual(Array(20).fill(200));
    expect(new Set(answers.map((one) => one.body.refresh_token)).size).toBe(1);
    const { rows } = await sql<{ children: number }>`
      select count(*)::integer as children from auth.refresh_tokens t join auth.sessions s on s.id = t.session_id
      where s.user_id = ${session.user.id} and t.parent_id is not null`.execute(auth.db);
    expect(rows[0]?.children).toBe(1);
  });

  test('with a used token answers the same session within 10 seconds', async () => {
    const { session } = await auth.signIn('soon@harbour.example');
    const first = await refresh(session.refresh_token);
    await moveClock(8);
    const again = await refresh(session.refresh_token, twin);
    expect(again.status).toBe(200);
    expect(again.body.refresh_token).toBe(first.body.refresh_token);
    expect((await refresh(first.body.refresh_token)).status).toBe(200);
  });

  test('with a used token after 10 seconds ends the whole session', async () => {
    const email = 'stolen@harbour.example';
    const { session } = await auth.signIn(email);
    const other = await auth.signIn(email);
    const child = (await refresh(session.refresh_token)).body;
    const grandchild = (await refresh(child.refresh_token)).body;
    await moveClock(11);
    expect(await refresh(session.refresh_token)).toMatchObject({
      status: 400,
      body: { code: 'refresh_token_already_used' },
    });
    expect(await refresh(grandchild.refresh_token)).toMatchObject({
      status: 400,
      body: { code: 'refresh_token_not_found' },
    });
    expect((await getUser(grandchild.access_token)).status).toBe(403);
    expect((await refresh(other.session.refresh_token)).status).toBe(200);
  });

  test('mirrors a changed role, whatever the user metadata said', async () => {
    const { client, session } = await auth.signIn('promoted@harbour.example');
    await auth.db.updateTable('app.profiles').set({ role: 'admin' }).where('user_id', '=', session.user.id).execute();
    const { data } = await client.auth.refreshSession();
    expect(data.user?.app_metadata).toMatchObject({ role: 'admin', provider: 'email' });
    expect(data.user?.user_metadata).toMatchObject({ role: 'admin' });
  });

  test('of someone the gate no longer lets in is refused, and works again once it does', async () => {
    const email = 'gone@harbour.example';
    const { session } = await auth.signIn(email);
    auth.gate.denied.set(email, { allow: false, reason: 'MISSING_TAG', message: 'The tag is gone.' });
    expect(await refresh(session.refresh_token)).toMatchObject({ status: 403, body: { code: 'access_denied' } });
    auth.gate.denied.delete(email);
    expect((await refresh(session.refresh_token)).status).toBe(200);
  });

  test('of a session that has run out is refused', async () => {
    const { session } = await auth.signIn('over@harbour.example');
    await sql`update auth.sessions set not_after = now() where user_id = ${session.user.id}`.execute(auth.db);
    expect((await getUser(session.access_token)).status).toBe(403);
    expect(await refresh(session.refresh_token)).toMatchObject({ status: 400, body: { code: 'session_expired' } });
  });

  test.each([
    ['no one has used for too long', 'refreshed_at', 721, 'Invalid Refresh Token: Session Expired (Inactivity)'],
    ['is too old, however much it was used', 'created_at', 2161, 'Invalid Refresh Token: Session Expired'],
  ])('of a session that %s is refused', async (_what, column, hours, message) => {
    const { session } = await auth.signIn(`${column}@harbour.example`);
    const age = async (back: number) => {
      await sql`update auth.sessions set refreshed_at = now() where user_id = ${session.user.id}`.execute(auth.db);
      await sql`update auth.sessions set ${sql.ref(column)} = now() - ${back} * interval '1 hour'
        where user_id = ${session.user.id}`.execute(auth.db);
    };
    await age(hours - 2);
    expect((await getUser(session.access_token)).status).toBe(200);
    await age(hours);
    expect((await getUser(session.access_token)).status).toBe(403);
    const refused = { status: 400, body: { code: 'session_expired', message } };
    expect(await refresh(session.refresh_token)).toMatchObject(refused);
    expect(await refresh(session.refresh_token)).toMatchObject({ body: { code: 'refresh_token_not_found' } });
  });

  test('with a token that never was is refused', async () => {
    expect(await refresh('never')).toMatchObject({ status: 400, body: { code: 'refresh_token_not_found' } });
  });
});

test('a disabled person is out at once, and back in with nothing lost', async () => {
  const email = 'disabled@harbour.example';
  const { client, session } = await auth.signIn(email);
  const setStatus = (status: string) =>
    auth.db.updateTable('app.profiles').set({ status }).where('user_id', '=', session.user.id).execute();
  await setStatus('disabled');
  expect((await client.auth.getUser()).error).toMatchObject({ status: 403, code: 'user_banned' });
  expect(await refresh(session.refresh_token)).toMatchObject({ status: 403, body: { code: 'user_banned' } });
  expect((await auth.client().auth.signInWithOtp({ email })).error).toMatchObject({ status: 403, code: 'user_banned' });
  await setStatus('active');
  expect((await client.auth.getUser()).error).toBeNull();
  expect((await refresh(session.refresh_token)).status).toBe(200);
});

describe('logging out', () => {
  async function threeDevices(email: string) {
    const devices = [await auth.signIn(email), await auth.signIn(email), await auth.signIn(email)] as const;
    const works = () =>
      Promise.all(devices.map(async ({ session }) => (await getUser(session.access_token)).status === 200));
    return { devices, works };
  }

  test('here (local) ends this session only', async () => {
    const { devices, works } = await threeDevices('local@harbour.example');
    expect((await devices[0].client.auth.signOut({ scope: 'local' })).error).toBeNull();
    expect(await works()).toEqual([false, true, true]);
    expect((await refresh(devices[0].session.refresh_token)).body.code).toBe('refresh_token_not_found');
  });

  test('elsewhere (others) keeps this one', async () => {
    const { devices, works } = await threeDevices('others@harbour.example');
    expect((await devices[0].client.auth.signOut({ scope: 'others' })).error).toBeNull();
    expect(await works()).toEqual([true, false, false]);
  });

  test("everywhere (global, the default) ends all, and no one else's", async () => {
    const { devices, works } = await threeDevices('global@harbour.example');
    const bystander = await auth.signIn('bystander@harbour.example');
    expect((await devices[0].client.auth.signOut()).error).toBeNull();
    expect(await works()).toEqual([false, false, false]);
    expect((await getUser(bystander.session.access_token)).status).toBe(200);
    const again = await fetch(`${auth.api}/logout`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${devices[0].session.access_token}` },
    });
    expect(again.status).toBe(403);
    expect(again.headers.get('x-sb-error-code')).toBe('session_not_found');
  });

  test('with another scope is refused', async () => {
    const { session } = await auth.signIn('scope@harbour.example');
    const response = await fetch(`${auth.api}/logout?scope=everything`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${session.access_token}` },
    });
    expect(response.status).toBe(400);
    expect((await getUser(session.access_token)).status).toBe(200);
  });
});

test('findSession knows live sessions only', async () => {
  const { session } = await auth.signIn('found@harbour.example');
  const verifier = createTokenVerifier({ db: auth.db, issuer: auth.issuer });
  const token = await verifier.verify(session.access_token);
  expect(token).toMatchObject({ userId: session.user.id, email: 'found@harbour.example', role: 'authenticated' });
  const sessionId = token?.sessionId ?? '';
  expect(await findSession(auth.db, sessionId)).toEqual({
    userId: session.user.id,
    email: 'found@harbour.example',
    role: 'user',
    status: 'active',
    needsSecondStep: false,
    isFresh: true,
  });
  expect(await findSession(auth.db, crypto.randomUUID())).toBeUndefined();
  expect(await findSession(auth.db, "' or true --")).toBeUndefined();
});
