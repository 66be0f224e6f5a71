import { decodeJwt } from 'jose';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { forgetLimits, startAuth } from '#backend/auth/testing/harness.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { json, startHookServer } from './hook-server.ts';
import { createHttpHooks } from './http-hooks.ts';

let server: Awaited<ReturnType<typeof startHookServer>>;
let auth: Awaited<ReturnType<typeof startAuth>>;
let mailless: Awaited<ReturnType<typeof startAuth>>;
let allow: typeof server.answer;
beforeAll(async () => {
  server = await startHookServer();
  allow = server.answer;
  const hookAt = (path: string) => ({
    uri: `${server.url}/${path}`,
    secrets: [`v1,whsec_${Buffer.alloc(32, 1).toString('base64')}`] as const,
  });
  const databaseUrl = await freshDatabase();
  auth = await startAuth(databaseUrl, {
    hooks: (site) =>
      createHttpHooks(site, { beforeUserCreated: hookAt('creation'), customAccessToken: hookAt('token') }),
  });
  mailless = await startAuth(databaseUrl, {
    hooks: (site) => createHttpHooks(site, { sendEmail: hookAt('mail'), sendSms: hookAt('sms') }),
  });
});
afterAll(() => Promise.all([auth?.close(), mailless?.close(), server?.close()]));
beforeEach(async () => {
  server.answer = allow;
  server.delivered = [];
  await forgetLimits(auth.db);
});

const refuse: typeof server.answer = (_, response) =>
  json(response, 200, { error: { http_code: 403, message: 'Not without an invitation.' } });
