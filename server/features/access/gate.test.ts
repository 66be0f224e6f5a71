import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Connection, connect } from '#db/client.ts';
import { freshDatabase } from '#test/database.ts';
import type { AccessDecision } from './decision.ts';
import { createGate, type Gate, type GateOptions } from './gate.ts';

let connection: Connection;
beforeAll(async () => {
  connection = connect(await freshDatabase());
});
afterAll(() => connection.db.destroy());
beforeEach(async () => {
  await connection.db.deleteFrom('app.invitations').execute();
  await connection.db.deleteFrom('auth.users').execute();
});

const gateWith = (options: Partial<GateOptions> = {}) =>
  createGate({ db: connection.db, adminEmails: [], smtpConfigured: true, ...options });
const signIn = (gate: Gate, user: { id: string; email: string }) =>
  connection.db.transaction().execute((tx) => gate.admit(tx, user));
const denied = (reason: string) => expect.objectContaining({ allow: false, reason });

async function userOf(email: string) {
  return connection.db.insertInto('auth.users').values({ email }).returning(['id', 'email']).executeTakeFirstOrThrow();
}
async function personOf(email: string, profile: { role?: string; status?: string } = {}) {
  const { id } = await userOf(email);
  await connection.db
    .insertInto('app.profiles')
    .values({ user_id: id, email, ...profile })
    .execute();
  return { id, email };
}
async function invite(email: string, columns: { role?: string; expires_at?: Date; withdrawn_at?: Date } = {}) {
  const values = { email, expires_at: new Date(Date.now() + 60_000), ...columns };
  await connection.db.insertInto('app.invitations').values(values).execute();
}
const profileOf = (id: string) =>
  connection.db.selectFrom('app.profiles').selectAll().where('user_id', '=', id).executeTakeFirst();

describe('who may ask for a link', () => {
  test('a stranger may not, in the words of the login page', async () => {
    expect(await gateWith().decide('stranger@people.example')).toEqual({
      allow: false,
      reason: 'NO_CONTACT',
      message: 'Access denied. This email does not have the required access.',
    });
  });

  test('somebody with an active profile may, however the address is written', async () => {
    await personOf('ann@people.example');
    expect(await gateWith().decide(' ANN@People.example ')).toEqual({ allow: true });
  });

  test('the disabled may not, admins included', async () => {
    await personOf('dan@people.example', { status: 'disabled' });
    await personOf('eve@people.example', { status: 'disabled', role: 'admin' });
    const gate = gateWith({ adminEmails: ['eve@people.example'] });
    expect(await gate.decide('dan@people.example')).toEqual({
      allow: false,
      reason: 'DISABLED',
      message: 'Access denied. Please contact support if you believe this is an error.',
    });
    expect(await gate.decide('eve@people.example')).toEqual(denied('DISABLED'));
  });

  test('the invited may, while the invitation is open', async () => {
    await invite('new@people.example');
    await invite('late@people.example', { expires_at: new Date(Date.now() - 1) });
    await invite('gone@people.example', { withdrawn_at: new Date() });
    expect(await gateWith().decide('New@people.example')).toEqual({ allow: true });
    expect(await gateWith().decide('late@people.example')).toEqual(denied('NO_CONTACT'));
    expect(await gateWith().decide('gone@people.example')).toEqual(denied('NO_CONTACT'));
  });

  test('ADMIN_EMAILS may, before anybody knows them', async () => {
    const gate = gateWith({ adminEmails: ['boss@people.example'] });
    expect(await gate.decide('Boss@people.example')).toEqual({ allow: true });
  });

  test('the first person of an empty install may, and nobody after', async () => {
    const gate = gateWith({ smtpConfigured: false });
    expect(await gate.decide('first@people.example')).toEqual({ allow: true });
    expect(
      await gateWith({ smtpConfigured: false, adminEmails: ['a@b.example'] }).decide('first@people.example'),
    ).toEqual(denied('NO_CONTACT'));
    expect(await gateWith({ smtpConfigured: true }).decide('first@people.example')).toEqual(denied('NO_CONTACT'));
    await personOf('first@people.example');
    expect(await gate.decide('second@people.example')).toEqual(denied('NO_CONTACT'));
  });
});

