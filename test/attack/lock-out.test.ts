import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accountOf, mailTo, signIn } from './harness/people.ts';
import { ADMIN, type Answer, type Site, startSite } from './harness/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
  await signIn(site, ADMIN);
});
const forgetLimits = () => sql`delete from app.rate_limits`.execute(site.db);
beforeEach(forgetLimits);

let people = 0;
/** Someone who is invited, and has signed in where it says so: from there they are known. */
async function invited(knownAt?: string): Promise<string> {
  people += 1;
  const email = `owner${people}@people.example`;
  await site.invite(email);
  if (!knownAt) return email;
  await ask(email, knownAt);
  const { accessToken: token } = accountOf((await guess(email, mailTo(site.mails, email).code, knownAt)).text);
  await site.call('POST', '/auth/v1/logout', { token });
  await forgetLimits();
  return email;
}

const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } });
const ask = (email: string, ip: string, more: object = {}, path = 'otp') =>
  site.call('POST', `/auth/v1/${path}`, { body: { email, ...more }, ...from(ip) });
const guess = (email: string, token: string, ip: string) =>
  site.call('POST', '/auth/v1/verify', { body: { email, token, type: 'email' }, ...from(ip) });

/** A browser, with a verifier of its own for each ask. */
function browserAt(ip: string) {
  let verifier = '';
  return {
    ask(email: string, more: object = {}, path = 'otp') {
      verifier = randomBytes(32).toString('base64url');
      const code_challenge = createHash('sha256').update(verifier).digest('base64url');
      return ask(email, ip, { code_challenge, code_challenge_method: 's256', ...more }, path);
    },
    async open(link: URL): Promise<Answer> {
      const to = (await site.call('GET', `${link.pathname}${link.search}`, from(ip))).headers.get('location') ?? '';
      const body = { auth_code: new URL(to).searchParams.get('code') ?? to, code_verifier: verifier };
      return site.call('POST', '/auth/v1/token?grant_type=pkce', { body, ...from(ip) });
    },
  };
}
const STRANGERS = Array.from({ length: 40 }, (_, n) => `198.51.100.${n + 1}`);
const mailsTo = (email: string) => site.mails.filter((mail) => mail.to === email);
const emailOf = ({ text }: Answer): string => JSON.parse(text).user?.email ?? text;
const wrongFor = (code: string) => (code === '000000' ? '000001' : '000000');

/** What comes before the page asks: strangers from many networks ask for links and guess at codes. */
async function besiege(email: string, how: 'by link' | 'by code' = 'by link'): Promise<void> {
  for (const ip of STRANGERS) {
    if (how === 'by link') await browserAt(ip).ask(email);
    else await ask(email, ip);
    await guess(email, wrongFor(mailTo(site.mails, email).code), ip);
  }
}

