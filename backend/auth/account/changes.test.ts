import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { forgetLimits, SITE, startAuth } from '#backend/auth/testing/harness.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { ONE_CONFIRMED } from './confirm-email-change.ts';

let auth: Awaited<ReturnType<typeof startAuth>>;
beforeAll(async () => {
  auth = await startAuth(await freshDatabase());
});
afterEach(() => forgetLimits(auth.db));
afterAll(() => auth.close());

const open = async (link: string) => new URL((await fetch(link, { redirect: 'manual' })).headers.get('Location') ?? '');
const mailsTo = (email: string) => auth.mails.filter((mail) => mail.to === email).length;
const makeOld = (sessionOf: string) =>
  sql`update auth.sessions set created_at = now() - interval '16 minutes', proven_at = null where user_id = ${sessionOf}`.execute(
    auth.db,
  );

describe('metadata', () => {
  test('is merged, null takes a field away, and no one gives themselves a role', async () => {
    const { client, session } = await auth.signIn('meta@quay.example');
    await client.auth.updateUser({ data: { name: 'Ada', theme: 'dark', role: 'admin', email_verified: false } });
    const { data, error } = await client.auth.updateUser({ data: { theme: null, town: 'Douglas' } });
    expect(error).toBeNull();
    expect(data.user?.user_metadata).toEqual({ name: 'Ada', town: 'Douglas', role: 'user', email_verified: true });
    expect((await client.auth.getUser()).data.user).toMatchObject({
      id: session.user.id,
      user_metadata: { name: 'Ada' },
    });
  });

  test('stays small, however often it is added to', async () => {
    const { client } = await auth.signIn('big@quay.example');
    expect((await client.auth.updateUser({ data: { a: 'x'.repeat(1500) } })).error).toBeNull();
    const { error } = await client.auth.updateUser({ data: { b: 'x'.repeat(1500) } });
    expect(error).toMatchObject({ status: 400, code: 'validation_failed' });
  });

  test.each([
    [{ password: 'correct horse' }, 422, 'validation_failed'],
    [{ phone: '12' }, 400, 'validation_failed'],
    [{ email: 'nobody' }, 400, 'validation_failed'],
  ])('%j is refused', async (attributes, status, code) => {
    const { client } = await auth.signIn('refused@quay.example');
    expect((await client.auth.updateUser(attributes)).error).toMatchObject({ status, code });
  });

  const put = (body: object, token?: string) =>
    fetch(`${auth.api}/user`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify(body),
    });

  test('what only administrators of a backend may set is refused, and so is anyone who is not signed in', async () => {
    const { session } = await auth.signIn('app@quay.example');
    const refused = await put({ app_metadata: { role: 'admin' } }, session.access_token);
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ error_code: 'not_admin' });
    expect((await put({ data: {} })).status).toBe(401);
  });

  test('names that mean something to JavaScript are data like any other', async () => {
    const { session } = await auth.signIn('proto@quay.example');
    const body = JSON.parse(
      '{"data":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"fine":true}}',
    );
    const answer = (await (await put(body, session.access_token)).json()) as { user_metadata: { fine: boolean } };
    expect(answer.user_metadata.fine).toBe(true);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

describe('another address', () => {
  const begin = async (name: string, flowType: 'pkce' | 'implicit' = 'implicit') => {
    const [from, to] = [`${name}@quay.example`, `${name}@pier.example`];
    const { client, session } = await auth.signIn(from, auth.client({ flowType }));
    const { data, error } = await client.auth.updateUser({ email: to }, { emailRedirectTo: `${SITE}/account` });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ email: from, new_email: to });
    return { client, from, to, userId: session.user.id };
  };

  test('is confirmed by both mailboxes, in any order, and then signs in', async () => {
    const { client, from, to, userId } = await begin('both');
    const first = await open(auth.mailTo(to).link);
    expect(new URLSearchParams(first.hash.slice(1)).get('message')).toBe(ONE_CONFIRMED);
    expect((await client.auth.getUser()).data.user).toMatchObject({ email: from, new_email: to });
    const again = await open(auth.mailTo(to).link);
    expect(again.searchParams.get('error_code')).toBe('otp_expired');

    const second = await open(auth.mailTo(from).link);
    const fragment = new URLSearchParams(second.hash.slice(1));
    expect(fragment.get('type')).toBe('email_change');
    const now = await auth.client().auth.getUser(fragment.get('access_token') ?? '');
    expect(now.data.user).toMatchObject({ id: userId, email: to, identities: [{ identity_data: { email: to } }] });
    expect(now.data.user?.new_email).toBeUndefined();
    const profile = await auth.db.selectFrom('app.profiles').select('email').where('user_id', '=', userId).execute();
    expect(profile).toEqual([{ email: to }]);
    expect((await client.auth.refreshSession()).data.user?.email).toBe(to);
  });

  test('is confirmed by codes too: the first is answered with a message and no session', async () => {
    const { client, from, to } = await begin('codes');
    const type = 'email_change';
    const one = await client.auth.verifyOtp({ email: from, token: auth.mailTo(from).code, type });
    expect(one).toMatchObject({ error: null, data: { session: null, user: null } });
    const both = await client.auth.verifyOtp({ email: to, token: auth.mailTo(to).code, type });
    expect(both.data.session?.user.email).toBe(to);
  });

  test('in a PKCE flow the second click brings a code for the browser that asked', async () => {
    const { client, from, to } = await begin('flow', 'pkce');
    expect((await open(auth.mailTo(from).link)).searchParams.get('message')).toBe(ONE_CONFIRMED);
    const back = await open(auth.mailTo(to).link);
    expect(back.pathname).toBe('/account');
    const { data } = await client.auth.exchangeCodeForSession(back.searchParams.get('code') ?? '');
    expect(data.session?.user.email).toBe(to);
  });

  test('the same mailbox twice is not both', async () => {
    const { client, from, to } = await begin('twice');
    const begunAt = (await client.auth.getUser()).data.user?.email_change_sent_at ?? '';
    await open(auth.mailTo(to).link);
    await forgetLimits(auth.db);
    await client.auth.resend({ type: 'email_change', email: from });
    expect(mailsTo(to)).toBe(1);
    expect(mailsTo(from)).toBe(3);
    const sentAt = (await client.auth.getUser()).data.user?.email_change_sent_at ?? '';
    expect(Date.parse(sentAt)).toBeGreaterThan(Date.parse(begunAt));
    await open(auth.mailTo(from).link);
    expect((await client.auth.getUser()).data.user?.email).toBe(to);
  });

  test('links that the old mailbox still holds open nothing afterwards', async () => {
    const { from, to } = await begin('left');
    const links = [auth.mailTo(to).link, auth.mailTo(from).link];
    await forgetLimits(auth.db);
    await auth.client({ flowType: 'implicit' }).auth.signInWithOtp({ email: from });
    const signIn = auth.mailTo(from).link;
    for (const link of links) await open(link);
    expect((await open(signIn)).searchParams.get('error_code')).toBe('otp_expired');
  });

  test('of someone else is refused, at the asking and at the confirming', async () => {
    await auth.signIn('taken@pier.example');
    const { client } = await auth.signIn('wants@quay.example');
    const refused = await client.auth.updateUser({ email: 'Taken@pier.example' });
    expect(refused.error).toMatchObject({ status: 422, code: 'email_exists' });

    const late = await begin('late');
    await open(auth.mailTo(late.from).link);
    const { link } = auth.mailTo(late.to);
    await forgetLimits(auth.db);
    await auth.signIn(late.to);
    expect((await open(link)).searchParams.get('error_code')).toBe('email_exists');
  });

  test('that the gate refuses is not taken', async () => {
    const { client, from, to } = await begin('denied');
    auth.gate.denied.set(to, { allow: false, reason: 'MISSING_TAG', message: 'Not that one.' });
    await open(auth.mailTo(from).link);
    expect((await open(auth.mailTo(to).link)).searchParams.get('error_code')).toBe('access_denied');
    expect((await client.auth.getUser()).data.user?.email).toBe(from);
  });

  test('that the gate refuses is not even begun', async () => {
    const { client } = await auth.signIn('early@quay.example');
    auth.gate.denied.set('early@pier.example', { allow: false, reason: 'MISSING_TAG', message: 'Not that one.' });
    const { error } = await client.auth.updateUser({ email: 'early@pier.example' });
    expect(error).toMatchObject({ status: 403, code: 'access_denied', message: 'Not that one.' });
    expect(mailsTo('early@pier.example')).toBe(0);
  });

  test('is given up by asking for the one that one has', async () => {
    const { client, from, to } = await begin('kept');
    await open(auth.mailTo(to).link);
    const { data, error } = await client.auth.updateUser({ email: from });
    expect(error).toBeNull();
    expect(data.user?.new_email).toBeUndefined();
    expect((await open(auth.mailTo(from).link)).searchParams.get('error_code')).toBe('otp_expired');
    expect((await client.auth.getUser()).data.user?.email).toBe(from);
  });

  test('a while after the sign-in needs a nonce of the mailbox', async () => {
    const { client, session } = await auth.signIn('old@quay.example');
    await makeOld(session.user.id);
    const change = (nonce?: string) =>
      client.auth.updateUser({ email: 'old@pier.example', ...(nonce ? { nonce } : {}) });
    expect((await change()).error).toMatchObject({ status: 400, code: 'reauthentication_needed' });
    expect((await client.auth.reauthenticate()).error).toBeNull();
    const nonce = auth.mails.at(-1)?.text.match(/: (\d{6})$/m)?.[1] ?? '';
    const wrong = nonce === '000000' ? '000001' : '000000';
    expect((await change(wrong)).error).toMatchObject({ status: 422, code: 'reauthentication_not_valid' });
    expect((await change(nonce)).error).toBeNull();
    await forgetLimits(auth.db);
    await makeOld(session.user.id);
    expect((await change(nonce)).error).toMatchObject({ status: 422, code: 'reauthentication_not_valid' });
    const signIn = await auth.client().auth.verifyOtp({ email: 'old@quay.example', token: nonce, type: 'email' });
    expect(signIn.error).toMatchObject({ code: 'otp_expired' });
  });
});

