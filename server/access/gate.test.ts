import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Connection, connect } from '#db/connection/client.ts';
import type { CrmVerdict } from '#server/crm/crm-access.ts';
import { freshDatabase } from '#test/databases/database.ts';
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
  createGate({ db: connection.db, adminEmails: [], strangersMayCome: true, ...options });
async function signIn(gate: Gate, user: { id: string; email: string }) {
  const decided = await gate.decide(user.email);
  return connection.db.transaction().execute((tx) => gate.admit(tx, user, decided));
}
const allowed = expect.objectContaining({ allow: true });
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

describe('who may take another address', () => {
  const move = (options: Partial<GateOptions> = {}) =>
    gateWith(options).decideToMove('ann@people.example', 'new@people.example');
  const crmOf = (verdicts: Record<string, CrmVerdict>) => ({
    crm: { decide: async (email: string) => verdicts[email] ?? 'NO_CONTACT' },
  });

  test('where profiles decide, anyone who has one; a stranger not', async () => {
    expect(await move()).toEqual(denied('NO_CONTACT'));
    await personOf('ann@people.example');
    expect(await move()).toEqual(allowed);
  });

  test('where the CRM decides, anyone whom it knows under the new address; administrators whatever it says', async () => {
    const ann = await personOf('ann@people.example');
    expect(await move(crmOf({ 'ann@people.example': 'granted' }))).toEqual(denied('NO_CONTACT'));
    expect(await move(crmOf({ 'new@people.example': 'granted' }))).toEqual(allowed);
    await connection.db.updateTable('app.profiles').set({ role: 'admin' }).where('user_id', '=', ann.id).execute();
    expect(await move(crmOf({}))).toEqual(allowed);
  });

  test('no one that of someone who is disabled', async () => {
    await personOf('ann@people.example');
    await personOf('new@people.example', { status: 'disabled' });
    expect(await move()).toEqual(denied('DISABLED'));
  });
});

describe('who may ask for a link', () => {
  test('a stranger may not, in the words of the login page', async () => {
    expect(await gateWith().decide('stranger@people.example')).toEqual({
      allow: false,
      reason: 'NO_CONTACT',
      message: 'Access denied. This email does not have the required access.',
    });
  });

  test('someone with an active profile may, however the address is written', async () => {
    await personOf('ann@people.example');
    expect(await gateWith().decide(' ANN@People.example ')).toEqual(allowed);
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
    expect(await gateWith().decide('New@people.example')).toEqual(allowed);
    expect(await gateWith().decide('late@people.example')).toEqual(denied('NO_CONTACT'));
    expect(await gateWith().decide('gone@people.example')).toEqual(denied('NO_CONTACT'));
  });

  test('ADMIN_EMAILS may, before anyone knows them', async () => {
    const gate = gateWith({ adminEmails: ['boss@people.example'] });
    expect(await gate.decide('Boss@people.example')).toEqual(allowed);
  });

  test('the first person of an empty install may, and no one after', async () => {
    const gate = gateWith({ strangersMayCome: false });
    expect(await gate.decide('first@people.example')).toEqual(allowed);
    expect(
      await gateWith({ strangersMayCome: false, adminEmails: ['a@b.example'] }).decide('first@people.example'),
    ).toEqual(denied('NO_CONTACT'));
    expect(await gateWith({ strangersMayCome: true }).decide('first@people.example')).toEqual(denied('NO_CONTACT'));
    await personOf('first@people.example');
    expect(await gate.decide('second@people.example')).toEqual(denied('NO_CONTACT'));
  });
});