describe('strangers who ask from everywhere', () => {
  test.each(['otp', 'recover'])('fill no mailbox (%s): a few links, each a few times', async (path) => {
    const email = await invited('203.0.113.5');
    const before = mailsTo(email).length;
    for (const ip of STRANGERS) await browserAt(ip).ask(email, {}, path);
    const mails = mailsTo(email).slice(before);
    expect(mails.length).toBeLessThanOrEqual(10);
    expect(new Set(mails.map(({ text }) => text.match(/token=[\w-]+/)?.[0])).size).toBeLessThanOrEqual(3);
  });

  test('do not keep an owner out who asks where they have signed in before', async () => {
    const home = '203.0.113.6';
    const email = await invited(home);
    await besiege(email);
    const browser = browserAt(home);
    expect((await browser.ask(email)).status).toBe(200);
    const { link, code } = mailTo(site.mails, email);
    await besiege(email);
    expect(emailOf(await browser.open(link))).toBe(email);
    await forgetLimits();
    await besiege(email, 'by code');
    expect((await ask(email, home)).status).toBe(200);
    expect(mailTo(site.mails, email).code).not.toBe(code);
    expect(emailOf(await guess(email, mailTo(site.mails, email).code, home))).toBe(email);
  });

  test.each([
    ['by link', 'newest'],
    ['by link', 'oldest'],
    ['by code', 'newest'],
    ['by code', 'oldest'],
  ] as const)(
    'do not keep an owner out who asks from anywhere else: besieged %s, the %s link works in their browser',
    async (how, which) => {
      const email = await invited();
      await browserAt('198.51.100.250').ask(email);
      await besiege(email, how);
      const browser = browserAt('192.0.2.77');
      // Not 429: a client forgets its verifier at any error.
      expect((await browser.ask(email)).status).toBe(200);
      const mails = mailsTo(email);
      const mail = which === 'newest' ? mails.at(-1) : mails[0];
      expect(emailOf(await browser.open(mailTo(mail ? [mail] : [], email).link))).toBe(email);
    },
  );

  test('fill no mailbox of an owner who keeps asking either', async () => {
    const email = await invited();
    const browser = browserAt('192.0.2.90');
    const asked = [];
    for (let n = 0; n < 12; n += 1) asked.push(await browser.ask(email));
    expect(asked.map(({ status }) => status)).toEqual(asked.map(() => 200));
    expect(mailsTo(email)).toHaveLength(1);
    const last = asked.at(-1)?.headers;
    expect(Number(last?.get('retry-after'))).toBeLessThanOrEqual(3600);
    expect(Date.parse(last?.get('fairlead-link-sent-at') ?? '')).toBeGreaterThan(Date.now() - 60_000);
    expect(emailOf(await browser.open(mailTo(site.mails, email).link))).toBe(email);
  });

  test('neither spend nor burn what an owner was sent', async () => {
    const email = await invited();
    const browser = browserAt('192.0.2.78');
    await browser.ask(email);
    const own = mailTo(site.mails, email);
    await besiege(email);
    for (const ip of STRANGERS) for (let n = 0; n < 3; n += 1) await guess(email, wrongFor(own.code), ip);
    expect(emailOf(await guess(email, own.code, '192.0.2.78'))).toBe(email);
    await forgetLimits();
    expect((await browser.ask(email)).status).toBe(200);
    const next = mailTo(site.mails, email).link;
    await besiege(email);
    expect(emailOf(await browser.open(next))).toBe(email);
  });

  test('do not finish with the link of an owner', async () => {
    const email = await invited();
    await browserAt('192.0.2.79').ask(email);
    const { link } = mailTo(site.mails, email);
    const stranger = browserAt('198.51.100.200');
    await stranger.ask(email);
    expect((await stranger.open(link)).text).toContain('bad_code_verifier');
  });

  test('find no code by guessing from everywhere', async () => {
    const email = await invited();
    await ask(email, '192.0.2.80');
    const { code } = mailTo(site.mails, email);
    for (const ip of STRANGERS.slice(0, 6)) expect((await guess(email, wrongFor(code), ip)).status).toBe(403);
    const late = await guess(email, code, '198.51.100.201');
    expect([late.status, late.text]).toEqual([429, expect.stringContaining('Open the link in the email')]);
  });

  test('learn from recover and resend of no account, however often they ask', async () => {
    const email = await invited('203.0.113.8');
    for (const [path, more] of [
      ['recover', {}],
      ['resend', { type: 'signup' }],
    ] as const) {
      const seen: string[][] = [];
      // Has no account, and may have one.
      for (const address of [email, await invited()]) {
        await forgetLimits();
        const answers = await STRANGERS.slice(0, 14).reduce<Promise<Answer[]>>(
          async (before, ip) => [...(await before), await ask(address, ip, more, path)],
          Promise.resolve([]),
        );
        seen.push(answers.map(({ status, text }) => `${status} ${text.replaceAll(/\d+ \w+\./g, '…')}`));
      }
      expect(seen[0]).toEqual(seen[1]);
    }
  });

  test('do not take a change of address away from who began it', async () => {
    const email = await invited();
    const { accessToken: token } = await signIn(site, email);
    const next = `next-${email}`;
    await site.invite(next);
    expect((await site.call('PUT', '/auth/v1/user', { token, body: { email: next } })).status).toBe(200);
    const links = [mailTo(site.mails, email).link, mailTo(site.mails, next).link];
    for (const ip of STRANGERS) await ask(email, ip, { type: 'email_change' }, 'resend');
    for (const link of links) await site.call('GET', `${link.pathname}${link.search}`);
    expect(JSON.parse((await site.call('GET', '/auth/v1/user', { token })).text).email).toBe(next);
  });

  test('keep no one who is signed in from a nonce', async () => {
    const email = await invited();
    const { accessToken: token } = await signIn(site, email);
    await besiege(email);
    expect((await site.call('GET', '/auth/v1/reauthenticate', { token })).status).toBe(200);
  });
});

