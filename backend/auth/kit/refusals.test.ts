import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { forgetLimits, startAuth } from '#backend/auth/testing/harness.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { holdWindows } from '#test/databases/hold-windows.ts';

let auth: Awaited<ReturnType<typeof startAuth>>;
beforeAll(async () => {
  const url = await freshDatabase();
  await holdWindows(url);
  auth = await startAuth(url);
});
afterEach(() => forgetLimits(auth.db));
afterAll(() => auth.close());

const call = (method: string, path: string, init: RequestInit = {}) =>
  fetch(`${auth.api}${path}`, { method, redirect: 'manual', ...init });
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  call('POST', path, {
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', 'X-Supabase-Api-Version': '2024-01-01', ...headers },
  });

describe('limits', () => {
  test('one mail in 10 seconds to an address', async () => {
    const client = auth.client();
    const ask = () => client.auth.signInWithOtp({ email: 'eager@harbour.example' });
    // No error: the client would forget its verifier, and the link that is on its way could not be opened.
    for (let n = 0; n < 3; n++) expect((await ask()).error).toBeNull();
    expect(auth.mails.filter(({ to }) => to === 'eager@harbour.example')).toHaveLength(1);
  });

  test('Retry-After says when', async () => {
    // No link is on its way that a second ask could share.
    const ask = () => post('/otp', { email: 'header@harbour.example', create_user: false });
    expect((await ask()).status).toBe(422);
    const refused = await ask();
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({
      code: 'over_email_send_rate_limit',
      message: expect.stringMatching(/try again in \d+ seconds?\./),
    });
    const seconds = Number(refused.headers.get('Retry-After'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(10);
  });

  test('60 asks an hour from an IP, malformed ones counted, others undisturbed', async () => {
    const from = { 'x-test-ip': '198.51.100.7' };
    for (let ask = 0; ask < 60; ask++) expect((await post('/otp', {}, from)).status).toBe(400);
    const refused = await post('/otp', { email: 'sixty-first@harbour.example' }, from);
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: 'over_email_send_rate_limit' });
    const elsewhere = await post('/otp', { email: 'elsewhere@harbour.example' }, { 'x-test-ip': '198.51.100.8' });
    expect(elsewhere.status).toBe(200);
  });

  test('an IPv6 household counts as one, and a body sent in pieces does not hide who sent it', async () => {
    const ask = (ip: string, email: string) =>
      fetch(`${auth.api}/otp`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'x-test-ip': ip },
        body: new Blob([JSON.stringify({ email })]).stream(),
        duplex: 'half',
      });
    for (let host = 1; host <= 60; host++) await ask(`2001:db8:1:2::${host}`, 'none');
    expect((await ask('2001:db8:1:2:ffff::1', 'same-house@harbour.example')).status).toBe(429);
    expect((await ask('2001:db8:1:3::1', 'next-door@harbour.example')).status).toBe(200);
  });

  test('the gate is not even asked beyond the limit', async () => {
    const email = 'asked-for@harbour.example';
    auth.gate.denied.set(email, { allow: false, reason: 'NO_CONTACT', message: 'no' });
    const codes = [];
    for (let ask = 0; ask < 3; ask++) codes.push((await post('/otp', { email })).headers.get('x-sb-error-code'));
    expect(codes[0]).toBe('access_denied');
    expect(codes).toContain('over_email_send_rate_limit');
  });

  const guess = (email: string, ip: string) =>
    post('/verify', { email, token: '123456', type: 'email' }, { 'x-test-ip': ip });

  test('10 guesses an hour at a code of one’s own network, 6 at those of others from all networks together', async () => {
    const email = 'target@harbour.example';
    await post('/otp', { email }, { 'x-test-ip': '198.51.100.1' });
    for (let n = 1; n <= 10; n++) expect((await guess(email, '198.51.100.1')).status).toBe(403);
    const refused = await guess(email, '198.51.100.1');
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: 'over_request_rate_limit' });
    await forgetLimits(auth.db);
    for (let n = 2; n <= 7; n++) expect((await guess(email, `198.51.100.${n}`)).status).toBe(403);
    expect((await guess(email, '198.51.100.11')).status).toBe(429);
  });

  test('a stranger who asks and guesses all the time locks no one out', async () => {
    const email = 'owner@harbour.example';
    await auth.signIn(email, auth.client({ ip: '203.0.113.5' }));
    for (let n = 1; n <= 20; n++) {
      await post('/otp', { email }, { 'x-test-ip': `198.51.100.${n}` });
      await guess(email, `198.51.100.${n}`);
    }
    expect(auth.mails.filter(({ to }) => to === email).length).toBeLessThanOrEqual(11);
    expect((await guess(email, '198.51.100.77')).status).toBe(429);
    const owner = auth.client({ ip: '203.0.113.5' });
    expect((await owner.auth.signInWithOtp({ email })).error).toBeNull();
    const token = auth.mailTo(email).code;
    expect((await owner.auth.verifyOtp({ email, token, type: 'email' })).data.session?.user.email).toBe(email);
  });

  test('100 guesses an hour from an IP, by link, code and hash together', async () => {
    const headers = { 'x-test-ip': '198.51.100.20' };
    for (let guess = 0; guess < 98; guess++)
      await post('/verify', { token_hash: `no-${guess}`, type: 'email' }, headers);
    const link = () => call('GET', '/verify?token=no&type=magiclink', { headers });
    const errorOf = (response: Response) =>
      new URL(response.headers.get('Location') ?? '').searchParams.get('error_code');
    expect([errorOf(await link()), errorOf(await link()), errorOf(await link())]).toEqual([
      'otp_expired',
      'otp_expired',
      'over_request_rate_limit',
    ]);
    expect((await post('/verify', { token_hash: 'no', type: 'email' }, headers)).status).toBe(429);
  });

  test('no address and no IP is stored for it', async () => {
    await post('/otp', { email: 'private@harbour.example' }, { 'x-test-ip': '198.51.100.99' });
    const buckets = (await auth.db.selectFrom('app.rate_limits').select('bucket').execute()).map((row) => row.bucket);
    expect(buckets.length).toBeGreaterThan(2);
    expect(buckets.join()).not.toMatch(/private@|198\.51/);
  });
});

