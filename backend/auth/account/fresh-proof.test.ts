import type { SupabaseClient } from '@supabase/supabase-js';
import { sql } from 'kysely';
import { TOTP } from 'otpauth';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { forgetLimits, SITE, startAuth } from '#backend/auth/testing/harness.ts';
import { freshDatabase } from '#test/databases/database.ts';

let auth: Awaited<ReturnType<typeof startAuth>>;
beforeAll(async () => {
  auth = await startAuth(await freshDatabase(), {
    identityProviders: [
      { name: 'google', issuer: 'http://127.0.0.1:9', clientIds: ['client'], clientSecret: 'secret' },
    ],
  });
});
afterEach(() => forgetLimits(auth.db));
afterAll(() => auth.close());

let people = 0;
const newEmail = () => `person${people++}@quay.example`;
const NEEDED = 'reauthentication_needed';

/** Lets a quarter of an hour pass since everyone has signed in, or shown that it is them. */
const passTime = () =>
  sql`update auth.sessions set created_at = created_at - interval '16 minutes', proven_at = proven_at - interval '16 minutes'`.execute(
    auth.db,
  );

/** Someone whose sign-in was a while ago. */
async function signInLongAgo(email = newEmail()) {
  await forgetLimits(auth.db);
  const { client, session } = await auth.signIn(email);
  await passTime();
  return { client, session, email };
}

/** Has a code mailed for the client's session. */
async function askForCode(client: SupabaseClient): Promise<string> {
  await forgetLimits(auth.db);
  const before = auth.mails.length;
  expect((await client.auth.reauthenticate()).error).toBeNull();
  expect(auth.mails).toHaveLength(before + 1);
  return auth.mails.at(-1)?.text.match(/: (\d{6})$/m)?.[1] ?? '';
}

const codeOf = (secret: string) => new TOTP({ secret }).generate();
const forgetSteps = () => sql`update auth.mfa_factors set last_step = null`.execute(auth.db);

async function addFactor(client: SupabaseClient): Promise<{ factorId: string; secret: string }> {
  const { data, error } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: `App ${people++}` });
  if (error) throw error;
  const factor = { factorId: data.id, secret: data.totp.secret };
  const proven = await client.auth.mfa.challengeAndVerify({ ...factor, code: codeOf(factor.secret) });
  if (proven.error) throw proven.error;
  await forgetSteps();
  return factor;
}

describe('a while after the sign-in', () => {
  const acts: Record<string, (client: SupabaseClient) => Promise<{ error: { code?: string | undefined } | null }>> = {
    'to begin an authenticator app': ({ auth }) => auth.mfa.enroll({ factorType: 'totp' }),
    'to begin a phone': ({ auth }) => auth.mfa.enroll({ factorType: 'phone', phone: '+447700900123' }),
    'to change the address': ({ auth }) => auth.updateUser({ email: newEmail() }),
    'to change the number': ({ auth }) => auth.updateUser({ phone: '+447700900124' }),
    'to link an identity': ({ auth }) =>
      auth.linkIdentity({ provider: 'google', options: { redirectTo: SITE, skipBrowserRedirect: true } }),
  };
  test.each(Object.keys(acts))('%s needs a proof', async (name) => {
    const { client } = await signInLongAgo();
    const refused = await acts[name]?.(client);
    expect(refused?.error).toMatchObject({ status: 400, code: NEEDED });
    const proven = await client.auth.updateUser({ nonce: await askForCode(client) });
    expect(proven.error).toBeNull();
    const { error } = (await acts[name]?.(client)) ?? {};
    expect(error?.code).not.toBe(NEEDED);
  });

  test('to unlink an identity needs a proof', async () => {
    const { client, session } = await signInLongAgo();
    await sql`
      insert into auth.identities (user_id, provider, provider_id) values (${session.user.id}, 'google', ${newEmail()})`.execute(
      auth.db,
    );
    const google = (await client.auth.getUserIdentities()).data?.identities.find(
      ({ provider }) => provider === 'google',
    );
    if (!google) throw new Error('There is no identity to unlink');
    expect((await client.auth.unlinkIdentity(google)).error).toMatchObject({ status: 400, code: NEEDED });
    await client.auth.updateUser({ nonce: await askForCode(client) });
    expect((await client.auth.unlinkIdentity(google)).error).toBeNull();
  });

  test('metadata and signing out need none', async () => {
    const { client } = await signInLongAgo();
    expect((await client.auth.updateUser({ data: { name: 'Ada' } })).error).toBeNull();
    expect((await client.auth.signOut({ scope: 'others' })).error).toBeNull();
  });
});