describe('what a stranger says of someone else', () => {
  const said = { data: { name: 'Mallory', team: 'evil' } };

  test.each(['by code', 'by link'] as const)('is not theirs once they have signed in %s', async (how) => {
    const email = await invited();
    for (const ip of STRANGERS.slice(0, 5)) await browserAt(ip).ask(email, said);
    const browser = browserAt('192.0.2.81');
    await browser.ask(email, { data: { name: 'Kim' } });
    const { link, code } = mailTo(site.mails, email);
    const session = how === 'by link' ? await browser.open(link) : await guess(email, code, '192.0.2.81');
    const { user, access_token: token } = JSON.parse(session.text);
    const claims = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
    for (const { user_metadata: metadata } of [user, claims]) {
      expect(metadata.team).toBeUndefined();
      expect(metadata.name).toBe(how === 'by link' ? 'Kim' : undefined);
    }
  });

  test('is not theirs by a code of the stranger’s mail either, nor after their first sign-in', async () => {
    const email = await invited();
    await ask(email, '198.51.100.202', said);
    const { code } = mailTo(site.mails, email);
    const { user } = JSON.parse((await guess(email, code, '192.0.2.82')).text);
    expect(user.user_metadata).not.toHaveProperty('name');
    await ask(email, '198.51.100.203', said);
    const { link } = mailTo(site.mails, email);
    await site.call('GET', `${link.pathname}${link.search}`);
    const { rows } = await sql<{ said: object }>`
      select raw_user_meta_data as said from auth.users where email = ${email}`.execute(site.db);
    expect(rows[0]?.said).not.toHaveProperty('name');
  });

  test('is not theirs by the stranger’s own link, in whatever way it is opened', async () => {
    const opened: ((link: URL) => Promise<unknown>)[] = [
      async (link) => {
        const to = (await site.call('GET', `${link.pathname}${link.search}`, from('192.0.2.83'))).headers.get(
          'location',
        );
        const token = new URLSearchParams(new URL(to ?? '').hash.slice(1)).get('access_token') ?? '';
        return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).user_metadata;
      },
      async (link) => {
        const body = { token_hash: link.searchParams.get('token'), type: 'magiclink' };
        return JSON.parse((await site.call('POST', '/auth/v1/verify', { body, ...from('192.0.2.84') })).text).user
          .user_metadata;
      },
    ];
    for (const open of opened) {
      const email = await invited();
      await ask(email, '198.51.100.205', said);
      const metadata = await open(mailTo(site.mails, email).link);
      expect(metadata).toMatchObject({ role: 'user' });
      expect(metadata).not.toHaveProperty('name');
    }
  });

  test('is not shown to anyone before', async () => {
    const email = await invited();
    await ask(email, '198.51.100.204', said);
    const { rows } = await sql<{ said: object }>`
      select raw_user_meta_data as said from auth.users where email = ${email}`.execute(site.db);
    expect(rows).toEqual([{ said: {} }]);
  });
});

test.each(['otp', 'recover', 'resend'])('a challenge that is its own verifier is refused by %s', async (path) => {
  const code_challenge = randomBytes(32).toString('base64url');
  const email = await invited();
  const plain = { code_challenge, code_challenge_method: 'plain', type: 'signup' };
  const refused = await ask(email, '192.0.2.83', plain, path);
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('unsupported code_challenge method')]);
  expect(mailsTo(email)).toEqual([]);
});
