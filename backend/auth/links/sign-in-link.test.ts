import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forgetLimits, SITE, startAuth } from '#backend/auth/testing/harness.ts';
import { freshDatabase } from '#test/databases/database.ts';

let auth: Awaited<ReturnType<typeof startAuth>>;
beforeAll(async () => {
  auth = await startAuth(await freshDatabase());
});
afterAll(() => auth.close());

const open = (link: string) => fetch(link, { redirect: 'manual' });
const locationOf = (response: Response) => new URL(response.headers.get('Location') ?? '');

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
    await forgetLimits(auth.db);
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
    const { link } = auth.mailTo(email);
    const mail = await auth.db
      .selectFrom('auth.one_time_tokens')
      .select(sql<number>`extract(epoch from expires_at - created_at)::integer`.as('seconds'))
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    expect(mail.seconds).toBe(3600);
    await sql`update auth.one_time_tokens set expires_at = now() where email = ${email}`.execute(auth.db);
    expect(locationOf(await open(link)).searchParams.get('error_code')).toBe('otp_expired');
  });

  test('outlives its code, which works for ten minutes', async () => {
    await forgetLimits(auth.db);
    const email = 'slow@harbour.example';
    await auth.client().auth.signInWithOtp({ email });
    const { mail, link, code } = auth.mailTo(email);
    expect(mail.text).toContain(
      'You can use the link once, within one hour. You can use the code once, within 10 minutes.',
    );
    const mails = auth.db.updateTable('auth.one_time_tokens').where('email', '=', email);
    const pass = (seconds: number) =>
      mails
        .set({ code_expires_at: sql<Date>`code_expires_at - ${seconds} * interval '1 second'` })
        .returning(sql<number>`extract(epoch from code_expires_at - created_at)::integer`.as('left'))
        .executeTakeFirstOrThrow();
    expect(await pass(0)).toEqual({ left: 600 });
    await pass(601);
    const { error } = await auth.client().auth.verifyOtp({ email, token: code, type: 'email' });
    expect(error).toMatchObject({ status: 403, code: 'otp_expired' });
    expect(locationOf(await open(link)).searchParams.has('code')).toBe(true);
  });

  test('is sent again as it was, and works once', async () => {
    const email = 'twice@harbour.example';
    const client = auth.client();
    await client.auth.signInWithOtp({ email });
    const first = auth.mailTo(email);
    await forgetLimits(auth.db);
    await client.auth.resend({ email, type: 'signup' });
    const again = auth.mailTo(email);
    expect(auth.mails.filter(({ to }) => to === email)).toHaveLength(2);
    expect([again.token, again.code]).toEqual([first.token, first.code]);
    expect(locationOf(await open(first.link)).searchParams.has('code')).toBe(true);
    expect(locationOf(await open(again.link)).searchParams.get('error_code')).toBe('otp_expired');
  });

  test('ends when it would have ended, however often it is sent again', async () => {
    const email = 'again@harbour.example';
    const client = auth.client();
    const pass = async (minutes: number) => {
      await sql`
        update auth.one_time_tokens set created_at = created_at - make_interval(mins => ${minutes}),
          expires_at = expires_at - make_interval(mins => ${minutes}),
          code_expires_at = code_expires_at - make_interval(mins => ${minutes})
        where email = ${email}`.execute(auth.db);
      await forgetLimits(auth.db);
    };
    const ask = async () => {
      await client.auth.signInWithOtp({ email });
      return auth.mailTo(email);
    };
    const first = await ask();
    await pass(3);
    const soon = await ask();
    expect([soon.token, soon.code]).toEqual([first.token, first.code]);
    expect(soon.mail.text).toMatch(
      /the link once, within 5[67] minutes\. You can use the code once, within [67] minutes\./,
    );
    await pass(5);
    const later = await ask();
    expect(later.token).toBe(first.token);
    expect(later.code).not.toBe(first.code);
    await pass(45);
    const last = await ask();
    expect(last.token).not.toBe(first.token);
    expect(last.mail.text).toContain('within one hour. You can use the code once, within 10 minutes.');
    expect(locationOf(await open(first.link)).searchParams.get('error_code')).toBe('otp_expired');
    expect(locationOf(await open(last.link)).searchParams.has('code')).toBe(true);
  });

  test('of someone who may no longer in leads back with the denial', async () => {
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

async function postToken(grant: string, body: object) {
  const response = await fetch(`${auth.api}/token?grant_type=${grant}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Supabase-Api-Version': '2024-01-01' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}
