import type { SupabaseClient } from '@supabase/supabase-js';
import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { forgetLimits, startAuth } from '#backend/auth/testing/harness.ts';
import { freshDatabase } from '#test/databases/database.ts';

let auth: Awaited<ReturnType<typeof startAuth>>;
beforeAll(async () => {
  auth = await startAuth(await freshDatabase());
});
afterAll(() => auth.close());
beforeEach(() => forgetLimits(auth.db));

let people = 0;
const newEmail = () => `person${people++}@harbour.example`;
const NOBODY = '11111111-1111-4111-8111-111111111111';

/** What an authenticator app shows, `steps` of 30 s from now. */
const codeOf = (secret: string, steps = 0) => new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });
/** Lets the codes that were taken be as good as new. */
const forgetCodes = () => sql`update auth.mfa_factors set last_step = null`.execute(auth.db);

async function enrol(client: SupabaseClient, friendlyName = '') {
  const { data, error } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName });
  if (error) throw error;
  return { factorId: data.id, ...data.totp };
}

/** Someone who is signed in and has a verified factor. */
async function withFactor(email = newEmail()) {
  const { client } = await auth.signIn(email);
  const factor = await enrol(client);
  const { error } = await client.auth.mfa.challengeAndVerify({ ...factor, code: codeOf(factor.secret) });
  if (error) throw error;
  await forgetCodes();
  return { email, client, ...factor };
}

const claimsOf = async (client: SupabaseClient) =>
  decodeJwt((await client.auth.getSession()).data.session?.access_token ?? '');