describe('a proof by mail', () => {
  test('is told in the audit log, and lasts a quarter of an hour', async () => {
    const { client, session } = await signInLongAgo();
    await client.auth.updateUser({ nonce: await askForCode(client) });
    expect(auth.events.at(-1)).toMatchObject({ type: 'proven', userId: session.user.id });
    await passTime();
    expect((await client.auth.mfa.enroll({ factorType: 'totp' })).error?.code).toBe(NEEDED);
  });

  test('outlives a refresh of the session, and not the session', async () => {
    const { client, email } = await signInLongAgo();
    await client.auth.updateUser({ nonce: await askForCode(client) });
    await client.auth.refreshSession();
    expect((await client.auth.mfa.enroll({ factorType: 'totp' })).error).toBeNull();
    await client.auth.signOut();
    const { client: next } = await signInLongAgo(email);
    expect((await next.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Next' })).error?.code).toBe(NEEDED);
  });

  test('is given to the session that asked, and to no other one', async () => {
    const { client: mine, email } = await signInLongAgo();
    const { client: other } = await signInLongAgo(email);
    const code = await askForCode(mine);
    expect((await other.auth.updateUser({ nonce: code })).error?.code).toBe('reauthentication_not_valid');
    const others = await askForCode(other);
    // The other one's request leaves this code as it is.
    expect((await mine.auth.updateUser({ nonce: code })).error).toBeNull();
    expect((await other.auth.mfa.enroll({ factorType: 'totp' })).error?.code).toBe(NEEDED);
    expect((await other.auth.updateUser({ nonce: others })).error).toBeNull();
  });

  test('burns its code after five wrong guesses, and limits how many are made', async () => {
    const { client } = await signInLongAgo();
    const code = await askForCode(client);
    const wrong = code === '000000' ? '000001' : '000000';
    for (let guess = 0; guess < 5; guess++)
      expect((await client.auth.updateUser({ nonce: wrong })).error?.code).toBe('reauthentication_not_valid');
    expect((await client.auth.updateUser({ nonce: code })).error?.code).toBe('reauthentication_not_valid');
    for (let guess = 0; guess < 4; guess++) await client.auth.updateUser({ nonce: wrong });
    expect((await client.auth.updateUser({ nonce: wrong })).error).toMatchObject({ status: 429 });
  });

  test('ends its code with the session', async () => {
    const { client } = await signInLongAgo();
    await askForCode(client);
    await client.auth.signOut();
    const { rows } =
      await sql`select from auth.one_time_tokens where token_type = 'reauthentication' and session_id is null`.execute(
        auth.db,
      );
    expect(rows).toHaveLength(0);
  });
});

describe('with a second step', () => {
  test('that proves it, and a code of the mailbox does not', async () => {
    const { client } = await auth.signIn(newEmail());
    const factor = await addFactor(client);
    await passTime();
    expect((await client.auth.mfa.unenroll(factor)).error).toMatchObject({ status: 400, code: NEEDED });
    expect((await client.auth.reauthenticate()).error).toMatchObject({ status: 400, code: NEEDED });
    expect((await client.auth.updateUser({ nonce: '000000' })).error?.code).toBe(NEEDED);
    const proven = await client.auth.mfa.challengeAndVerify({ ...factor, code: codeOf(factor.secret) });
    expect(proven.error).toBeNull();
    expect((await client.auth.mfa.unenroll(factor)).error).toBeNull();
  });

  test('a code that was mailed before the second step there was is worth nothing', async () => {
    const { client } = await signInLongAgo();
    const nonce = await askForCode(client);
    await sql`update auth.sessions set proven_at = now()`.execute(auth.db);
    await addFactor(client);
    await passTime();
    expect((await client.auth.updateUser({ nonce })).error?.code).toBe(NEEDED);
  });

  test('that is set up right after the sign-in, nothing is asked again', async () => {
    const { client } = await auth.signIn(newEmail());
    const { factorId } = await addFactor(client);
    expect((await client.auth.mfa.unenroll({ factorId })).error).toBeNull();
  });
});
