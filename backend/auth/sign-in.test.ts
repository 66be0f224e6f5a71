import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase } from '#test/database.ts';
import { forgetLimits, SITE, startAuth } from './testing/harness.ts';

let auth: Awaited<ReturnType<typeof startAuth>>;
beforeAll(async () => {
  auth = await startAuth(await freshDatabase());
});
afterAll(() => auth.close());

const open = (link: string) => fetch(link, { redirect: 'manual' });
const locationOf = (response: Response) => new URL(response.headers.get('Location') ?? '');

describe('asking', () => {
  test('mails link and code, and keeps neither', async () => {
    const asked = await auth.client().auth.signInWithOtp({ email: '  Ada@Harbour.example ' });
    expect(asked.error).toBeNull();
    const { mail, link, code, token } = auth.mailTo('ada@harbour.example');
    expect(new URL(link).pathname).toBe('/auth/v1/verify');
    expect(mail.html).toContain(code);
    expect(mail.html).toContain(`token=${token}&amp;type=magiclink`);
    const stored = await sql<{ row: string }>`
      select to_jsonb(t)::text || encode(link_hash, 'escape') || encode(code_hash, 'escape') as row
      from auth.one_time_tokens t where email = 'ada@harbour.example'`.execute(auth.db);
    expect(stored.rows).toHaveLength(1);
    expect(stored.rows[0]?.row).not.toContain(token);
    expect(stored.rows[0]?.row).not.toContain(code);
  });

  test.each([
    'nobody',
    'a@b',
    'a b@harbour.example',
    'a@harbour.example\r\nBcc: b@harbour.example',
    'a@harbour.example,b@harbour.example',
    'A <a@harbour.example>',
    'ａda@harbour.example',
    '\u212Aim@harbour.example',
    'a\u0000@harbour.example',
    `${'a'.repeat(250)}@harbour.example`,
  ])('refuses %j as an address', async (email) => {
    const { error } = await auth.client().auth.signInWithOtp({ email });
    expect(error).toMatchObject({ status: 400, code: 'email_address_invalid' });
    await forgetLimits(auth.db);
  });

  test('create_user false makes no user', async () => {
    const email = 'nobody-yet@harbour.example';
    const { error } = await auth.client().auth.signInWithOtp({ email, options: { shouldCreateUser: false } });
    expect(error).toMatchObject({ status: 422, code: 'otp_disabled' });
    expect(await auth.db.selectFrom('auth.users').select('id').where('email', '=', email).execute()).toEqual([]);
  });

  test('whom the gate refuses is told so, and gets no mail', async () => {
    const email = 'stranger@harbour.example';
    auth.gate.denied.set(email, { allow: false, reason: 'NO_CONTACT', message: 'Access denied, says the gate.' });
    const { error } = await auth.client().auth.signInWithOtp({ email });
    expect(error).toMatchObject({ status: 403, code: 'access_denied', message: 'Access denied, says the gate.' });
    expect(auth.mails.filter((mail) => mail.to === email)).toEqual([]);
    expect(await auth.db.selectFrom('auth.users').select('id').where('email', '=', email).execute()).toEqual([]);
  });

  test('a mail that can not be sent is an error that may be retried, and tells nothing of the mail server', async () => {
    auth.mailer.broken = true;
    const { error } = await auth.client().auth.signInWithOtp({ email: 'unlucky@harbour.example' });
    auth.mailer.broken = false;
    expect(error).toMatchObject({ name: 'AuthRetryableFetchError', status: 500 });
    expect(error?.message).not.toContain('mail server');
    expect(auth.logged.join()).toContain('no such mail server');
    expect(auth.logged.join()).not.toContain('unlucky@');
  });

  test('metadata of a new user is kept, but not a role', async () => {
    const email = 'meta@harbour.example';
    const client = auth.client();
    await client.auth.signInWithOtp({ email, options: { data: { name: 'Meta', role: 'admin' } } });
    const { data } = await client.auth.verifyOtp({ email, token: auth.mailTo(email).code, type: 'email' });
    expect(data.user?.user_metadata).toEqual({ name: 'Meta', role: 'user', email_verified: true });
  });
});

