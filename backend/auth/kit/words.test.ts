import { SignJWT } from 'jose';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { forgetLimits, startAuth } from '#backend/auth/testing/harness.ts';
import { freshDatabase } from '#test/databases/database.ts';

let auth: Awaited<ReturnType<typeof startAuth>>;
beforeAll(async () => {
  auth = await startAuth(await freshDatabase());
});
afterEach(() => forgetLimits(auth.db));
afterAll(() => auth.close());

/** What a client compares. */
const said = ({ error }: { error: unknown }) => {
  expect(error).not.toBeNull();
  const { status, code, message } = error as { status?: number; code?: string; message?: string };
  return [status, code, message];
};
const newest = (email: string) => auth.mailTo(email);
const NO_ADDRESS = [400, 'validation_failed', 'Unable to validate email address: invalid format'];
const NO_CODE = [403, 'otp_expired', 'Token has expired or is invalid'];
const NO_LINK = [403, 'otp_expired', 'Email link is invalid or has expired'];

test('an address that is none, wherever one is taken', async () => {
  const { client } = await auth.signIn('words@harbour.example');
  const email = 'nobody';
  const asked = [
    client.auth.signInWithOtp({ email }),
    client.auth.resend({ email, type: 'signup' }),
    client.auth.resetPasswordForEmail(email),
    client.auth.verifyOtp({ email, token: '123456', type: 'email' }),
    client.auth.updateUser({ email }),
    auth.admin.createUser({ email }),
    auth.admin.inviteUserByEmail(email),
    auth.admin.generateLink({ type: 'magiclink', email }),
    auth.admin.generateLink({ type: 'email_change_new', email: 'words@harbour.example', newEmail: email }),
  ];
  for (const one of asked) expect(said(await one)).toEqual(NO_ADDRESS);
  const long = `${'a'.repeat(250)}@harbour.example`;
  expect(said(await client.auth.signInWithOtp({ email: long }))).toEqual([
    ...[400, 'validation_failed', 'An email address is too long'],
  ]);
});

test('codes and links that are wrong or spent', async () => {
  const email = 'spent@harbour.example';
  const client = auth.client();
  await client.auth.signInWithOtp({ email });
  const { code, token } = newest(email);
  const wrong = code === '000000' ? '000001' : '000000';
  expect(said(await client.auth.verifyOtp({ email, token: wrong, type: 'email' }))).toEqual(NO_CODE);
  expect((await client.auth.verifyOtp({ email, token: code, type: 'email' })).error).toBeNull();
  expect(said(await client.auth.verifyOtp({ email, token: code, type: 'email' }))).toEqual(NO_CODE);
  expect(said(await client.auth.verifyOtp({ token_hash: token, type: 'email' }))).toEqual(NO_LINK);
  const opened = await fetch(`${auth.api}/verify?token=${token}&type=magiclink`, { redirect: 'manual' });
  const { searchParams } = new URL(opened.headers.get('location') ?? '');
  expect(searchParams.get('error_description')).toBe('Email link is invalid or has expired');
});

test('signing up, passwords and strangers', async () => {
  const client = auth.client();
  const [email, password] = ['new@harbour.example', 'secret-secret'];
  const noSignup = [422, 'signup_disabled', 'Signups not allowed for this instance'];
  expect(said(await client.auth.signUp({ email, password }))).toEqual(noSignup);
  expect(said(await client.auth.signInAnonymously())).toEqual([
    ...[422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled'],
  ]);
  expect(said(await client.auth.signInWithPassword({ email, password }))).toEqual([
    ...[400, 'invalid_credentials', 'Invalid login credentials'],
  ]);
  const asked = await client.auth.signInWithOtp({ email, options: { shouldCreateUser: false } });
  expect(said(asked)).toEqual([422, 'otp_disabled', 'Signups not allowed for otp']);
});

test('tokens that are not accepted', async () => {
  const client = auth.client();
  const signed = (expires: number) =>
    new SignJWT({ sub: 'x', exp: expires })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode('someone else'.padEnd(32)));
  const unverified = (why: string) => [403, 'bad_jwt', `invalid JWT: unable to parse or verify signature, ${why}`];
  expect(said(await client.auth.getUser('made-up'))).toEqual(
    unverified('token is malformed: token contains an invalid number of segments'),
  );
  expect(said(await client.auth.getUser(await signed(1)))).toEqual(
    unverified('token has invalid claims: token is expired'),
  );
  expect(said(await client.auth.getUser(await signed(9_999_999_999)))).toEqual(
    unverified('token signature is invalid: signature is invalid'),
  );
  const without = await fetch(`${auth.api}/user`);
  expect(await without.json()).toMatchObject({
    error_code: 'no_authorization',
    msg: 'This endpoint requires a valid Bearer token',
  });
});

test('sessions that have ended, and people who are banned', async () => {
  const { session } = await auth.signIn('ended@harbour.example');
  const getUser = async () => {
    const headers = { Authorization: `Bearer ${session.access_token}` };
    return (await fetch(`${auth.api}/user`, { headers })).json();
  };
  await sql`update app.profiles set status = 'disabled' where email = 'ended@harbour.example'`.execute(auth.db);
  expect(await getUser()).toEqual({ code: 403, error_code: 'user_banned', msg: 'User is banned' });
  await sql`delete from auth.sessions where user_id = ${session.user.id}`.execute(auth.db);
  expect(await getUser()).toEqual({
    code: 403,
    error_code: 'session_not_found',
    msg: 'Session from session_id claim in JWT does not exist',
  });
});

test('sessions that have run out', async () => {
  const { client, session } = await auth.signIn('late@harbour.example');
  await sql`update auth.sessions set not_after = now() - interval '1 second' where user_id = ${session.user.id}`.execute(
    auth.db,
  );
  expect(said(await client.auth.refreshSession())).toEqual([
    ...[400, 'session_expired', 'Invalid Refresh Token: Session Expired'],
  ]);
});

test('codes of another browser, or of no one', async () => {
  const email = 'pkce@harbour.example';
  const client = auth.client();
  await client.auth.signInWithOtp({ email });
  const other = auth.client();
  await other.auth.signInWithOtp({ email: 'other@harbour.example' });
  const opened = await fetch(newest(email).link.replace(/^https?:\/\/[^/]+/, auth.url), { redirect: 'manual' });
  const code = new URL(opened.headers.get('location') ?? '').searchParams.get('code') ?? '';
  expect(said(await other.auth.exchangeCodeForSession(code))).toEqual([
    ...[400, 'bad_code_verifier', 'code challenge does not match previously saved code verifier'],
  ]);
  expect(said(await client.auth.exchangeCodeForSession(code))).toEqual([
    ...[404, 'flow_state_not_found', 'invalid flow state, no valid flow state found'],
  ]);
});
