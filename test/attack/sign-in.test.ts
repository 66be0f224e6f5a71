import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { mailTo, signIn } from './harness/people.ts';
import { ADMIN, type Answer, SITE_URL, type Site, startSite } from './harness/site.ts';

const KIM = 'kim@people.example';
const EVE = 'eve@evil.example';

let site: Site;
beforeAll(async () => {
  site = await startSite();
  await signIn(site, ADMIN);
  for (const email of [KIM, EVE]) await site.invite(email);
  for (const email of [KIM, EVE]) await signIn(site, email);
});
// Who is refused for being too fast has not been refused for what they did.
const forgetLimits = () => sql`delete from app.rate_limits`.execute(site.db);
beforeEach(forgetLimits);

const originOf = ({ headers }: Answer) => new URL(headers.get('location') ?? '', SITE_URL).origin;
const s256 = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');
const newVerifier = () => randomBytes(32).toString('base64url');

async function askForLink(email: string, challenge: object = {}, query = ''): Promise<URL> {
  await forgetLimits();
  const asked = await site.call('POST', `/auth/v1/otp${query}`, { body: { email, ...challenge } });
  if (asked.status !== 200) throw new Error(asked.text);
  return mailTo(site.mails, email).link;
}

const open = (link: URL) => site.call('GET', `${link.pathname}${link.search}`);

/** The code that a browser with this verifier has come back with. */
async function codeFor(email: string, verifier: string): Promise<string> {
  const challenge = { code_challenge: s256(verifier), code_challenge_method: 's256' };
  const answer = await open(await askForLink(email, challenge));
  return new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '';
}

const exchange = (body: object) => site.call('POST', '/auth/v1/token?grant_type=pkce', { body });

const expectNoSession = ({ status, text, sent }: Answer) => {
  expect(status, `${sent}: ${text}`).toBeGreaterThanOrEqual(400);
  expect(status, `${sent}: ${text}`).toBeLessThan(500);
  expect(text).not.toContain('access_token');
};

describe('a link leads nowhere but to the site', () => {
  test.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '\\\\evil.example',
    'https:evil.example',
    'https:/\\evil.example',
    ' https://evil.example',
    '\thttps://evil.example',
    'https://site.example.evil.example/',
    'https://site.example@evil.example/',
    'https://evil.example\\@site.example/',
    'https://evil.example#@site.example/',
    'https://evil.example?https://site.example',
    'https://site.example:444/',
    'http://site.example/',
    'https://user:word@site.example/',
    'javascript:alert(document.domain)//https://site.example',
    'data:text/html,<script>alert(1)</script>',
    'blob:https://site.example/1',
    'https://site.example\u3002evil.example/',
    'https://site.example/\r\nSet-Cookie: session=mine',
  ])('%j', async (wanted) => {
    const query = `?redirect_to=${encodeURIComponent(wanted)}`;
    const link = await askForLink(KIM, {}, query);
    expect(link.origin).toBe(SITE_URL);
    expect(new URL(link.searchParams.get('redirect_to') ?? '').origin).toBe(SITE_URL);
    // The address of the link can be altered, too.
    link.searchParams.set('redirect_to', wanted);
    const denied = await site.call('GET', `/auth/v1/verify${query}&token=wrong&type=magiclink`);
    for (const answer of [denied, await open(link)]) {
      expect(answer.status).toBe(303);
      expect(originOf(answer)).toBe(SITE_URL);
      expect(answer.headers.has('set-cookie')).toBe(false);
    }
  });

  test('also when it is said twice', async () => {
    for (const query of [
      `redirect_to=${SITE_URL}&redirect_to=https://evil.example`,
      `redirect_to=https://evil.example&redirect_to=${SITE_URL}`,
      `redirectTo=https://evil.example&next=https://evil.example`,
    ])
      expect(originOf(await site.call('GET', `/auth/v1/verify?${query}&token=wrong&type=magiclink`))).toBe(SITE_URL);
  });
});