describe('bodies', () => {
  test.each([
    ['/otp', '{', 400, 'bad_json'],
    ['/otp', '', 400, 'bad_json'],
    ['/otp', '[]', 400, 'validation_failed'],
    ['/otp', 'null', 400, 'validation_failed'],
    ['/otp', {}, 400, 'validation_failed'],
    ['/otp', { email: 5 }, 400, 'validation_failed'],
    ['/otp', { email: 'a@harbour.example', create_user: 'yes' }, 400, 'validation_failed'],
    ['/otp', { email: 'a@harbour.example', data: [] }, 400, 'validation_failed'],
    ['/otp', { email: 'a@harbour.example', data: { x: 'y'.repeat(2001) } }, 400, 'validation_failed'],
    ['/otp', { email: 'a@harbour.example', code_challenge: 'x'.repeat(43) }, 400, 'validation_failed'],
    ['/otp', { email: 'a@harbour.example', code_challenge_method: 's256' }, 400, 'validation_failed'],
    [
      '/otp',
      { email: 'a@harbour.example', code_challenge: 'short', code_challenge_method: 's256' },
      400,
      'validation_failed',
    ],
    [
      '/otp',
      { email: 'a@harbour.example', code_challenge: 'x'.repeat(43), code_challenge_method: 'md5' },
      400,
      'validation_failed',
    ],
    ['/otp', 'x'.repeat(70_000), 413, 'request_too_large'],
    ['/recover', {}, 400, 'validation_failed'],
    ['/recover', { phone: '+12025550123' }, 400, 'phone_provider_disabled'],
    ['/resend', { email: 'a@harbour.example' }, 400, 'validation_failed'],
    ['/resend', { phone: '12', type: 'sms' }, 400, 'validation_failed'],
    ['/verify', { email: 'a@harbour.example', token: '123456' }, 400, 'validation_failed'],
    ['/verify', { email: 'a@harbour.example', token: '123456', type: 'sms' }, 400, 'validation_failed'],
    ['/verify', { email: 'a@harbour.example', token: '123456', type: 'constructor' }, 400, 'validation_failed'],
    ['/verify', { email: 'a@harbour.example', type: 'email' }, 400, 'validation_failed'],
    ['/verify', { token: '123456', type: 'email' }, 400, 'validation_failed'],
    ['/token?grant_type=pkce', {}, 400, 'validation_failed'],
    ['/token?grant_type=refresh_token', { refresh_token: '' }, 400, 'validation_failed'],
    ['/token?grant_type=password', { email: 'a@harbour.example', password: 'x' }, 400, 'invalid_credentials'],
    ['/token?grant_type=constructor', {}, 400, 'invalid_credentials'],
    ['/token', {}, 400, 'invalid_credentials'],
    ['/token?grant_type=id_token', {}, 400, 'validation_failed'],
    ['/token?grant_type=id_token', { provider: 'google', id_token: '' }, 400, 'validation_failed'],
    ['/token?grant_type=id_token', { provider: 'google', id_token: 'x' }, 400, 'provider_disabled'],
    ['/sso', { domain: 5 }, 400, 'validation_failed'],
    ['/sso', { domain: 'harbour.example' }, 404, 'saml_provider_disabled'],
    ['/signup', {}, 422, 'anonymous_provider_disabled'],
    ['/signup', { email: 'a@harbour.example', password: 'x' }, 422, 'signup_disabled'],
  ])('POST %s %j is refused: %i %s', async (path, body, status, code) => {
    const response = await post(path, body);
    expect(response.status).toBe(status);
    expect(response.headers.get('x-sb-error-code')).toBe(code);
    expect(await response.json()).toEqual({ code, message: expect.stringMatching(/\w/) });
  });

  test('a form of a foreign page is refused', async () => {
    const response = await post('/otp', { email: 'a@harbour.example' }, { 'Content-Type': 'text/plain' });
    expect(response.status).toBe(415);
  });

  test('supabase-js understands the refusals', async () => {
    const client = auth.client();
    expect((await client.auth.signInAnonymously()).error?.code).toBe('anonymous_provider_disabled');
    const password = await client.auth.signInWithPassword({ email: 'a@harbour.example', password: 'secret' });
    expect(password.error).toMatchObject({ status: 400, code: 'invalid_credentials' });
    const others = await Promise.all([
      client.auth.signUp({ email: 'a@harbour.example', password: 'secret' }),
      client.auth.signUp({ phone: '+12175550142', password: 'secret' }),
    ]);
    expect(others.map(({ error }) => [error?.status, error?.code])).toEqual([
      [422, 'signup_disabled'],
      [422, 'signup_disabled'],
    ]);
  });
});