describe('recovery', () => {
  test('ends in a session, and tells the app what it was', async () => {
    await auth.signIn('lost@quay.example');
    const client = auth.client();
    const events: string[] = [];
    client.auth.onAuthStateChange((event) => void events.push(event));
    expect((await client.auth.resetPasswordForEmail('lost@quay.example')).error).toBeNull();
    const { link, mail } = auth.mailTo('lost@quay.example');
    expect(mail.subject).toBe('Get back into Fairlead');
    const code = (await open(link)).searchParams.get('code') ?? '';
    const { data } = await client.auth.exchangeCodeForSession(code);
    expect(data.session?.user.email).toBe('lost@quay.example');
    expect(events).toContain('PASSWORD_RECOVERY');
  });

  test('its code is one of a recovery, and of nothing else', async () => {
    await auth.signIn('code@quay.example');
    const client = auth.client();
    await client.auth.resetPasswordForEmail('code@quay.example');
    const proof = { email: 'code@quay.example', token: auth.mailTo('code@quay.example').code };
    expect((await client.auth.verifyOtp({ ...proof, type: 'email' })).error).toMatchObject({ code: 'otp_expired' });
    expect((await client.auth.verifyOtp({ ...proof, type: 'recovery' })).data.session).not.toBeNull();
  });

  test('answers alike for strangers, the denied and the banned, and mails none of them', async () => {
    await auth.signIn('banned@quay.example');
    await sql`update auth.users set banned_until = now() + interval '1 hour' where email = 'banned@quay.example'`.execute(
      auth.db,
    );
    auth.gate.denied.set('denied@quay.example', { allow: false, reason: 'NO_CONTACT', message: 'no' });
    for (const email of ['stranger@quay.example', 'denied@quay.example', 'banned@quay.example']) {
      const before = mailsTo(email);
      expect((await auth.client().auth.resetPasswordForEmail(email)).error).toBeNull();
      expect(mailsTo(email)).toBe(before);
    }
    for (const email of ['stranger@quay.example', 'banned@quay.example'])
      expect((await auth.client().auth.resetPasswordForEmail(email)).error).toBeNull();
  });
});

test('a ban closes every way, at once', async () => {
  const { client } = await auth.signIn('ban@quay.example');
  await client.auth.signInWithOtp({ email: 'ban@quay.example' });
  const { code } = auth.mailTo('ban@quay.example');
  await sql`update auth.users set banned_until = now() + interval '1 hour' where email = 'ban@quay.example'`.execute(
    auth.db,
  );
  await forgetLimits(auth.db);
  const banned = { status: 403, code: 'user_banned' };
  expect((await client.auth.getUser()).error).toMatchObject(banned);
  expect((await client.auth.updateUser({ data: { a: 1 } })).error).toMatchObject(banned);
  expect((await client.auth.verifyOtp({ email: 'ban@quay.example', token: code, type: 'email' })).error).toMatchObject(
    banned,
  );
  expect((await auth.client().auth.signInWithOtp({ email: 'ban@quay.example' })).error).toMatchObject(banned);
  expect((await client.auth.refreshSession()).error).toMatchObject(banned);
  await sql`update auth.users set banned_until = now() - interval '1 second' where email = 'ban@quay.example'`.execute(
    auth.db,
  );
  await forgetLimits(auth.db);
  await auth.signIn('ban@quay.example');
});
