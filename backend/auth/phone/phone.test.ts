import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { forgetLimits, NO_PHONE, startAuth } from '#backend/auth/testing/harness.ts';
import { freshDatabase } from '#test/databases/database.ts';

let auth: Awaited<ReturnType<typeof startAuth>>;
beforeAll(async () => {
  auth = await startAuth(await freshDatabase());
});
afterAll(() => auth.close());
beforeEach(() => forgetLimits(auth.db));

let people = 0;
const newPhone = () => `+1217555${String(people++).padStart(4, '0')}`;
const newEmail = () => `caller${people++}@harbour.example`;

/** Someone who is signed in and has confirmed a number. */
async function withPhone() {
  const [email, phone] = [newEmail(), newPhone()];
  const { client } = await auth.signIn(email);
  const asked = await client.auth.updateUser({ phone });
  if (asked.error) throw asked.error;
  const { error } = await client.auth.verifyOtp({ phone, token: auth.textTo(phone), type: 'phone_change' });
  if (error) throw error;
  await forgetLimits(auth.db);
  return { email, phone, client };
}

describe('a number', () => {
  test('becomes one’s own when the code that went there comes back', async () => {
    const phone = newPhone();
    const { client } = await auth.signIn(newEmail());
    const asked = await client.auth.updateUser({ phone });
    expect(asked.data.user).toMatchObject({ phone: '', new_phone: phone.slice(1) });
    const wrong = await client.auth.verifyOtp({ phone, token: '000000', type: 'phone_change' });
    expect(wrong.error?.code).toBe('otp_expired');
    const { data } = await client.auth.verifyOtp({ phone, token: auth.textTo(phone), type: 'phone_change' });
    expect(data.user).toMatchObject({ phone: phone.slice(1), phone_confirmed_at: expect.any(String) });
    expect(data.user?.new_phone).toBeUndefined();
  });

  test('is refused when it is none, cannot be reached, or is someone else’s; and a while after the sign-in without a proof', async () => {
    const { phone } = await withPhone();
    const { client } = await auth.signIn(newEmail());
    const code = async (given: string) => (await client.auth.updateUser({ phone: given })).error?.code;
    expect(await code('12')).toBe('validation_failed');
    expect(await code(NO_PHONE)).toBe('sms_send_failed');
    expect(await code(phone)).toBe('phone_exists');
    await sql`update auth.sessions set created_at = now() - interval '2 days'`.execute(auth.db);
    expect(await code(newPhone())).toBe('reauthentication_needed');
  });

  test('that another confirms first is refused at the end', async () => {
    const phone = newPhone();
    const [first, second] = [await auth.signIn(newEmail()), await auth.signIn(newEmail())];
    await second.client.auth.updateUser({ phone });
    const earlier = auth.textTo(phone);
    await forgetLimits(auth.db);
    await first.client.auth.updateUser({ phone });
    await first.client.auth.verifyOtp({ phone, token: auth.textTo(phone), type: 'phone_change' });
    const late = await second.client.auth.verifyOtp({ phone, token: earlier, type: 'phone_change' });
    expect(late.error?.code).toBe('phone_exists');
  });

  test('waits for its code, which can be sent again', async () => {
    const phone = newPhone();
    const { client } = await auth.signIn(newEmail());
    await client.auth.updateUser({ phone });
    await forgetLimits(auth.db);
    await sql`update auth.sessions set created_at = now() - interval '2 days'`.execute(auth.db);
    expect((await client.auth.updateUser({ phone })).error).toBeNull();
    const first = auth.textTo(phone);
    await forgetLimits(auth.db);
    expect((await client.auth.resend({ type: 'phone_change', phone })).error).toBeNull();
    expect((await client.auth.resend({ type: 'phone_change', phone: newPhone() })).error).toBeNull();
    if (first !== auth.textTo(phone))
      expect((await client.auth.verifyOtp({ phone, token: first, type: 'phone_change' })).error).not.toBeNull();
    const { error } = await client.auth.verifyOtp({ phone, token: auth.textTo(phone), type: 'phone_change' });
    expect(error).toBeNull();
  });
});

test('a number is taken away with its identity, and by nothing else', async () => {
  const { phone, client } = await withPhone();
  await client.auth.updateUser({ phone: '' });
  const { data } = await client.auth.getUserIdentities();
  const [, identity] = data?.identities ?? [];
  if (!identity) throw new Error('There is no second identity');
  expect(identity).toMatchObject({ provider: 'phone', identity_data: { phone: phone.slice(1), phone_verified: true } });
  const waiting = newPhone();
  await client.auth.updateUser({ phone: waiting });
  expect((await client.auth.unlinkIdentity(identity)).error).toBeNull();
  const { user } = (await client.auth.getUser()).data;
  expect(user).toMatchObject({ phone: '', app_metadata: { provider: 'email', providers: ['email'] } });
  expect([user?.phone_confirmed_at, user?.new_phone]).toEqual([undefined, undefined]);
  await forgetLimits(auth.db);
  expect((await auth.client().auth.signInWithOtp({ phone })).error?.code).toBe('otp_disabled');
  const late = await client.auth.verifyOtp({ phone: waiting, token: auth.textTo(waiting), type: 'phone_change' });
  expect(late.error?.code).toBe('otp_expired');
});