describe('paths', () => {
  test('unknown ones are 404 in JSON, in both shapes of errors', async () => {
    const old = await call('GET', '/nowhere');
    expect(old.status).toBe(404);
    expect(old.headers.get('X-Supabase-Api-Version')).toBeNull();
    expect(await old.json()).toEqual({ code: 404, error_code: 'not_found', msg: expect.any(String) });
    const modern = await call('GET', '/nowhere', { headers: { 'X-Supabase-Api-Version': '2024-01-01' } });
    expect(modern.headers.get('X-Supabase-Api-Version')).toBe('2024-01-01');
    expect(await modern.json()).toEqual({ code: 'not_found', message: expect.any(String) });
  });

  test.each([
    ['GET', '/otp', 'POST'],
    ['DELETE', '/user', 'GET, HEAD, PUT'],
    ['PUT', '/factors/recovery-codes', 'GET, HEAD, POST, DELETE'],
    ['GET', '/factors/recovery-codes/verify', 'POST'],
    ['POST', '/reauthenticate', 'GET, HEAD'],
    ['GET', '/recover', 'POST'],
    ['PUT', '/verify', 'GET, HEAD, POST'],
    ['GET', '/logout', 'POST'],
    ['POST', '/.well-known/jwks.json', 'GET, HEAD'],
  ])('%s %s is 405 and says what is allowed', async (method, path, allow) => {
    const response = await call(method, path);
    expect(response.status).toBe(405);
    expect(response.headers.get('Allow')).toBe(allow);
    expect(await response.json()).toMatchObject({ error_code: 'method_not_allowed' });
  });

  test('health, settings and keys are open and cached as they should be', async () => {
    expect(await (await call('GET', '/health')).json()).toMatchObject({ name: expect.any(String) });
    expect(await (await call('GET', '/settings')).json()).toMatchObject({ external: { email: true, phone: true } });
    const keys = await call('GET', '/.well-known/jwks.json');
    expect(keys.headers.get('Cache-Control')).toBe('public, max-age=600');
  });

  test.each([
    [undefined, 401, 'no_authorization'],
    ['Basic abc', 401, 'no_authorization'],
    ['Bearer test-key', 403, 'bad_jwt'],
    ['Bearer a.b.c', 403, 'bad_jwt'],
  ])('GET /user with authorization %j is %i %s', async (authorization, status, code) => {
    const response = await call('GET', '/user', { headers: authorization ? { Authorization: authorization } : {} });
    expect(response.status).toBe(status);
    expect(response.headers.get('x-sb-error-code')).toBe(code);
  });

  test('an unknown failure tells nothing', async () => {
    const broken = await startAuth(await freshDatabase());
    await sql`drop schema auth cascade`.execute(broken.db);
    const response = await fetch(`${broken.api}/.well-known/jwks.json`);
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      code: 500,
      error_code: 'unexpected_failure',
      msg: expect.stringMatching(/went wrong/),
    });
    expect(broken.logged).toHaveLength(1);
    await broken.close();
  });
});