describe('a code of a link', () => {
  test('is worth nothing without the verifier of the browser that asked', async () => {
    const verifier = newVerifier();
    const challenge = s256(verifier);
    for (const body of [
      { code_verifier: challenge },
      { code_verifier: challenge, code_challenge_method: 'plain' },
      { code_verifier: `${verifier}=`, code_challenge: s256(`${verifier}=`) },
      { code_verifier: '' },
      { code_verifier: null },
      { code_verifier: [verifier] },
      { code_verifier: s256(challenge) },
      {},
    ])
      expectNoSession(await exchange({ auth_code: await codeFor(KIM, verifier), ...body }));
    for (const grant of ['', 'authorization_code', 'refresh_token', 'magiclink'])
      expectNoSession(
        await site.call('POST', `/auth/v1/token?grant_type=${grant}`, {
          body: { auth_code: await codeFor(KIM, verifier), code: 'x', refresh_token: 'x' },
        }),
      );
  });

  test('is burnt by the first wrong verifier', async () => {
    const verifier = newVerifier();
    const auth_code = await codeFor(KIM, verifier);
    expectNoSession(await exchange({ auth_code, code_verifier: newVerifier() }));
    expectNoSession(await exchange({ auth_code, code_verifier: verifier }));
  });

  test('of someone else does not sign in the browser that it is pushed into', async () => {
    const [kims, eves] = [newVerifier(), newVerifier()];
    await codeFor(KIM, kims);
    expectNoSession(await exchange({ auth_code: await codeFor(EVE, eves), code_verifier: kims }));
  });

  test('works once, and so does its link', async () => {
    const verifier = newVerifier();
    const challenge = { code_challenge: s256(verifier), code_challenge_method: 's256' };
    const link = await askForLink(KIM, challenge);
    const auth_code = new URL((await open(link)).headers.get('location') ?? '').searchParams.get('code');
    expect((await open(link)).headers.get('location')).toContain('otp_expired');
    const body = { auth_code, code_verifier: verifier };
    const answers = await Promise.all([exchange(body), exchange(body), exchange(body)]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expectNoSession(await exchange(body));
    expect((await open(link)).headers.get('location')).toContain('otp_expired');
  });

  test('cannot be had without its challenge by altering the link', async () => {
    const verifier = newVerifier();
    const link = await askForLink(KIM, { code_challenge: s256(verifier), code_challenge_method: 's256' });
    for (const [name, value] of Object.entries({ flow: 'implicit', code_challenge: '', response_type: 'token' }))
      link.searchParams.set(name, value);
    const to = (await open(link)).headers.get('location') ?? '';
    expect(to).not.toContain('access_token');
    expect(new URL(to).searchParams.has('code')).toBe(true);
  });

  test.each([{ code_challenge_method: 's256' }, { code_challenge: 'short', code_challenge_method: 's256' }])(
    'is not mailed for half a challenge: %j',
    async (challenge) => {
      const answer = await site.call('POST', '/auth/v1/otp', { body: { email: KIM, ...challenge } });
      expect(answer.status, answer.text).toBe(400);
    },
  );
});

/** Addresses that someone could take for Kim's, or for Kim's and one more. */
const TWINS = {
  'the Kelvin sign': '\u212Aim@people.example',
  'full width': '\uFF4Bim@people.example',
  'the dotless i': 'k\u0131m@people.example',
  'the dotted I': 'K\u0130M@people.example',
  'a combining dot': 'ki\u0307m@people.example',
  'a Cyrillic letter': 'k\u0456m@people.example',
  'nothing to see': 'k\u200Bim@people.example',
  'a soft hyphen': 'kim@peo\u00ADple.example',
  'another direction': '\u202Ekim@people.example',
  'another full stop': 'kim@people\u3002example',
  'a full-width domain': 'kim@\uFF50eople.example',
  'a dot at the end': 'kim@people.example.',
  'a NUL': 'kim@people.example\0',
  'a NUL and more': 'kim@people.example\0@evil.example',
  quotes: '"kim"@people.example',
  'a comment': 'kim(eve)@people.example',
  'a name': 'Kim <kim@people.example>',
  'a list': 'kim@people.example,eve@evil.example',
  'a list by semicolon': 'kim@people.example;eve@evil.example',
  'two at signs': 'kim@people.example@evil.example',
  'a source route': '@evil.example:kim@people.example',
  'a header': 'kim@people.example\r\nBcc: eve@evil.example',
  'a bare line feed': 'kim@people.example\nBcc: eve@evil.example',
  'an encoded header': 'kim@people.example%0d%0aBcc:eve@evil.example',
  'an encoded word': '=?utf-8?q?kim=40people.example?=',
  'a line separator': 'kim@people.example\u2028Bcc: eve@evil.example',
};

test.each(Object.entries(TWINS))(
  "a twin of someone's address gets no mail, no session and no invitation: %s",
  async (_what, twin) => {
    const kim = mailTo(site.mails, KIM);
    const token = (await signIn(site, ADMIN)).accessToken;
    await forgetLimits();
    const mailed = site.mails.length;
    for (const [path, body] of [
      ['/auth/v1/otp', { email: twin }],
      ['/auth/v1/resend', { email: twin, type: 'signup' }],
      ['/auth/v1/verify', { email: twin, token: kim.code, type: 'email' }],
      ['/api/admin/users/invite', { email: twin, role: 'admin' }],
    ] as const)
      expectNoSession(await site.call('POST', path, { token, body }));
    // Says the same of everyone.
    await site.call('POST', '/auth/v1/recover', { body: { email: twin } });
    const asked = await site.call('POST', '/api/auth/precheck', { body: { email: twin } });
    expect(asked.text).not.toContain('"allow":true');
    expect(site.mails.slice(mailed)).toEqual([]);
  },
);

test.each(['KIM@PEOPLE.EXAMPLE', ' kim@people.example\n', 'Kim@People.Example'])(
  'another spelling of the same address is the same person: %j',
  async (spelling) => {
    await askForLink(KIM);
    const { code } = mailTo(site.mails, KIM);
    const answer = await site.call('POST', '/auth/v1/verify', {
      body: { email: spelling, token: code, type: 'email' },
    });
    expect(JSON.parse(answer.text).user.email).toBe(KIM);
    const { rows } = await sql`select from auth.users where email ilike ${KIM}`.execute(site.db);
    expect(rows).toHaveLength(1);
  },
);

test('no one brings a role along', async () => {
  const email = 'climber@people.example';
  await site.invite(email);
  const admin = { role: 'admin', app_metadata: { role: 'admin' }, status: 'active' };
  await site.call('POST', '/auth/v1/otp', {
    body: { email, data: admin, role: 'service_role', app_metadata: admin, user_metadata: admin },
  });
  const body = { email, token: mailTo(site.mails, email).code, type: 'email', role: 'admin', data: admin };
  const session = JSON.parse((await site.call('POST', '/auth/v1/verify', { body })).text);
  expect(session.user).toMatchObject({
    role: 'authenticated',
    app_metadata: { role: 'user' },
    user_metadata: { role: 'user' },
  });
  const token: string = session.access_token;
  await site.call('PUT', '/auth/v1/user', { token, body: { data: admin } });
  const again = await site.call('POST', '/auth/v1/token?grant_type=refresh_token', {
    body: { refresh_token: session.refresh_token },
  });
  for (const one of [token, JSON.parse(again.text).access_token])
    expect((await site.call('GET', '/api/admin/users/list', { token: one })).status).toBe(403);
});
