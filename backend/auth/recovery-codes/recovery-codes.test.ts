import type { AuthError, SupabaseClient } from '@supabase/supabase-js';
import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { forgetLimits, startAuth } from '#backend/auth/testing/harness.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { eventually } from '#test/eventually.ts';
import { hashOfRecoveryCode } from './codes.ts';

let auth: Awaited<ReturnType<typeof startAuth>>;
beforeAll(async () => {
  auth = await startAuth(await freshDatabase());
});
afterAll(() => auth.close());
beforeEach(() => forgetLimits(auth.db));

let people = 0;

/** Someone who is signed in; `withFactor`: and has proven an authenticator app. */
async function person({ withFactor = true } = {}) {
  const email = `codes${people++}@harbour.example`;
  const { client } = await auth.signIn(email);
  if (withFactor) {
    const { data, error } = await client.auth.mfa.enroll({ factorType: 'totp' });
    if (error) throw error;
    const code = new TOTP({ secret: data.totp.secret }).generate();
    await client.auth.mfa.challengeAndVerify({ factorId: data.id, code });
  }
  return { email, client, codes: client.auth.mfa.recoveryCodes };
}

/** A session of the same person that has proven the first step only. */
async function again(email: string) {
  await forgetLimits(auth.db);
  return (await auth.signIn(email)).client;
}
/** What the newest mail with such a subject says. */
const told = (email: string, subject: string) =>
  auth.mails.findLast((mail) => mail.to === email && mail.subject.startsWith(subject))?.text;
const said = ({ error }: { error: unknown }) => [(error as AuthError)?.status, (error as AuthError)?.code];
const claimsOf = async (client: SupabaseClient) =>
  decodeJwt((await client.auth.getSession()).data.session?.access_token ?? '');

test('ten codes are told once, and only hashes of them are kept', async () => {
  const { codes, email } = await person();
  expect(said(await codes.getStatus())).toEqual([404, 'mfa_factor_not_found']);
  const { data } = await codes.generate();
  expect(data).toMatchObject({ type: 'recovery_code', friendly_name: 'Recovery codes', total: 10 });
  expect(new Set(data?.codes).size).toBe(10);
  for (const code of data?.codes ?? []) expect(code).toMatch(/^[2-9a-hjkmnp-z]{16}$/);
  expect((await codes.getStatus()).data).toEqual({ id: data?.id, type: 'recovery_code', total: 10, remaining: 10 });
  const { rows } = await sql<{ row: string }>`select to_jsonb(c)::text as row from auth.recovery_codes c`.execute(
    auth.db,
  );
  for (const code of data?.codes ?? []) expect(rows.map(({ row }) => row).join()).not.toContain(code);
  await eventually(() => expect(told(email, 'New recovery codes were made')).toBeDefined());
  expect(said(await codes.generate())).toEqual([422, 'mfa_verified_factor_exists']);
});

test('a code proves the second step, once, however it is typed, and its owner is mailed', async () => {
  const { codes, email, client } = await person();
  const [first = '', second = ''] = (await codes.generate()).data?.codes ?? [];
  const other = await again(email);
  const left = await again(email);
  const typed = ` ${first.toUpperCase().replace(/(.{4})/g, '$1-')}`;
  const { data, error } = await other.auth.mfa.recoveryCodes.verify({ code: typed });
  expect(error).toBeNull();
  expect(data?.user.email).toBe(email);
  expect(await claimsOf(other)).toMatchObject({
    aal: 'aal2',
    amr: [{ method: 'mfa/recovery_code' }, expect.anything()],
  });
  expect((await other.auth.getUser()).error).toBeNull();
  // The session that had proven less has ended, as after any second step.
  expect((await left.auth.getUser()).error).not.toBeNull();
  const third = await again(email);
  expect(said(await third.auth.mfa.recoveryCodes.verify({ code: first }))).toEqual([422, 'mfa_verification_failed']);
  expect((await client.auth.mfa.recoveryCodes.getStatus()).data).toMatchObject({ total: 10, remaining: 9 });
  expect(said(await third.auth.mfa.recoveryCodes.verify({ code: '' }))).toEqual([422, 'mfa_verification_failed']);
  expect((await third.auth.mfa.recoveryCodes.verify({ code: second })).error).toBeNull();
  await eventually(() => expect(told(email, 'A recovery code for your')).toContain('Codes left: 8.'));
});