const REFUSED = { status: 403, code: 'unknown', message: 'Not without an invitation.' };
/** As clients of the older version are answered. */
async function post(path: string, body: object): Promise<unknown> {
  const headers = { 'Content-Type': 'application/json' };
  return (await fetch(`${auth.api}/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json();
}
const userAt = (email: string) =>
  auth.db.selectFrom('auth.users').select('id').where('email', '=', email).executeTakeFirst();

test('who is new is asked about before there is an account: by link, invitation and generated link, not by createUser', async () => {
  server.answer = refuse;
  const email = 'ann@people.example';
  const wish = { email, options: { data: { name: 'Ann' } } };
  expect((await auth.client().auth.signInWithOtp(wish)).error).toMatchObject(REFUSED);
  expect((await auth.admin.inviteUserByEmail(email)).error).toMatchObject(REFUSED);
  expect((await auth.admin.generateLink({ type: 'magiclink', email })).error).toMatchObject(REFUSED);
  expect(await userAt(email)).toBeUndefined();
  expect(auth.mails).toEqual([]);
  expect(await post('otp', { email: 'old@people.example' })).toEqual({ code: 403, msg: REFUSED.message });

  expect((await auth.admin.createUser({ email: 'bea@people.example' })).error).toBeNull();
  server.answer = allow;
  server.delivered = [];
  await forgetLimits(auth.db);
  expect((await auth.client().auth.signInWithOtp(wish)).error).toBeNull();
  expect(server.eventsAt('/creation')).toEqual([
    {
      metadata: expect.objectContaining({ name: 'before-user-created', ip_address: '192.0.2.1' }),
      user: expect.objectContaining({
        id: (await userAt(email))?.id,
        email,
        role: '',
        is_anonymous: false,
        identities: [],
        app_metadata: { provider: 'email', providers: ['email'] },
        user_metadata: { name: 'Ann' },
      }),
    },
  ]);
  // No one who is known is asked about again.
  await forgetLimits(auth.db);
  await auth.client().auth.signInWithOtp(wish);
  expect(server.eventsAt('/creation')).toHaveLength(1);
});

test('each token is asked for: claims may be changed, and a refusal spends neither link nor token', async () => {
  const email = 'cas@people.example';
  const client = auth.client();
  await client.auth.signInWithOtp({ email });
  const proof = { email, token: auth.mailTo(email).code, type: 'email' } as const;
  server.answer = refuse;
  expect((await client.auth.verifyOtp(proof)).error).toMatchObject(REFUSED);
  server.answer = ({ body }, response) => {
    const { claims } = JSON.parse(body);
    json(response, 200, { claims: { ...claims, team: 'north' } });
  };
  const { data } = await client.auth.verifyOtp(proof);
  expect(decodeJwt(data.session?.access_token ?? '')).toMatchObject({ team: 'north', email, aal: 'aal1' });
  expect((await client.auth.getUser()).data.user?.email).toBe(email);

  const refresh_token = data.session?.refresh_token ?? '';
  // Without the client, which tries again for half a minute.
  const refresh = () => post('token?grant_type=refresh_token', { refresh_token });
  server.answer = (_, response) => json(response, 500, {});
  expect(await refresh()).toMatchObject({ code: 500, error_code: 'unexpected_failure' });
  server.answer = (_, response) => json(response, 200, { claims: { role: 'authenticated' } });
  const why = /^output claims do not conform to the expected schema: \n- .*exp/;
  expect(await refresh()).toMatchObject({ code: 500, msg: expect.stringMatching(why) });
  server.answer = (_, response) => json(response, 200, {});
  expect(await refresh()).toMatchObject({ code: 500, msg: 'output claims field is missing' });
  const unspent = await auth.db
    .selectFrom('auth.refresh_tokens')
    .select('used_at')
    .where('session_id', '=', String(decodeJwt(data.session?.access_token ?? '').session_id))
    .execute();
  expect(unspent).toEqual([{ used_at: null }]);
  server.answer = allow;
  expect(await refresh()).toMatchObject({ user: { email } });

  const events = server.eventsAt('/token');
  expect(events.at(-1)).toMatchObject({
    metadata: { name: 'customize-access-token' },
    user_id: data.user?.id,
    claims: { sub: data.user?.id, email, session_id: expect.any(String), amr: [{ method: 'otp' }] },
  });
  expect(new Set(events.map(({ authentication_method: method }) => method))).toEqual(new Set(['otp', 'token_refresh']));
});

test('mails and text messages go out by hook, and what they hold signs in', async () => {
  const email = 'dan@people.example';
  const client = mailless.client();
  await client.auth.signInWithOtp({ email, options: { emailRedirectTo: 'http://site.example/login' } });
  const [{ user, email_data: mail }] = server.eventsAt('/mail');
  expect(user.email).toBe(email);
  expect(mail).toMatchObject({
    email_action_type: 'magiclink',
    redirect_to: 'http://site.example/login',
    site_url: mailless.issuer,
    token: expect.stringMatching(/^\d{6}$/),
  });
  expect((await client.auth.verifyOtp({ token_hash: mail.token_hash, type: 'email' })).error).toBeNull();

  await client.auth.updateUser({ email: 'daniel@people.example' });
  const { email_data: change } = server.eventsAt('/mail').at(-1);
  expect(change.email_action_type).toBe('email_change');
  // Each hash goes with the code of the other name, as in GoTrue.
  const left = { email, token: change.token, type: 'email_change' } as const;
  expect((await client.auth.verifyOtp(left)).error).toBeNull();
  const came = await client.auth.verifyOtp({ token_hash: change.token_hash, type: 'email_change' });
  expect(came.data.user?.email).toBe('daniel@people.example');

  const phone = '15125550142';
  await client.auth.updateUser({ phone });
  const [{ sms }] = server.eventsAt('/sms');
  expect(sms).toEqual({ phone, otp: expect.stringMatching(/^\d{6}$/) });
  expect((await client.auth.verifyOtp({ phone, token: sms.otp, type: 'phone_change' })).error).toBeNull();
  await expect
    .poll(() => server.eventsAt('/mail').at(-1))
    .toMatchObject({
      user: { email: 'daniel@people.example', phone },
      email_data: { email_action_type: 'phone_changed_notification', old_phone: '', token: '', token_hash: '' },
    });
  expect([mailless.mails, mailless.texts]).toEqual([[], []]);

  await forgetLimits(mailless.db);
  server.answer = refuse;
  expect((await mailless.client().auth.signInWithOtp({ email: 'daniel@people.example' })).error).toMatchObject(REFUSED);
  expect(mailless.logged.join()).not.toContain('daniel');
});

test('owners are told of changes by hook as well, in the words of GoTrue', async () => {
  const email = 'eve@people.example';
  const client = mailless.client();
  await client.auth.signInWithOtp({ email });
  const token = server.eventsAt('/mail').at(-1).email_data.token;
  await client.auth.verifyOtp({ email, token, type: 'email' });
  const phone = '15125550143';
  await client.auth.updateUser({ phone });
  await client.auth.verifyOtp({ phone, token: server.eventsAt('/sms').at(-1).sms.otp, type: 'phone_change' });
  const { data } = await client.auth.mfa.enroll({ factorType: 'totp' });
  if (data?.type !== 'totp') throw new Error('not enrolled');
  const code = new TOTP({ secret: data.totp.secret }).generate();
  expect((await client.auth.mfa.challengeAndVerify({ factorId: data.id, code })).error).toBeNull();
  const identity = (await client.auth.getUserIdentities()).data?.identities.find(
    ({ provider }) => provider === 'phone',
  );
  if (!identity) throw new Error('There is no number');
  expect((await client.auth.unlinkIdentity(identity)).error).toBeNull();
  expect((await client.auth.mfa.unenroll({ factorId: data.id })).error).toBeNull();

  // No one waits for them, so they may overtake each other.
  const told = () =>
    server
      .eventsAt('/mail')
      .slice(1)
      .map(({ user, email_data: mail }) => [
        user.email,
        mail.email_action_type,
        mail.provider,
        mail.factor_type,
        mail.token,
      ])
      .sort();
  await expect.poll(told).toEqual([
    [email, 'identity_unlinked_notification', 'phone', '', ''],
    [email, 'mfa_factor_enrolled_notification', '', 'totp', ''],
    [email, 'mfa_factor_unenrolled_notification', '', 'totp', ''],
    [email, 'phone_changed_notification', '', '', ''],
  ]);
  expect(mailless.mails).toEqual([]);
});