describe('a link', () => {
  test('leads back with a code that only the browser that asked can use, once', async () => {
    const email = 'pkce@harbour.example';
    const client = auth.client();
    await client.auth.signInWithOtp({ email, options: { emailRedirectTo: `${SITE}/lists?tab=2` } });
    const clicked = await open(auth.mailTo(email).link);
    expect(clicked.status).toBe(303);
    expect(clicked.headers.get('Cache-Control')).toBe('no-store');
    const back = locationOf(clicked);
    expect(`${back.origin}${back.pathname}`).toBe(`${SITE}/lists`);
    expect(back.searchParams.get('tab')).toBe('2');
    const code = back.searchParams.get('code') ?? '';

    const { data, error } = await client.auth.exchangeCodeForSession(code);
    expect(error).toBeNull();
    expect(data.session).toMatchObject({ token_type: 'bearer', expires_in: 3600 });
    expect(data.user).toMatchObject({ email, role: 'authenticated', aud: 'authenticated', is_anonymous: false });

    const again = await postToken('pkce', { auth_code: code, code_verifier: 'x'.repeat(56) });
    expect(again).toMatchObject({ status: 404, body: { code: 'flow_state_not_found' } });
    const used = locationOf(await open(auth.mailTo(email).link));
    expect(used.searchParams.get('error_code')).toBe('otp_expired');
    expect(used.searchParams.get('error')).toBe('access_denied');
    expect(new URLSearchParams(used.hash.slice(1)).get('error_code')).toBe('otp_expired');
    expect(used.searchParams.has('code')).toBe(false);
    const spentCode = await auth.client().auth.verifyOtp({ email, token: auth.mailTo(email).code, type: 'email' });
    expect(spentCode.error).toMatchObject({ status: 403, code: 'otp_expired' });
  });

  test('opened on another device leaves the code of its mail good', async () => {
    const email = 'two-devices@harbour.example';
    const first = auth.client();
    await first.auth.signInWithOtp({ email });
    const { link, code } = auth.mailTo(email);
    const authCode = locationOf(await open(link)).searchParams.get('code') ?? '';
    const other = await auth.client().auth.exchangeCodeForSession(authCode);
    expect(other.error).toMatchObject({ code: 'pkce_code_verifier_not_found' });
    const { data } = await first.auth.verifyOtp({ email, token: code, type: 'email' });
    expect(data.user?.email).toBe(email);
    const late = await postToken('pkce', { auth_code: authCode, code_verifier: 'x'.repeat(56) });
    expect(late.body).toMatchObject({ code: 'flow_state_not_found' });
  });

  test('wrong verifier: refused, the code burnt, the mail code still good', async () => {
    const email = 'wrong-verifier@harbour.example';
    await auth.client().auth.signInWithOtp({ email });
    const { link, code } = auth.mailTo(email);
    const authCode = locationOf(await open(link)).searchParams.get('code') ?? '';
    const wrong = { auth_code: authCode, code_verifier: 'x'.repeat(56) };
    expect(await postToken('pkce', wrong)).toMatchObject({ status: 400, body: { code: 'bad_code_verifier' } });
    expect(await postToken('pkce', wrong)).toMatchObject({ status: 404, body: { code: 'flow_state_not_found' } });
    expect((await auth.client().auth.verifyOtp({ email, token: code, type: 'email' })).error).toBeNull();
  });

  test('its code is not good for longer than five minutes', async () => {
    const email = 'slow@harbour.example';
    const client = auth.client();
    await client.auth.signInWithOtp({ email });
    const back = locationOf(await open(auth.mailTo(email).link));
    await sql`update auth.flow_state set auth_code_issued_at = auth_code_issued_at - interval '301 seconds'`.execute(
      auth.db,
    );
    const { error } = await client.auth.exchangeCodeForSession(back.searchParams.get('code') ?? '');
    expect(error).toMatchObject({ status: 403, code: 'flow_state_expired' });
  });

  test('without PKCE brings the session in the fragment', async () => {
    const email = 'implicit@harbour.example';
    const client = auth.client({ flowType: 'implicit' });
    await client.auth.signInWithOtp({ email });
    const back = locationOf(await open(auth.mailTo(email).link));
    expect(back.search).toBe('');
    const fragment = new URLSearchParams(back.hash.slice(1));
    const set = await client.auth.setSession({
      access_token: fragment.get('access_token') ?? '',
      refresh_token: fragment.get('refresh_token') ?? '',
    });
    expect(set.error).toBeNull();
    expect(set.data.user?.email).toBe(email);
    expect(locationOf(await open(auth.mailTo(email).link)).searchParams.get('error_code')).toBe('otp_expired');
  });

  test('is not spent by HEAD or by a browser that loads ahead', async () => {
    const email = 'scanned@harbour.example';
    await auth.client().auth.signInWithOtp({ email });
    const { link } = auth.mailTo(email);
    expect((await fetch(link, { method: 'HEAD', redirect: 'manual' })).status).toBe(200);
    expect((await fetch(link, { headers: { 'Sec-Purpose': 'prefetch;prerender' }, redirect: 'manual' })).status).toBe(
      503,
    );
    expect(locationOf(await open(link)).searchParams.has('code')).toBe(true);
  });

  test('works for an hour', async () => {
    const email = 'late@harbour.example';
    await auth.client().auth.signInWithOtp({ email });
    const { link, code } = auth.mailTo(email);
    const mail = await auth.db
      .selectFrom('auth.one_time_tokens')
      .select(sql<number>`extract(epoch from expires_at - created_at)::integer`.as('seconds'))
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    expect(mail.seconds).toBe(3600);
    await sql`update auth.one_time_tokens set expires_at = now() where email = ${email}`.execute(auth.db);
    expect(locationOf(await open(link)).searchParams.get('error_code')).toBe('otp_expired');
    const { error } = await auth.client().auth.verifyOtp({ email, token: code, type: 'email' });
    expect(error).toMatchObject({ status: 403, code: 'otp_expired' });
  });

  test('is replaced by the next one', async () => {
    const email = 'twice@harbour.example';
    const client = auth.client();
    await client.auth.signInWithOtp({ email });
    const first = auth.mailTo(email);
    await forgetLimits(auth.db);
    await client.auth.resend({ email, type: 'signup' });
    expect(auth.mailTo(email).token).not.toBe(first.token);
    expect(locationOf(await open(first.link)).searchParams.get('error_code')).toBe('otp_expired');
    expect(locationOf(await open(auth.mailTo(email).link)).searchParams.has('code')).toBe(true);
  });

  test('of somebody who may no longer in leads back with the denial', async () => {
    const email = 'lost-access@harbour.example';
    const client = auth.client();
    await client.auth.signInWithOtp({ email });
    auth.gate.denied.set(email, { allow: false, reason: 'MISSING_TAG', message: 'The tag is gone.' });
    const back = locationOf(await open(auth.mailTo(email).link));
    expect(back.searchParams.get('error_code')).toBe('access_denied');
    expect(back.searchParams.get('error_description')).toBe('The tag is gone.');
    expect(back.searchParams.has('code')).toBe(false);
    const { error } = await client.auth.verifyOtp({ email, token: auth.mailTo(email).code, type: 'email' });
    expect(error).toMatchObject({ status: 403, code: 'access_denied' });
    expect(await auth.db.selectFrom('app.profiles').select('email').where('email', '=', email).execute()).toEqual([]);
  });

  test.each([
    ['https://evil.example/', `${SITE}/`],
    ['http://site.example.evil.example/', `${SITE}/`],
    ['http://site.example@evil.example/', `${SITE}/`],
    ['http://someone:secret@site.example/', `${SITE}/`],
    ['//evil.example', `${SITE}/`],
    ['/\\evil.example', `${SITE}/`],
    ['javascript:alert(1)', `${SITE}/`],
    ['not an address', `${SITE}/`],
    ['http://site.example/search?a=b', `${SITE}/search`],
  ])('asked to lead to %j leads to %s', async (redirectTo, expected) => {
    const query = new URLSearchParams({ token: 'unknown', type: 'magiclink', redirect_to: redirectTo });
    const back = locationOf(await open(`${auth.api}/verify?${query}`));
    expect(back.origin + back.pathname).toBe(expected);
    expect(back.searchParams.get('error_code')).toBe('otp_expired');
    await forgetLimits(auth.db);
    const email = `redirect-${crypto.randomUUID()}@harbour.example`;
    await auth.client().auth.signInWithOtp({ email, options: { emailRedirectTo: redirectTo } });
    const mailed = new URL(new URL(auth.mailTo(email).link).searchParams.get('redirect_to') ?? '');
    expect(mailed.origin + mailed.pathname).toBe(expected);
  });
});

