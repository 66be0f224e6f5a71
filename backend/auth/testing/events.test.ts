import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { freshDatabase } from '#test/databases/database.ts';
import { forgetLimits, startAuth } from './harness.ts';

let auth: Awaited<ReturnType<typeof startAuth>>;
beforeAll(async () => {
  auth = await startAuth(await freshDatabase());
});
afterAll(() => auth.close());
beforeEach(() => {
  auth.events.length = 0;
});

const ip = '198.51.100.9';
const refused = (reason: string) => ({ allow: false, reason, message: 'Access denied.' }) as const;

test('a sign-in by code, a renewal, and signing out everywhere', async () => {
  const { client, session } = await auth.signIn('code@harbour.example', auth.client({ ip }));
  await client.auth.refreshSession();
  await client.auth.signOut({ scope: 'global' });
  const userId = session.user.id;
  expect(auth.events).toEqual([
    { type: 'signed_in', userId, way: 'code', ip },
    { type: 'signed_out', userId, scope: 'global', ip },
  ]);
});

test.each(['pkce', 'implicit'] as const)('a sign-in by link (%s)', async (flowType) => {
  const email = `${flowType}@harbour.example`;
  const client = auth.client({ flowType, ip });
  await client.auth.signInWithOtp({ email });
  const opened = await fetch(auth.mailTo(email).link, { redirect: 'manual', headers: { 'x-test-ip': ip } });
  const code = new URL(opened.headers.get('location') ?? '').searchParams.get('code');
  if (code) await client.auth.exchangeCodeForSession(code);
  expect(auth.events).toMatchObject([{ type: 'signed_in', way: 'link', ip }]);
});

test('refusals: where a link is asked for, where it is opened, and at a renewal', async () => {
  const email = 'eve@harbour.example';
  const { client } = await auth.signIn(email, auth.client({ ip }));
  const other = auth.client({ ip });
  await other.auth.signInWithOtp({ email });
  const { code } = auth.mailTo(email);
  auth.events.length = 0;
  auth.gate.denied.set(email, refused('MISSING_TAG'));
  await other.auth.verifyOtp({ email, token: code, type: 'email' });
  await client.auth.refreshSession();
  await forgetLimits(auth.db);
  await other.auth.signInWithOtp({ email });
  expect(auth.events).toEqual(
    (['sign_in', 'refresh', 'link'] as const).map((at) => ({ type: 'refused', reason: 'MISSING_TAG', email, at, ip })),
  );
});

test('a spent refresh token that comes back', async () => {
  const { client, session } = await auth.signIn('stolen@harbour.example');
  await client.auth.refreshSession();
  await sql`update auth.refresh_tokens set used_at = used_at - interval '1 minute'`.execute(auth.db);
  auth.events.length = 0;
  await auth.client({ ip }).auth.refreshSession({ refresh_token: session.refresh_token });
  expect(auth.events).toEqual([{ type: 'reuse_detected', userId: session.user.id, ip }]);
});

test('a change of address, once both mailboxes have confirmed', async () => {
  const { client, session } = await auth.signIn('before@harbour.example', auth.client({ ip }));
  await client.auth.updateUser({ email: 'after@harbour.example' });
  auth.events.length = 0;
  for (const email of ['before@harbour.example', 'after@harbour.example']) {
    expect(auth.events).toEqual([]);
    await client.auth.verifyOtp({ email, token: auth.mailTo(email).code, type: 'email_change' });
  }
  expect(auth.events).toMatchObject([
    { type: 'email_changed', userId: session.user.id, ip },
    { type: 'signed_in', way: 'code' },
  ]);
});