describe('enroll', () => {
  test('answers secret, address and QR code of an authenticator, and keeps the secret sealed', async () => {
    const email = newEmail();
    const { client } = await auth.signIn(email);
    const { data } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone', issuer: 'Fairlead' });
    expect(data).toMatchObject({ type: 'totp', friendly_name: 'Phone' });
    const totp = data?.type === 'totp' ? data.totp : undefined;
    expect(totp?.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg [^#]*<\/svg>$/);
    expect(totp?.uri).toBe(
      `otpauth://totp/Fairlead:${encodeURIComponent(email)}?issuer=Fairlead&secret=${totp?.secret}&algorithm=SHA1&digits=6&period=30`,
    );
    const { rows } = await sql<{ row: string }>`select to_jsonb(f)::text as row from auth.mfa_factors f`.execute(
      auth.db,
    );
    expect(rows.map(({ row }) => row).join()).not.toContain(totp?.secret);
    const listed = await client.auth.mfa.listFactors();
    expect(listed.data).toMatchObject({ all: [{ friendly_name: 'Phone', status: 'unverified' }], totp: [] });
  });

  test('is refused for a name twice, an eleventh, what is not offered, and no one', async () => {
    const { client } = await auth.signIn(newEmail());
    const code = async (parameters: object) =>
      (await client.auth.mfa.enroll(parameters as { factorType: 'totp' })).error?.code;
    await enrol(client, 'one');
    expect(await code({ factorType: 'totp', friendlyName: 'one' })).toBe('mfa_factor_name_conflict');
    for (let more = 0; more < 9; more++) await enrol(client, `more ${more}`);
    expect(await code({ factorType: 'totp', friendlyName: 'last' })).toBe('too_many_enrolled_mfa_factors');
    expect(await code({ factorType: 'webauthn' })).toBe('mfa_webauthn_enroll_not_enabled');
    expect(await code({ factorType: 'smoke' })).toBe('validation_failed');
    const stranger = await auth.client().auth.mfa.enroll({ factorType: 'totp' });
    expect(stranger.error).not.toBeNull();
  });
});

describe('challenge and verify', () => {
  test('raise the session to aal2, in token, session and user, and end those that have not proven it', async () => {
    const email = newEmail();
    const other = await auth.signIn(email);
    const { client, session } = await auth.signIn(email);
    const { factorId, secret } = await enrol(client, 'Phone');
    expect((await client.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
      currentLevel: 'aal1',
      nextLevel: 'aal1',
    });
    const events: string[] = [];
    client.auth.onAuthStateChange((event) => void events.push(event));
    const challenge = await client.auth.mfa.challenge({ factorId });
    expect(challenge.data).toMatchObject({ type: 'totp' });
    expect((challenge.data?.expires_at ?? 0) - Date.now() / 1000).toBeCloseTo(300, -1);
    const challengeId = challenge.data?.id ?? '';
    const { data, error } = await client.auth.mfa.verify({ factorId, challengeId, code: codeOf(secret) });
    expect(error).toBeNull();
    expect(data?.user.factors).toMatchObject([{ id: factorId, status: 'verified', factor_type: 'totp' }]);
    expect(await claimsOf(client)).toMatchObject({ aal: 'aal2', amr: [{ method: 'totp' }, { method: 'otp' }] });
    expect((await client.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
      currentLevel: 'aal2',
      nextLevel: 'aal2',
    });
    expect(events).toContain('MFA_CHALLENGE_VERIFIED');
    expect((await other.client.auth.refreshSession()).error?.code).toBe('refresh_token_not_found');
    // The token of before is spent, as by a refresh.
    await client.auth.refreshSession();
    expect(await claimsOf(client)).toMatchObject({
      aal: 'aal2',
      session_id: decodeJwt(session.access_token).session_id,
    });
    expect(auth.events.slice(-1)).toMatchObject([{ type: 'factor_added', factor: 'totp' }]);
  });

  test('at the next sign-in begin at aal1 again', async () => {
    const { email, factorId, secret } = await withFactor();
    const { client } = await auth.signIn(email);
    expect((await client.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
      currentLevel: 'aal1',
      nextLevel: 'aal2',
    });
    expect((await client.auth.mfa.challengeAndVerify({ factorId, code: codeOf(secret, -1) })).error).toBeNull();
    expect(await claimsOf(client)).toMatchObject({ aal: 'aal2' });
    expect(auth.events.slice(-1)).toMatchObject([{ type: 'stepped_up' }]);
  });

  test('take no code twice, nor one before it, nor one that is minutes old', async () => {
    const { client, factorId, secret } = await withFactor();
    const code = async (of: string) => (await client.auth.mfa.challengeAndVerify({ factorId, code: of })).error?.code;
    const [now, before] = [codeOf(secret), codeOf(secret, -1)];
    expect(await code(codeOf(secret, -4))).toBe('mfa_verification_failed');
    expect(await code(now)).toBeUndefined();
    expect(await code(now)).toBe('mfa_verification_failed');
    expect(await code(before)).toBe('mfa_verification_failed');
    expect(await code('000000')).toBe('mfa_verification_failed');
    expect(await code('')).toBe('validation_failed');
  });

  test('a challenge is good once, for one session, and for five minutes', async () => {
    const { email, client, factorId, secret } = await withFactor();
    const verify = async (challengeId: string, by = client) =>
      (await by.auth.mfa.verify({ factorId, challengeId, code: codeOf(secret) })).error?.code;
    const challenge = async (by = client) => (await by.auth.mfa.challenge({ factorId })).data?.id ?? '';
    const spent = await challenge();
    expect(await verify(spent)).toBeUndefined();
    await forgetCodes();
    expect(await verify(spent)).toBe('mfa_factor_not_found');
    const old = await challenge();
    await sql`update auth.mfa_challenges set expires_at = now() - interval '1 second'`.execute(auth.db);
    expect(await verify(old)).toBe('mfa_challenge_expired');
    const { client: elsewhere } = await auth.signIn(email);
    expect(await verify(await challenge(elsewhere))).toBe('mfa_factor_not_found');
    expect(await verify(NOBODY)).toBe('mfa_factor_not_found');
    expect((await client.auth.mfa.challenge({ factorId: NOBODY })).error).toMatchObject({
      status: 404,
      code: 'mfa_factor_not_found',
    });
  });

  test('ten wrong codes are all for an hour, of all sessions', async () => {
    const { email, client, factorId, secret } = await withFactor();
    const { client: second } = await auth.signIn(email);
    await forgetLimits(auth.db);
    const guess = async (by: SupabaseClient, code: string) =>
      (await by.auth.mfa.challengeAndVerify({ factorId, code })).error?.code;
    for (let tries = 0; tries < 10; tries++)
      expect(await guess(tries % 2 ? second : client, '000000')).toBe('mfa_verification_failed');
    expect(await guess(client, codeOf(secret))).toBe('over_request_rate_limit');
    expect(await guess(second, codeOf(secret))).toBe('over_request_rate_limit');
  });

  test('one of two that prove the same code at once succeeds', async () => {
    const { client, factorId, secret } = await withFactor();
    const [one, two] = await Promise.all([0, 1].map(() => client.auth.mfa.challenge({ factorId })));
    const { data } = await client.auth.getSession();
    const verify = (challengeId: string) =>
      fetch(`${auth.api}/factors/${factorId}/verify`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${data.session?.access_token}` },
        body: JSON.stringify({ challenge_id: challengeId, code: codeOf(secret) }),
      });
    const answers = await Promise.all([verify(one?.data?.id ?? ''), verify(two?.data?.id ?? '')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  });

  test('the gate has its say', async () => {
    const { email, client, factorId, secret } = await withFactor();
    auth.gate.denied.set(email, { allow: false, reason: 'MISSING_TAG', message: 'The tag is gone.' });
    const { error } = await client.auth.mfa.challengeAndVerify({ factorId, code: codeOf(secret) });
    expect(error).toMatchObject({ status: 403, code: 'access_denied' });
  });

  test('someone else’s factor is none', async () => {
    const { factorId } = await withFactor();
    const { client: mallory } = await withFactor();
    expect((await mallory.auth.mfa.challenge({ factorId })).error?.code).toBe('mfa_factor_not_found');
    expect((await mallory.auth.mfa.unenroll({ factorId })).error?.code).toBe('mfa_factor_not_found');
  });
});

describe('with a verified factor', () => {
  test('a session at aal1 adds none, removes none, and changes no address', async () => {
    const { email, factorId } = await withFactor();
    const { client } = await auth.signIn(email);
    expect((await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'mine' })).error).toMatchObject({
      status: 403,
      code: 'insufficient_aal',
    });
    expect((await client.auth.mfa.unenroll({ factorId })).error).toMatchObject({
      status: 422,
      code: 'insufficient_aal',
    });
    expect((await client.auth.updateUser({ email: newEmail() })).error).toMatchObject({
      status: 401,
      code: 'insufficient_aal',
    });
    expect((await client.auth.updateUser({ data: { name: 'Ann' } })).error).toBeNull();
  });

  test('a factor that was begun before is not let in by a session at aal1', async () => {
    const email = newEmail();
    const thief = await auth.signIn(email);
    const planted = await thief.client.auth.mfa.enroll({
      factorType: 'phone',
      phone: '+12175550100',
      friendlyName: 'Mobile',
    });
    const { client } = await auth.signIn(email);
    const own = await enrol(client);
    expect((await client.auth.mfa.challengeAndVerify({ ...own, code: codeOf(own.secret) })).error).toBeNull();
    const again = (await auth.signIn(email)).client;
    const factorId = planted.data?.id ?? '';
    const challengeId = (await again.auth.mfa.challenge({ factorId })).data?.id ?? '';
    const { error } = await again.auth.mfa.verify({ factorId, challengeId, code: auth.textTo('+12175550100') });
    expect(error).toMatchObject({ status: 403, code: 'insufficient_aal' });
    expect(await claimsOf(again)).toMatchObject({ aal: 'aal1' });
  });

  test('a change of address or number that was begun before it is over', async () => {
    const [email, next, phone] = [newEmail(), newEmail(), '+12175550101'];
    const { client: thief } = await auth.signIn(email);
    await thief.auth.updateUser({ email: next, phone });
    const [leave, arrive, text] = [auth.mailTo(email).code, auth.mailTo(next).code, auth.textTo(phone)];
    const { client } = await auth.signIn(email);
    const own = await enrol(client);
    await client.auth.mfa.challengeAndVerify({ ...own, code: codeOf(own.secret) });
    const by = auth.client().auth;
    const codes = [
      await by.verifyOtp({ email, token: leave, type: 'email_change' }),
      await by.verifyOtp({ email: next, token: arrive, type: 'email_change' }),
      await by.verifyOtp({ phone, token: text, type: 'phone_change' }),
    ].map(({ error }) => error?.code);
    expect(codes).toEqual(['otp_expired', 'otp_expired', 'otp_expired']);
    expect((await client.auth.getUser()).data.user).toMatchObject({ email, phone: '' });
  });

  test('unenroll brings the sessions that it raised back to aal1', async () => {
    const { client, factorId } = await withFactor();
    expect((await client.auth.mfa.unenroll({ factorId })).data).toEqual({ id: factorId });
    await client.auth.refreshSession();
    expect(await claimsOf(client)).toMatchObject({ aal: 'aal1', amr: [{ method: 'otp' }] });
    expect((await client.auth.mfa.listFactors()).data?.all).toEqual([]);
    expect(auth.events.slice(-1)).toMatchObject([{ type: 'factor_removed' }]);
  });

  test('a second one may be added by a session that has proven the first, which goes on by the second', async () => {
    const { client, factorId } = await withFactor();
    const second = await enrol(client, 'Tablet');
    expect((await client.auth.mfa.challengeAndVerify({ ...second, code: codeOf(second.secret) })).error).toBeNull();
    await client.auth.mfa.unenroll({ factorId });
    await client.auth.refreshSession();
    expect(await claimsOf(client)).toMatchObject({ aal: 'aal2' });
    expect((await client.auth.mfa.listFactors()).data?.totp).toMatchObject([{ friendly_name: 'Tablet' }]);
  });
});

test('admin.mfa lists someone’s factors, and takes one away', async () => {
  const { client, factorId } = await withFactor();
  const userId = (await client.auth.getUser()).data.user?.id ?? '';
  const listed = await auth.admin.mfa.listFactors({ userId });
  expect(listed.data?.factors).toMatchObject([{ id: factorId, status: 'verified' }]);
  expect((await auth.admin.getUserById(userId)).data.user?.factors).toMatchObject([{ id: factorId }]);
  expect((await auth.admin.listUsers()).data.users.find(({ id }) => id === userId)?.factors).toHaveLength(1);
  expect((await auth.admin.mfa.deleteFactor({ userId, id: factorId })).data).toMatchObject({ data: { id: factorId } });
  expect(auth.events.slice(-1)).toMatchObject([{ type: 'administered', act: 'factor removed', userId }]);
  expect((await auth.admin.mfa.deleteFactor({ userId, id: factorId })).error?.code).toBe('mfa_factor_not_found');
  expect((await auth.admin.mfa.listFactors({ userId: NOBODY })).error?.code).toBe('user_not_found');
  await client.auth.refreshSession();
  expect(await claimsOf(client)).toMatchObject({ aal: 'aal1' });
});