describe('a code', () => {
  test.each(['email', 'magiclink', 'signup'] as const)('is accepted as %s', async (type) => {
    const email = `code-${type}@harbour.example`;
    const client = auth.client();
    await client.auth.signInWithOtp({ email });
    const { data, error } = await client.auth.verifyOtp({
      email: email.toUpperCase(),
      token: auth.mailTo(email).code,
      type,
    });
    expect(error).toBeNull();
    expect(data.session?.access_token).toBeTruthy();
  });

  test('an invitation is answered as invite and as email, and by no other name', async () => {
    const email = 'invited@harbour.example';
    await auth.client().auth.signInWithOtp({ email });
    await sql`update auth.one_time_tokens set token_type = 'invite' where email = ${email}`.execute(auth.db);
    const { code } = auth.mailTo(email);
    const client = auth.client();
    expect((await client.auth.verifyOtp({ email, token: code, type: 'magiclink' })).error?.code).toBe('otp_expired');
    expect((await client.auth.verifyOtp({ email, token: code, type: 'invite' })).error).toBeNull();
  });

  test('the token of the link is accepted as token_hash', async () => {
    const email = 'hash@harbour.example';
    const client = auth.client();
    await client.auth.signInWithOtp({ email });
    const { token } = auth.mailTo(email);
    const { data } = await client.auth.verifyOtp({ token_hash: token, type: 'email' });
    expect(data.user?.email).toBe(email);
    expect((await client.auth.verifyOtp({ token_hash: token, type: 'email' })).error?.code).toBe('otp_expired');
  });

  test('signs in once, even when it arrives twice at once', async () => {
    const email = 'double@harbour.example';
    await auth.client().auth.signInWithOtp({ email });
    const { code } = auth.mailTo(email);
    const tries = await Promise.all(
      [1, 2, 3, 4].map(() => auth.client().auth.verifyOtp({ email, token: code, type: 'email' })),
    );
    expect(tries.filter((one) => one.error === null)).toHaveLength(1);
    expect(tries.filter((one) => one.error?.code === 'otp_expired')).toHaveLength(3);
  });

  test('is burnt by five wrong guesses, and its link is not', async () => {
    const email = 'guessed@harbour.example';
    await auth.client().auth.signInWithOtp({ email });
    const { code, link } = auth.mailTo(email);
    const wrong = code === '000000' ? '000001' : '000000';
    for (let guess = 0; guess < 5; guess++) {
      const { error } = await auth.client().auth.verifyOtp({ email, token: wrong, type: 'email' });
      expect(error).toMatchObject({ status: 403, code: 'otp_expired' });
    }
    expect((await auth.client().auth.verifyOtp({ email, token: code, type: 'email' })).error?.code).toBe('otp_expired');
    expect(locationOf(await open(link)).searchParams.get('code')).toBeTruthy();
  });

  test("is nobody else's", async () => {
    await auth.client().auth.signInWithOtp({ email: 'mine@harbour.example' });
    await auth.client().auth.signInWithOtp({ email: 'yours@harbour.example' });
    const { code } = auth.mailTo('mine@harbour.example');
    const theirs = await auth.client().auth.verifyOtp({ email: 'yours@harbour.example', token: code, type: 'email' });
    expect(theirs.error?.code).toBe('otp_expired');
    const unknown = await auth
      .client()
      .auth.verifyOtp({ email: 'unknown@harbour.example', token: code, type: 'email' });
    expect(unknown.error).toMatchObject({ status: theirs.error?.status, message: theirs.error?.message });
  });
});