describe('a CRM that decides', () => {
  const missingTag: AccessDecision = { allow: false, reason: 'MISSING_TAG', message: 'x' };
  const gateOf = (answer: AccessDecision | undefined) => gateWith({ crm: { decide: async () => answer } });

  test('refuses the active and the invited, but no admin', async () => {
    await personOf('ann@people.example');
    await personOf('boss@people.example', { role: 'admin' });
    await invite('new@people.example');
    expect(await gateOf(missingTag).decide('ann@people.example')).toEqual(missingTag);
    expect(await gateOf(missingTag).decide('new@people.example')).toEqual(missingTag);
    expect(await gateOf(missingTag).decide('boss@people.example')).toEqual({ allow: true });
  });

  test('lets contacts in without an invitation', async () => {
    const contact = await userOf('contact@people.example');
    const gate = gateOf({ allow: true });
    expect(await gate.decide('contact@people.example')).toEqual({ allow: true });
    expect(await signIn(gate, { id: contact.id, email: 'contact@people.example' })).toEqual({
      allow: true,
      role: 'user',
    });
  });

  test('leaves the decision when it is not connected', async () => {
    expect(await gateOf(undefined).decide('stranger@people.example')).toEqual(denied('NO_CONTACT'));
  });
});

describe('signing in', () => {
  test('writes the profile once and the time of each sign-in', async () => {
    await invite('new@people.example', { role: 'admin' });
    const { id } = await userOf('new@people.example');
    const user = { id, email: 'new@people.example' };
    expect(await signIn(gateWith(), user)).toEqual({ allow: true, role: 'admin' });
    const first = await profileOf(id);
    expect(first).toMatchObject({ email: 'new@people.example', role: 'admin', status: 'active' });
    const invitation = await connection.db.selectFrom('app.invitations').select('accepted_at').executeTakeFirst();
    expect(invitation?.accepted_at).toBeInstanceOf(Date);
    expect(await signIn(gateWith(), user)).toEqual({ allow: true, role: 'admin' });
    const second = await profileOf(id);
    expect(second?.last_sign_in_at?.getTime()).toBeGreaterThan(first?.last_sign_in_at?.getTime() ?? Number.NaN);
  });

  test('keeps a role, and gives ADMIN_EMAILS theirs', async () => {
    const ann = await personOf('ann@people.example');
    expect(await signIn(gateWith(), ann)).toEqual({ allow: true, role: 'user' });
    expect(await signIn(gateWith({ adminEmails: [ann.email] }), ann)).toEqual({ allow: true, role: 'admin' });
    expect(await profileOf(ann.id)).toMatchObject({ role: 'admin' });
  });

  test('is refused, and writes nothing, for strangers and for who was disabled since the link was sent', async () => {
    const stranger = await userOf('stranger@people.example');
    const refusal = await signIn(gateWith(), { id: stranger.id, email: 'stranger@people.example' });
    expect(refusal).toEqual(denied('NO_CONTACT'));
    expect(await profileOf(stranger.id)).toBeUndefined();
    const dan = await personOf('dan@people.example', { status: 'disabled' });
    expect(await signIn(gateWith(), dan)).toEqual(denied('DISABLED'));
    expect(await profileOf(dan.id)).toMatchObject({ last_sign_in_at: null });
  });

  test('goes by the account, not by an address that changed', async () => {
    const dan = await personOf('dan@people.example', { status: 'disabled' });
    const gate = gateWith({ adminEmails: ['new-address@people.example'] });
    expect(await signIn(gate, { id: dan.id, email: 'new-address@people.example' })).toEqual(denied('DISABLED'));
  });

  test('makes exactly one admin of several people who come first at the same time', async () => {
    const gate = gateWith({ smtpConfigured: false });
    const people = await Promise.all(Array.from({ length: 8 }, () => userOf(`${randomUUID()}@people.example`)));
    const answers = await Promise.all(people.map(({ id, email }) => signIn(gate, { id, email: email ?? '' })));
    expect(answers.filter(({ allow }) => allow)).toEqual([{ allow: true, role: 'admin' }]);
    expect(await connection.db.selectFrom('app.profiles').select('role').execute()).toEqual([{ role: 'admin' }]);
  });
});