test('the same code at the same moment raises one session', async () => {
  const { codes, email } = await person();
  const [code = ''] = (await codes.generate()).data?.codes ?? [];
  const sessions = [await again(email), await again(email)];
  const answers = await Promise.all(sessions.map((client) => client.auth.mfa.recoveryCodes.verify({ code })));
  expect(answers.filter(({ error }) => error === null)).toHaveLength(1);
});

test("no one else's code opens anything, and guesses are limited", async () => {
  const [ann, ben] = [await person(), await person()];
  const [code = ''] = (await ann.codes.generate()).data?.codes ?? [];
  await ben.codes.generate();
  const client = await again(ben.email);
  for (let tries = 0; tries < 10; tries++)
    expect(said(await client.auth.mfa.recoveryCodes.verify({ code }))).toEqual([422, 'mfa_verification_failed']);
  expect(said(await client.auth.mfa.recoveryCodes.verify({ code }))).toEqual([429, 'over_request_rate_limit']);
});

test('codes are made, replaced, and removed only at aal2, beside a second step', async () => {
  const without = await person({ withFactor: false });
  expect(said(await without.codes.generate())).toEqual([403, 'insufficient_aal']);
  const { codes, email, client } = await person();
  expect(said(await codes.regenerate())).toEqual([404, 'mfa_factor_not_found']);
  const [old = ''] = (await codes.generate()).data?.codes ?? [];
  const lesser = (await again(email)).auth.mfa.recoveryCodes;
  for (const act of [lesser.generate(), lesser.regenerate(), lesser.unenroll()])
    expect(said(await act)).toEqual([403, 'insufficient_aal']);
  const replaced = await codes.regenerate();
  expect(replaced.data?.codes).not.toContain(old);
  expect(said(await lesser.verify({ code: old }))).toEqual([422, 'mfa_verification_failed']);
  expect((await codes.unenroll()).data).toEqual({ id: replaced.data?.id });
  expect(said(await codes.getStatus())).toEqual([404, 'mfa_factor_not_found']);
  await codes.generate();
  // With the last second step, by whichever way it goes.
  const [factor] = (await client.auth.mfa.listFactors()).data?.all ?? [];
  await client.auth.mfa.unenroll({ factorId: factor?.id ?? '' });
  expect(said(await codes.getStatus())).toEqual([404, 'mfa_factor_not_found']);
});

test('a session that has not shown lately who is there makes and removes none', async () => {
  const { codes, client } = await person();
  const { data } = await client.auth.getSession();
  await sql`update auth.sessions set created_at = now() - interval '1 hour', proven_at = now() - interval '1 hour'
    where user_id = ${data.session?.user.id}`.execute(auth.db);
  for (const act of [codes.generate(), codes.regenerate(), codes.unenroll()])
    expect(said(await act)).toEqual([400, 'reauthentication_needed']);
});

test('codes need no encryption key, so that they outlive its exchange', async () => {
  const { codes, client } = await person();
  const made = (await codes.generate()).data?.codes ?? [];
  const userId = (await client.auth.getUser()).data.user?.id ?? '';
  const { rows } = await sql<{ hash: Buffer }>`
    select code_hash as hash from auth.recovery_codes where user_id = ${userId}`.execute(auth.db);
  const kept = rows.map(({ hash }) => hash.toString('hex')).sort();
  expect(kept).toEqual(made.map((code) => hashOfRecoveryCode(userId, code).toString('hex')).sort());
});

test.each(['by its owner', 'through the admin API'])(
  'what a code has raised goes back with the last factor, %s',
  async (way) => {
    const { codes, email } = await person();
    const [code = ''] = (await codes.generate()).data?.codes ?? [];
    const client = await again(email);
    await client.auth.mfa.recoveryCodes.verify({ code });
    const { data } = await client.auth.getUser();
    const factorId = data.user?.factors?.[0]?.id ?? '';
    const removed =
      way === 'by its owner'
        ? await client.auth.mfa.unenroll({ factorId })
        : await auth.admin.mfa.deleteFactor({ id: factorId, userId: data.user?.id ?? '' });
    expect(removed.error).toBeNull();
    await client.auth.refreshSession();
    expect(await claimsOf(client)).toMatchObject({ aal: 'aal1', amr: [{ method: 'otp' }] });
  },
);

test('that codes were removed is told in the audit log', async () => {
  const { codes, client } = await person();
  await codes.generate();
  await codes.unenroll();
  const userId = (await client.auth.getUser()).data.user?.id;
  expect(auth.events.at(-1)).toMatchObject({ type: 'recovery_codes_removed', userId });
});
