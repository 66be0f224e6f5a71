import { createHash } from 'node:crypto';
import { decodeJwt, type JWTPayload } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { forgetLimits, startAuth } from '#backend/auth/testing/harness.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { startIssuer } from '#test/servers/oidc-issuer.ts';

let issuer: Awaited<ReturnType<typeof startIssuer>>;
let auth: Awaited<ReturnType<typeof startAuth>>;
beforeAll(async () => {
  issuer = await startIssuer();
  auth = await startAuth(await freshDatabase(), { identityProviders: [issuer.as('google')] });
});
afterAll(() => Promise.all([auth.close(), issuer.close()]));
beforeEach(() => forgetLimits(auth.db));

const person = (email: string): JWTPayload => ({ sub: `sub of ${email}`, email, email_verified: true, name: 'Ann' });
const hash = (text: string) => createHash('sha256').update(text).digest();

test('signs in by a token for any of our clients, with its nonce and its access token', async () => {
  const client = auth.client();
  const nonce = 'raw nonce of the page';
  const token = await issuer.idToken({
    ...person('one-tap@people.example'),
    aud: 'fairlead-phone',
    nonce: hash(nonce).toString('hex'),
    at_hash: hash('access').subarray(0, 16).toString('base64url'),
  });
  const { data, error } = await client.auth.signInWithIdToken({
    provider: 'google',
    token,
    nonce,
    access_token: 'access',
  });
  expect(error).toBeNull();
  expect(data.user).toMatchObject({ email: 'one-tap@people.example', app_metadata: { provider: 'google' } });
  const byIssuer = await auth.client().auth.signInWithIdToken({ provider: issuer.url, token, nonce });
  expect(byIssuer.data.user?.id).toBe(data.user?.id);
});

test('links in the session of the caller', async () => {
  const { client, session } = await auth.signIn('mailbox@people.example');
  const token = await issuer.idToken(person('elsewhere@people.example'));
  const { data, error } = await client.auth.linkIdentity({ provider: 'google', token });
  expect(error).toBeNull();
  expect(data.user?.app_metadata.providers).toEqual(['email', 'google']);
  expect(decodeJwt(data.session?.access_token ?? '').session_id).toBe(decodeJwt(session.access_token).session_id);
  const again = await client.auth.linkIdentity({ provider: 'google', token });
  expect(again.error?.code).toBe('identity_already_exists');
});

const now = () => Math.floor(Date.now() / 1000);
/** JSON leaves it out. */
const without = (name: string) => Object.fromEntries([[name, undefined]]);
test.each<[string, JWTPayload, { nonce?: string; access_token?: string }, string]>([
  ['for another client', { aud: 'someone-else' }, {}, 'Unacceptable audience in id_token'],
  ['of another issuer', { iss: 'https://evil.example' }, {}, 'Bad ID token'],
  ['that has run out', { exp: 1 }, {}, 'Bad ID token'],
  ['without an end', without('exp'), {}, 'Bad ID token'],
  ['about no one', without('sub'), {}, 'Bad ID token'],
  ['with a nonce that no one names', { nonce: 'x' }, {}, 'Passed nonce and nonce in id_token'],
  ['without the nonce that is named', {}, { nonce: 'x' }, 'Passed nonce and nonce in id_token'],
  ['with the nonce itself instead of its hash', { nonce: 'x' }, { nonce: 'x' }, 'Nonces mismatch'],
  ['of another access token', { at_hash: 'x' }, { access_token: 'y' }, 'Bad ID token'],
])('refuses a token %s', async (_what, claims, given, message) => {
  const token = await issuer.idToken({ ...person('refused@people.example'), ...claims });
  const { data, error } = await auth.client().auth.signInWithIdToken({ provider: 'google', token, ...given });
  expect(error).toMatchObject({ status: 400, code: 'validation_failed' });
  expect(error?.message).toMatch(message);
  expect(data.session).toBeNull();
});

test('refuses what no one signed, whatever algorithm it names', async () => {
  const claims = { ...person('forged@people.example'), iss: issuer.url, aud: 'fairlead', iat: now(), exp: now() + 60 };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  for (const [alg, signature] of [
    ['none', ''],
    ['HS256', 'x'],
    ['RS256', 'x'],
  ] as const) {
    const token = `${part({ alg, typ: 'JWT' })}.${part(claims)}.${signature}`;
    const { error } = await auth.client().auth.signInWithIdToken({ provider: 'google', token });
    expect(error?.message, alg).toBe('Bad ID token');
  }
});

test('the gate, unverified addresses and providers that are not there', async () => {
  const sign = async (claims: JWTPayload, provider = 'google') =>
    (await auth.client().auth.signInWithIdToken({ provider, token: await issuer.idToken(claims) })).error;
  auth.gate.denied.set('denied@people.example', { allow: false, reason: 'NO_CONTACT', message: 'no' });
  expect(await sign(person('denied@people.example'))).toMatchObject({ status: 403, code: 'access_denied' });
  expect(await sign({ ...person('x@people.example'), email_verified: false })).toMatchObject({
    status: 403,
    code: 'provider_email_needs_verification',
  });
  expect(await sign(person('x@people.example'), 'custom:none')).toMatchObject({
    status: 400,
    code: 'validation_failed',
    message: 'Custom OIDC provider "custom:none" not allowed',
  });
  const none = await startAuth(await freshDatabase());
  const { error } = await none.client().auth.signInWithIdToken({ provider: 'google', token: 'x' });
  expect(error).toMatchObject({ status: 400, code: 'provider_disabled' });
  await none.close();
});