describe('an access token', () => {
  test('carries the claims that policies and clients read, and verifies with the published key', async () => {
    const { client, session } = await auth.signIn('claims@harbour.example');
    const keys = createRemoteJWKSet(new URL(`${auth.api}/.well-known/jwks.json`));
    const { payload } = await jwtVerify(session.access_token, keys, { issuer: auth.issuer, audience: 'authenticated' });
    expect(payload).toMatchObject({
      sub: session.user.id,
      email: 'claims@harbour.example',
      phone: '',
      role: 'authenticated',
      aal: 'aal1',
      amr: [{ method: 'otp', timestamp: expect.any(Number) }],
      session_id: expect.stringMatching(/^[\da-f-]{36}$/),
      is_anonymous: false,
      app_metadata: { provider: 'email', providers: ['email'], role: 'user' },
      user_metadata: { role: 'user' },
    });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3600);
    expect(decodeProtectedHeader(session.access_token)).toMatchObject({ alg: 'ES256', typ: 'JWT' });
    const { data } = await client.auth.getClaims();
    expect(data?.claims.sub).toBe(session.user.id);
  });

  test('the user has the shape that clients know', async () => {
    const { client, session } = await auth.signIn('shape@harbour.example');
    const { data } = await client.auth.getUser();
    expect(data.user).toEqual(session.user);
    expect(data.user).toMatchObject({
      id: expect.any(String),
      phone: '',
      email_confirmed_at: expect.stringMatching(/Z$/),
      confirmed_at: expect.stringMatching(/Z$/),
      last_sign_in_at: expect.stringMatching(/Z$/),
      identities: [{ provider: 'email', user_id: session.user.id, identity_data: { email: 'shape@harbour.example' } }],
    });
  });
});

async function postToken(grant: string, body: object) {
  const response = await fetch(`${auth.api}/token?grant_type=${grant}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Supabase-Api-Version': '2024-01-01' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}
