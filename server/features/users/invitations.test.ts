import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import {
  inviteUserEndpoint,
  listInvitationsEndpoint,
  resendInvitationEndpoint,
  withdrawInvitationEndpoint,
} from '#contract/admin/users.ts';
import { createGate } from '#server/access/gate.ts';
import { linksOf } from '#server/mail/mailer.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

const DAY_MS = 86_400_000;

let product: Product;
let admin: TestUser;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  product.deps.gate = gate();
  admin = await product.admin();
});

const gate = () => createGate({ db: product.db, adminEmails: [], strangersMayCome: true });
const newest = () => product.mails.at(-1);
const address = () => `guest-${randomUUID().slice(0, 8)}@people.example`;

test('users may neither see, send nor withdraw invitations', async () => {
  const user = await product.user();
  const calls = [
    () => user.call(listInvitationsEndpoint),
    () => user.call(inviteUserEndpoint, { email: address(), role: 'admin' }),
    () => user.call(resendInvitationEndpoint, { id: randomUUID() }),
    () => user.call(withdrawInvitationEndpoint, { id: randomUUID() }),
  ];
  for (const call of calls) await expect(call()).rejects.toMatchObject({ status: 403 });
  expect(product.mails).toEqual([]);
});

test('an invitation is mailed, lasts seven days and lets its address in', async () => {
  const email = address();
  const sent = await admin.call(inviteUserEndpoint, { email: ` ${email.toUpperCase()} `, role: 'admin' });
  expect(sent).toMatchObject({ email, role: 'admin' });
  expect(Date.parse(sent.expires_at) - Date.parse(sent.created_at)).toBe(7 * DAY_MS);
  const mail = newest();
  expect(mail).toMatchObject({ to: email, subject: 'You are invited to Fairlead' });
  expect(mail?.text).toContain(`${admin.email} invited you to Fairlead as an administrator`);
  expect(mail && linksOf(mail)[0]).toBe(`http://localhost:3000/login?email=${encodeURIComponent(email)}`);
  expect({ ...(await admin.call(listInvitationsEndpoint)).items[0], access_denial: null }).toEqual(sent);
  expect(await gate().decide(email)).toMatchObject({ allow: true });
});

test('inviting again renews the same invitation', async () => {
  const email = address();
  const first = await admin.call(inviteUserEndpoint, { email });
  await product.db
    .updateTable('app.invitations')
    .set({ expires_at: new Date(Date.now() - 1) })
    .where('id', '=', first.id)
    .execute();
  expect(await gate().decide(email)).toMatchObject({ allow: false });
  const mailed = product.mails.length;
  const second = await admin.call(inviteUserEndpoint, { email, role: 'admin' });
  expect(second).toMatchObject({ id: first.id, role: 'admin' });
  expect(Date.parse(second.expires_at)).toBeGreaterThan(Date.now());
  expect(product.mails.length).toBe(mailed + 1);
  expect(await gate().decide(email)).toMatchObject({ allow: true });
});

test('sending again renews an open invitation, and revives none that another admin has withdrawn', async () => {
  const email = address();
  const { id } = await admin.call(inviteUserEndpoint, { email, role: 'admin' });
  const old = { created_at: new Date(Date.now() - 8 * DAY_MS), expires_at: new Date(Date.now() - DAY_MS) };
  await product.db.updateTable('app.invitations').set(old).where('id', '=', id).execute();
  const other = await product.admin();
  const again = await other.call(resendInvitationEndpoint, { id });
  expect(again).toMatchObject({ id, email, role: 'admin' });
  expect(Date.parse(again.expires_at)).toBeGreaterThan(Date.now() + 6 * DAY_MS);
  expect(newest()).toMatchObject({ to: email });
  await other.call(withdrawInvitationEndpoint, { id });
  const mailed = product.mails.length;
  await expect(admin.call(resendInvitationEndpoint, { id })).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('Someone withdrew this invitation'),
  });
  const accepted = { withdrawn_at: null, accepted_at: new Date() };
  await product.db.updateTable('app.invitations').set(accepted).where('id', '=', id).execute();
  await expect(admin.call(resendInvitationEndpoint, { id })).rejects.toMatchObject({ code: 'CONFLICT' });
  for (const nothing of [randomUUID(), 'nonsense'])
    await expect(admin.call(resendInvitationEndpoint, { id: nothing })).rejects.toMatchObject({ status: 404 });
  expect(product.mails.length).toBe(mailed);
});

