import { TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { forgetLimits, startAuth } from '#backend/auth/testing/harness.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { noticeMail } from './notice-mail.ts';

let auth: Awaited<ReturnType<typeof startAuth>>;
beforeAll(async () => {
  auth = await startAuth(await freshDatabase());
});
afterAll(() => auth.close());
beforeEach(() => forgetLimits(auth.db));

const PHONE = '+12175550100';

/** What someone was told, without the mails that they signed in with. */
const told = (email: string) =>
  auth.mails
    .filter(({ to, text }) => to === email && text.includes('If this was not you'))
    .map(({ subject }) => subject);

async function verifyFactor(client: Awaited<ReturnType<typeof auth.signIn>>['client']): Promise<string> {
  const { data } = await client.auth.mfa.enroll({ factorType: 'totp' });
  if (data?.type !== 'totp') throw new Error('not enrolled');
  const code = new TOTP({ secret: data.totp.secret }).generate();
  const { error } = await client.auth.mfa.challengeAndVerify({ factorId: data.id, code });
  if (error) throw error;
  return data.id;
}

test('owners are mailed when their number comes and goes, without it', async () => {
  const email = 'number@harbour.example';
  const { client } = await auth.signIn(email);
  await client.auth.updateUser({ phone: PHONE });
  expect(told(email)).toEqual([]);
  await client.auth.verifyOtp({ phone: PHONE, token: auth.textTo(PHONE), type: 'phone_change' });
  expect(told(email)).toEqual(['Your Fairlead phone number was changed']);
  const { data } = await client.auth.getUserIdentities();
  const number = data?.identities.find(({ provider }) => provider === 'phone');
  if (!number) throw new Error('There is no number');
  expect((await client.auth.unlinkIdentity(number)).error).toBeNull();
  expect(told(email)).toEqual(['Your Fairlead phone number was changed', 'Your Fairlead phone number was removed']);
  expect(JSON.stringify(auth.mails.slice(-2))).not.toContain('2175550100');
});

test('owners are mailed when a second step is added or removed, by themselves or through the admin API', async () => {
  const email = 'factor@harbour.example';
  const { client, session } = await auth.signIn(email);
  const first = await verifyFactor(client);
  expect(told(email)).toEqual(['A second step was added to your Fairlead account']);
  expect((await client.auth.mfa.unenroll({ factorId: first })).error).toBeNull();
  const second = await verifyFactor(client);
  await auth.admin.mfa.deleteFactor({ id: second, userId: session.user.id });
  expect(told(email).map((subject) => subject.split(' ')[4])).toEqual(['added', 'removed', 'added', 'removed']);
  await client.auth.mfa.enroll({ factorType: 'totp' });
  expect(told(email)).toHaveLength(4);
});

test('a mail server that is gone keeps no change from being made', async () => {
  const email = 'unreachable@harbour.example';
  const { client } = await auth.signIn(email);
  auth.mailer.broken = true;
  await verifyFactor(client).finally(() => {
    auth.mailer.broken = false;
  });
  expect((await client.auth.mfa.listFactors()).data?.totp).toHaveLength(1);
  await expect
    .poll(() => auth.logged.filter((line) => line.includes('could not be emailed')).join())
    .toContain('factor_added');
  expect(auth.logged.join()).not.toContain(email);
});

test('a provider is named as people know it', () => {
  const { subject, html } = noticeMail({ type: 'identity_linked', provider: 'custom:<acme>' }, 'https://site.example');
  expect(subject).toBe('<acme> was linked to your Fairlead account');
  expect(html).toContain('&lt;acme&gt;');
  expect(noticeMail({ type: 'identity_unlinked', provider: 'google' }, '').subject).toMatch(/^Google was unlinked/);
});