describe('a CRM that decides', () => {
  const gateOf = (verdict: CrmVerdict | undefined, options: Partial<GateOptions> = {}) =>
    gateWith({ crm: { decide: async () => verdict }, ...options });

  test.each([
    ['NO_CONTACT', 'Access denied. This email does not have the required access.'],
    ['MISSING_TAG', 'Access denied. This email does not have the required access.'],
    ['KEAP_ERROR', 'Unable to verify access right now. Please try again or contact support.'],
  ] as const)('refuses the active and the invited with %s, but no admin', async (reason, message) => {
    await personOf('ann@people.example');
    await personOf('boss@people.example', { role: 'admin' });
    await invite('new@people.example', { role: 'admin' });
    const gate = gateOf(reason, { adminEmails: ['owner@people.example'] });
    for (const email of ['ann@people.example', 'new@people.example', 'stranger@people.example'])
      expect(await gate.decide(email)).toEqual({ allow: false, reason, message });
    for (const email of ['boss@people.example', 'owner@people.example'])
      expect(await gate.decide(email)).toEqual({ allow: true, as: 'admin' });
  });

  test('lets contacts in without an invitation, and notes that it did', async () => {
    const { id } = await userOf('contact@people.example');
    const gate = gateOf('granted');
    expect(await gate.decide('contact@people.example')).toEqual({ allow: true, as: 'contact' });
    expect(await signIn(gate, { id, email: 'contact@people.example' })).toEqual({ allow: true, role: 'user' });
    expect(await profileOf(id)).toMatchObject({
      crm_access: 'granted',
      crm_checked_at: expect.any(Date),
      crm_granted_at: expect.any(Date),
    });
  });

  test('does not bring back the disabled', async () => {
    await personOf('dan@people.example', { status: 'disabled' });
    expect(await gateOf('granted').decide('dan@people.example')).toEqual(denied('DISABLED'));
    expect(await gateOf('KEAP_ERROR').decideToStay('dan@people.example')).toEqual(denied('DISABLED'));
  });

  test('leaves the decision when it has no say', async () => {
    expect(await gateOf(undefined).decide('stranger@people.example')).toEqual(denied('NO_CONTACT'));
  });

  test('is not asked about admins', async () => {
    const asked: string[] = [];
    const crm = {
      async decide(email: string) {
        asked.push(email);
        return undefined;
      },
    };
    await personOf('boss@people.example', { role: 'admin' });
    await gateWith({ crm }).decide('boss@people.example');
    await gateWith({ crm }).decide('stranger@people.example');
    expect(asked).toEqual(['stranger@people.example']);
  });

  test.each([
    [undefined, 'KEAP_ERROR', false],
    [25, 'KEAP_ERROR', false],
    [23, 'KEAP_ERROR', true],
    [23, 'MISSING_TAG', false],
    [23, 'NO_CONTACT', false],
    [undefined, 'granted', true],
  ] as const)('granted %s hours ago and now %s: staying is %s', async (hours, verdict, stays) => {
    const { id } = await personOf('ann@people.example');
    const crm_granted_at = hours === undefined ? null : new Date(Date.now() - hours * 3_600_000);
    await connection.db.updateTable('app.profiles').set({ crm_granted_at }).where('user_id', '=', id).execute();
    expect((await gateOf(verdict).decideToStay('Ann@people.example')).allow).toBe(stays);
    expect((await gateOf(verdict).decide('ann@people.example')).allow).toBe(verdict === 'granted');
    if (hours === 23 && verdict === 'KEAP_ERROR')
      expect((await gateOf(verdict, { crmGraceHours: 22 }).decideToStay('ann@people.example')).allow).toBe(false);
  });

  test('has decided before the transaction; what changed since is seen inside it', async () => {
    const ann = await personOf('ann@people.example');
    const gate = gateOf('granted');
    const decided = await gate.decide(ann.email);
    const asAdmin = { allow: true, as: 'admin' } as const;
    const admit = (decision: typeof decided) =>
      connection.db.transaction().execute((tx) => gate.admit(tx, ann, decision));
    expect(await admit(asAdmin)).toEqual(denied('KEAP_ERROR'));
    expect(await admit({ allow: false, reason: 'MISSING_TAG', message: 'x' })).toEqual(denied('MISSING_TAG'));
    await connection.db.updateTable('app.profiles').set({ status: 'disabled' }).execute();
    expect(await admit(decided)).toEqual(denied('DISABLED'));
    await connection.db.updateTable('app.profiles').set({ status: 'active', role: 'admin' }).execute();
    expect(await admit({ allow: false, reason: 'MISSING_TAG', message: 'x' })).toEqual({ allow: true, role: 'admin' });
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
    const gate = gateWith({ strangersMayCome: false });
    const people = await Promise.all(Array.from({ length: 8 }, () => userOf(`${randomUUID()}@people.example`)));
    const answers = await Promise.all(people.map(({ id, email }) => signIn(gate, { id, email: email ?? '' })));
    expect(answers.filter(({ allow }) => allow)).toEqual([{ allow: true, role: 'admin' }]);
    expect(await connection.db.selectFrom('app.profiles').select('role').execute()).toEqual([{ role: 'admin' }]);
  });
});