test('anyone who invites someone whom the CRM refuses is told, and the invitation goes out', async () => {
  const { gate: plain } = product.deps;
  const crm = { decide: async () => 'MISSING_TAG' as const };
  product.deps.gate = createGate({ db: product.db, adminEmails: [], strangersMayCome: true, crm });
  const email = address();
  const sent = await admin.call(inviteUserEndpoint, { email, role: 'admin' });
  expect(sent).toMatchObject({ email, access_denial: 'MISSING_TAG' });
  expect(newest()).toMatchObject({ to: email });
  product.deps.gate = plain;
  expect(await admin.call(resendInvitationEndpoint, { id: sent.id })).toMatchObject({ access_denial: null });
});

test('someone with an account is not invited', async () => {
  const { email, id } = await product.user();
  const mailed = product.mails.length;
  await expect(admin.call(inviteUserEndpoint, { email })).rejects.toMatchObject({
    code: 'CONFLICT',
    message: `${email} already has an account. Change its role in the users table.`,
  });
  await product.db.updateTable('app.profiles').set({ status: 'disabled' }).where('user_id', '=', id).execute();
  await expect(admin.call(inviteUserEndpoint, { email })).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('disabled'),
  });
  expect(product.mails.length).toBe(mailed);
});

test.each(['', 'nobody', 'a@b', 'a@people.example\nBcc: eve@people.example'])('%j is no address', async (email) => {
  await expect(admin.call(inviteUserEndpoint, { email })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
});

test('a mail that cannot be sent says so, and the invitation stands', async () => {
  const { sendMail } = product.deps;
  const email = address();
  product.deps.sendMail = () => Promise.reject(new Error(`550 ${email} is unknown here`));
  await expect(admin.call(inviteUserEndpoint, { email })).rejects.toMatchObject({
    status: 502,
    code: 'MAIL_FAILED',
    message: expect.stringContaining('The invitation is saved, but its email could not be sent.'),
  });
  product.deps.sendMail = sendMail;
  expect((await admin.call(listInvitationsEndpoint)).items.map((one) => one.email)).toContain(email);
  expect(await gate().decide(email)).toMatchObject({ allow: true });
  expect(product.log.join('\n')).not.toContain(email);
});

test('a withdrawn invitation opens nothing; an accepted one cannot be withdrawn', async () => {
  const email = address();
  const { id } = await admin.call(inviteUserEndpoint, { email });
  expect(await admin.call(withdrawInvitationEndpoint, { id })).toEqual({ id });
  expect(await admin.call(withdrawInvitationEndpoint, { id })).toEqual({ id });
  expect(await gate().decide(email)).toMatchObject({ allow: false });
  expect((await admin.call(listInvitationsEndpoint)).items.map((one) => one.id)).not.toContain(id);
  const again = await admin.call(inviteUserEndpoint, { email });
  expect(again.id).not.toBe(id);
  await product.db.updateTable('app.invitations').set({ accepted_at: new Date() }).where('id', '=', again.id).execute();
  await expect(admin.call(withdrawInvitationEndpoint, { id: again.id })).rejects.toMatchObject({ code: 'CONFLICT' });
  for (const nothing of [randomUUID(), 'nonsense'])
    await expect(admin.call(withdrawInvitationEndpoint, { id: nothing })).rejects.toMatchObject({ status: 404 });
});

test('each act is in the audit log', async () => {
  const email = address();
  const { id } = await admin.call(inviteUserEndpoint, { email });
  await admin.call(withdrawInvitationEndpoint, { id });
  const rows = await product.db
    .selectFrom('app.audit_log')
    .selectAll()
    .where('target', '=', email)
    .orderBy('id')
    .execute();
  expect(rows.map(({ action, actor_id }) => [action, actor_id])).toEqual([
    ['invitation.sent', admin.id],
    ['invitation.withdrawn', admin.id],
  ]);
});