describe('signInWithOtp({ phone })', () => {
  test('signs in who has confirmed the number, with a code that works once', async () => {
    const { email, phone } = await withPhone();
    const client = auth.client();
    const options = { captchaToken: 'ignored', data: { name: 'ignored' } };
    expect((await client.auth.signInWithOtp({ phone, options })).error).toBeNull();
    expect(auth.texts.at(-1)?.text).toMatch(/^\d{6} is your Fairlead code for site\.example\./);
    const proof = { phone, token: auth.textTo(phone), type: 'sms' } as const;
    const { data } = await client.auth.verifyOtp(proof);
    expect(data.user).toMatchObject({ email, phone: phone.slice(1) });
    expect(decodeJwt(data.session?.access_token ?? '')).toMatchObject({ phone: phone.slice(1), aal: 'aal1' });
    expect((await auth.client().auth.verifyOtp(proof)).error?.code).toBe('otp_expired');
  });

  test('lets no one past the gate: no stranger, no one whom it denies, no one disabled', async () => {
    const client = auth.client();
    const stranger = await client.auth.signInWithOtp({ phone: newPhone() });
    expect(stranger.error).toMatchObject({ status: 422, code: 'otp_disabled' });
    const { email, phone } = await withPhone();
    await client.auth.signInWithOtp({ phone });
    const token = auth.textTo(phone);
    auth.gate.denied.set(email, { allow: false, reason: 'MISSING_TAG', message: 'The tag is gone.' });
    expect((await client.auth.verifyOtp({ phone, token, type: 'sms' })).error?.code).toBe('access_denied');
    await forgetLimits(auth.db);
    expect((await client.auth.signInWithOtp({ phone })).error?.code).toBe('access_denied');
    auth.gate.denied.delete(email);
    await sql`update auth.users set banned_until = now() + interval '1 hour' where email = ${email}`.execute(auth.db);
    await forgetLimits(auth.db);
    expect((await client.auth.signInWithOtp({ phone })).error?.code).toBe('user_banned');
  });

  test('is of no use once the number was exchanged', async () => {
    const { phone, client } = await withPhone();
    await auth.client().auth.signInWithOtp({ phone });
    const token = auth.textTo(phone);
    const next = newPhone();
    await client.auth.updateUser({ phone: next });
    await client.auth.verifyOtp({ phone: next, token: auth.textTo(next), type: 'phone_change' });
    expect((await auth.client().auth.verifyOtp({ phone, token, type: 'sms' })).error?.code).toBe('otp_expired');
    await forgetLimits(auth.db);
    expect((await auth.client().auth.signInWithOtp({ phone })).error?.code).toBe('otp_disabled');
  });

  test('costs little: one text a minute for a number, twenty an hour for a network, and five guesses for a code', async () => {
    const { phone } = await withPhone();
    const client = auth.client();
    await client.auth.signInWithOtp({ phone });
    const soon = await client.auth.signInWithOtp({ phone });
    expect(soon.error).toMatchObject({ status: 429, code: 'over_sms_send_rate_limit' });
    const right = auth.textTo(phone);
    const wrong = right === '000000' ? '000001' : '000000';
    for (let tries = 0; tries < 5; tries++) await client.auth.verifyOtp({ phone, token: wrong, type: 'sms' });
    expect((await client.auth.verifyOtp({ phone, token: right, type: 'sms' })).error?.code).toBe('otp_expired');
    await forgetLimits(auth.db);
    for (let asks = 0; asks < 20; asks++) await client.auth.signInWithOtp({ phone: newPhone() });
    expect((await client.auth.signInWithOtp({ phone })).error?.code).toBe('over_sms_send_rate_limit');
  });

  test('says that a text could not be sent, and the log holds no number', async () => {
    const { phone } = await withPhone();
    auth.mailer.broken = true;
    const { error } = await auth.client().auth.signInWithOtp({ phone });
    auth.mailer.broken = false;
    expect(error).toMatchObject({ status: 500, message: expect.stringContaining('could not be sent') });
    expect(auth.logged.join()).not.toContain(phone.slice(1));
  });

  test('by WhatsApp is not offered; without address and number it is the client that refuses', async () => {
    const client = auth.client();
    const whatsapp = await client.auth.signInWithOtp({ phone: newPhone(), options: { channel: 'whatsapp' } });
    expect(whatsapp.error?.code).toBe('validation_failed');
    const nothing = await client.auth.signInWithOtp({} as { phone: string }).catch((error: unknown) => ({ error }));
    expect(nothing.error).toMatchObject({ message: 'You must provide either an email or phone number.' });
  });

  test('resend texts the code again, and tells no one which numbers there are', async () => {
    const { phone } = await withPhone();
    const client = auth.client();
    expect((await client.auth.resend({ type: 'sms', phone })).error).toBeNull();
    expect((await client.auth.resend({ type: 'sms', phone: newPhone() })).error).toBeNull();
    const { error } = await client.auth.verifyOtp({ phone, token: auth.textTo(phone), type: 'sms' });
    expect(error).toBeNull();
  });
});

