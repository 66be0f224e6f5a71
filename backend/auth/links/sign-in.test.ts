import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forgetLimits, startAuth } from '#backend/auth/testing/harness.ts';
import { freshDatabase } from '#test/databases/database.ts';

let auth: Awaited<ReturnType<typeof startAuth>>;
beforeAll(async () => {
  auth = await startAuth(await freshDatabase());
});
afterAll(() => auth.close());

const open = (link: string) => fetch(link, { redirect: 'manual' });
const locationOf = (response: Response) => new URL(response.headers.get('Location') ?? '');

describe('asking', () => {
  test('mails link and code, and keeps neither', async () => {
    // The answer to a captcha is taken and not looked at.
    const options = { captchaToken: 'ignored' };
    const asked = await auth.client().auth.signInWithOtp({ email: '  Ada@Harbour.example ', options });
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
    expect(error).toMatchObject({ status: 400, code: 'validation_failed' });
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

  test('a mail that cannot be sent is an error that may be retried, and tells nothing of the mail server', async () => {
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

  test("is no one else's", async () => {
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