test('a phone is a second factor by texted codes', async () => {
  const { client } = await auth.signIn(newEmail());
  const phone = newPhone();
  const enrol = () => client.auth.mfa.enroll({ factorType: 'phone', phone, friendlyName: 'Mobile' });
  expect((await client.auth.mfa.enroll({ factorType: 'phone', phone: '12' })).error?.code).toBe('validation_failed');
  await enrol();
  const { data } = await enrol();
  expect(data).toMatchObject({ type: 'phone', friendly_name: 'Mobile', phone: phone.slice(1) });
  const factorId = data?.id ?? '';
  const challenge = await client.auth.mfa.challenge({ factorId, channel: 'sms' });
  const challengeId = challenge.data?.id ?? '';
  const wrong = await client.auth.mfa.verify({ factorId, challengeId, code: '000000' });
  expect(wrong.error?.code).toBe('mfa_verification_failed');
  const right = await client.auth.mfa.verify({ factorId, challengeId, code: auth.textTo(phone) });
  expect(right.error).toBeNull();
  const { session } = (await client.auth.getSession()).data;
  expect(decodeJwt(session?.access_token ?? '')).toMatchObject({ aal: 'aal2', amr: [{ method: 'mfa/phone' }, {}] });
  expect((await enrol()).error?.code).toBe('mfa_verified_factor_exists');
  const soon = await client.auth.mfa.challenge({ factorId, channel: 'sms' });
  expect(soon.error?.code).toBe('over_sms_send_rate_limit');
  expect((await client.auth.mfa.listFactors()).data?.phone).toMatchObject([{ phone: phone.slice(1) }]);
});

/** Someone with a verified phone factor. */
async function withPhoneFactor() {
  const [email, phone] = [newEmail(), newPhone()];
  const { client } = await auth.signIn(email);
  const { data } = await client.auth.mfa.enroll({ factorType: 'phone', phone });
  const factorId = data?.id ?? '';
  const challengeId = (await client.auth.mfa.challenge({ factorId })).data?.id ?? '';
  const { error } = await client.auth.mfa.verify({ factorId, challengeId, code: auth.textTo(phone) });
  if (error) throw error;
  await forgetLimits(auth.db);
  return { email, phone, client, factorId };
}

test('strangers who ask for codes to a number keep no one from their second step', async () => {
  const { phone, client, factorId } = await withPhoneFactor();
  const stranger = auth.client({ ip: '198.51.100.9' });
  for (let asks = 0; asks < 6; asks++) await stranger.auth.signInWithOtp({ phone });
  expect((await client.auth.mfa.challenge({ factorId })).error).toBeNull();
});

test('the number that is the second step does not sign in: one phone would be both', async () => {
  const { phone, client } = await withPhoneFactor();
  await client.auth.updateUser({ phone });
  await forgetLimits(auth.db);
  const { error } = await client.auth.verifyOtp({ phone, token: auth.textTo(phone), type: 'phone_change' });
  expect(error).toBeNull();
  const before = auth.texts.length;
  expect((await auth.client().auth.signInWithOtp({ phone })).error?.code).toBe('otp_disabled');
  expect(auth.texts).toHaveLength(before);
});

test('an account has ten texts an hour, to however many numbers, from wherever', async () => {
  const { session } = await auth.signIn(newEmail());
  const codes = [];
  for (let asks = 0; asks < 11; asks++) {
    const client = auth.client({ ip: `198.51.100.${100 + asks}` });
    await client.auth.setSession(session);
    codes.push((await client.auth.updateUser({ phone: newPhone() })).error?.code);
  }
  expect(codes).toEqual([...Array(10).fill(undefined), 'over_sms_send_rate_limit']);
});

test('a number that changed hands is told of', async () => {
  const { client } = await withPhone();
  const userId = (await client.auth.getUser()).data.user?.id;
  expect(auth.events.filter(({ type }) => type === 'phone_changed').at(-1)).toMatchObject({ userId });
});
