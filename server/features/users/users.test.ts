import { randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { listKeysEndpoint } from '#contract/account/api-keys.ts';
import { listUsersEndpoint, setUserRoleEndpoint, setUserStatusEndpoint } from '#contract/admin/users.ts';
import { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import { countLockWaits } from '#test/databases/count-lock-waits.ts';
import { buildListOf, readRuns } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let admin: TestUser;
let other: TestUser;
beforeAll(async () => {
  product = await startProduct();
  admin = await product.admin();
  other = await product.admin();
});

const profileOf = (id: string) =>
  product.db.selectFrom('app.profiles').selectAll().where('user_id', '=', id).executeTakeFirstOrThrow();
const auditOf = (target: string) =>
  product.db.selectFrom('app.audit_log').selectAll().where('target', '=', target).orderBy('id').execute();
/** The active administrators left, apart from those given. */
async function onlyAdmins(...kept: TestUser[]): Promise<void> {
  await product.db
    .updateTable('app.profiles')
    .set({ role: 'user' })
    .where('user_id', 'not in', [...kept.map(({ id }) => id), randomUUID()])
    .execute();
}

test('the list is compressed for anyone who takes that', async () => {
  const session = { user_id: admin.id };
  const { id } = await product.db.insertInto('auth.sessions').values(session).returning('id').executeTakeFirstOrThrow();
  const people = Array.from({ length: 50 }, () => product.user('someone-with-a-name'));
  await Promise.all(people);
  const answer = await product.request(listUsersEndpoint.path, {
    headers: { authorization: `Bearer ${admin.id}|${id}|${admin.email}`, 'accept-encoding': 'gzip' },
  });
  expect(answer.headers.get('content-encoding')).toBe('gzip');
  const { data } = JSON.parse(gunzipSync(Buffer.from(await answer.arrayBuffer())).toString());
  expect(data).toEqual(await admin.call(listUsersEndpoint));
});

describe('who may', () => {
  test('users may not', async () => {
    const user = await product.user();
    const calls = [
      () => user.call(listUsersEndpoint),
      () => user.call(setUserRoleEndpoint, { user_id: user.id, role: 'admin' }),
      () => user.call(setUserStatusEndpoint, { user_id: admin.id, status: 'disabled' }),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject({ status: 403, code: 'FORBIDDEN' });
    expect(await profileOf(user.id)).toMatchObject({ role: 'user' });
    expect(await profileOf(admin.id)).toMatchObject({ status: 'active' });
  });

  test('someone whose session ended may not', async () => {
    const gone = await product.admin();
    await gone.call(listUsersEndpoint);
    await product.db.deleteFrom('auth.sessions').where('user_id', '=', gone.id).execute();
    await expect(gone.call(listUsersEndpoint)).rejects.toMatchObject({ status: 401 });
    await product.db.deleteFrom('auth.users').where('id', '=', gone.id).execute();
  });
});

test('all accounts by address, with what the gate last heard from the CRM', async () => {
  const user = await product.user('zoe');
  await product.db
    .updateTable('app.profiles')
    .set({ crm_access: 'MISSING_TAG', last_sign_in_at: new Date('2026-11-01T10:00:00Z') })
    .where('user_id', '=', user.id)
    .execute();
  const { items } = await admin.call(listUsersEndpoint);
  expect(items.map(({ email }) => email)).toEqual(items.map(({ email }) => email).toSorted());
  expect(items.find(({ id }) => id === user.id)).toEqual({
    id: user.id,
    email: user.email,
    role: 'user',
    status: 'active',
    last_sign_in_at: '2026-11-01T10:00:00.000Z',
    second_step: false,
    keap_tag_status: 'MISSING_TAG',
  });
  expect(items.find(({ id }) => id === admin.id)).toMatchObject({ role: 'admin', keap_tag_status: null });
  expect(listUsersEndpoint.data.parse({ items })).toEqual({ items });
});

describe('roles', () => {
  test('are changed, mirrored for display, and written down', async () => {
    const user = await product.user();
    expect(await admin.call(setUserRoleEndpoint, { user_id: user.id, role: 'admin' })).toMatchObject({ role: 'admin' });
    expect((await user.call(listUsersEndpoint)).items.length).toBeGreaterThan(1);
    const mirrored = await product.db
      .selectFrom('auth.users')
      .select(['raw_app_meta_data', 'raw_user_meta_data'])
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow();
    expect(mirrored).toMatchObject({ raw_app_meta_data: { role: 'admin' }, raw_user_meta_data: { role: 'admin' } });
    await admin.call(setUserRoleEndpoint, { user_id: user.id, role: 'user' });
    await expect(user.call(listUsersEndpoint)).rejects.toMatchObject({ status: 403 });
    const rows = await auditOf(user.id);
    expect(rows.map(({ action, details }) => [action, details])).toEqual([
      ['user.role_changed', { role: 'admin' }],
      ['user.role_changed', { role: 'user' }],
    ]);
    expect(rows[0]).toMatchObject({ actor_id: admin.id, actor_email: admin.email });
    expect(rows[0]?.request_id).toBeTruthy();
    expect(rows[0]?.ip).toBe('127.0.0.1');
  });

  test('no one changes their own', async () => {
    await expect(admin.call(setUserRoleEndpoint, { user_id: admin.id, role: 'user' })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'You cannot change your own role. Ask another administrator.',
    });
    expect(await profileOf(admin.id)).toMatchObject({ role: 'admin' });
    expect(await auditOf(admin.id)).toEqual([]);
  });

  test('those whom the configuration names stay administrators', async () => {
    product.deps.env.adminEmails.push(other.email);
    await expect(admin.call(setUserRoleEndpoint, { user_id: other.id, role: 'user' })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('ADMIN_EMAILS'),
    });
    product.deps.env.adminEmails.length = 0;
  });

  test('someone who does not exist is not found', async () => {
    for (const id of [randomUUID(), 'nonsense'])
      await expect(admin.call(setUserRoleEndpoint, { user_id: id, role: 'user' })).rejects.toMatchObject({
        status: 404,
      });
  });

  test.each([1, 2, 3, 4, 5])('of two administrators who demote each other at once, one remains (%i)', async () => {
    const [one, two] = [await product.admin('one'), await product.admin('two')];
    await onlyAdmins(one, two);
    const results = await Promise.allSettled([
      one.call(setUserRoleEndpoint, { user_id: two.id, role: 'user' }),
      two.call(setUserRoleEndpoint, { user_id: one.id, role: 'user' }),
    ]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const roles = [(await profileOf(one.id)).role, (await profileOf(two.id)).role];
    expect(roles.toSorted()).toEqual(['admin', 'user']);
    await product.db
      .updateTable('app.profiles')
      .set({ role: 'admin' })
      .where('user_id', 'in', [admin.id, other.id])
      .execute();
  });
});

describe('status', () => {
  test('disabling ends the sessions at once; enabling loses nothing', async () => {
    const user = await product.user();
    await user.call(listKeysEndpoint);
    const list = await buildListOf(product.db, user.id, [{ email: 'kept@people.example' }]);
    expect(await admin.call(setUserStatusEndpoint, { user_id: user.id, status: 'disabled' })).toMatchObject({
      status: 'disabled',
    });
    await expect(user.call(listKeysEndpoint)).rejects.toMatchObject({ status: 401 });
    const sessions = product.db.selectFrom('auth.sessions').select('id').where('user_id', '=', user.id);
    expect(await sessions.execute()).toEqual([]);
    await expect(product.as(user).call(listKeysEndpoint)).rejects.toMatchObject({ status: 403 });
    await admin.call(setUserStatusEndpoint, { user_id: user.id, status: 'active' });
    await expect(product.as(user).call(listKeysEndpoint)).resolves.toBeTruthy();
    const leads = product.db.selectFrom('leads').select('email').where('list_id', '=', list);
    expect(await leads.execute()).toEqual([{ email: 'kept@people.example' }]);
    expect((await auditOf(user.id)).map(({ details }) => details)).toEqual([
      { status: 'disabled' },
      { status: 'active' },
    ]);
  });

  test('a run at work stops, and keeps what it paid for', async () => {
    const user = await product.user();
    await user.connect('hunter_io', 'sandbox-slow-disabled');
    const websites = Array.from({ length: 40 }, (_, index) => ({ website: `https://business-${index}.example` }));
    const list = await buildListOf(product.db, user.id, websites);
    const working = user
      .call(enrichEmailsEndpoint, { list_id: list, steps: ['hunter'] })
      .catch((error: unknown) => error);
    await expect.poll(async () => (await readRuns(product.db, user.id))[0]?.state).toBe('running');
    await admin.call(setUserStatusEndpoint, { user_id: user.id, status: 'disabled' });
    await expect
      .poll(async () => (await readRuns(product.db, user.id))[0]?.state, { timeout: 20_000 })
      .toBe('cancelled');
    await working;
  });

  test('a run that begins in the very instant of it does not begin', async () => {
    const user = await product.user();
    await user.connect('hunter_io', 'sandbox-disabled-instant');
    const list = await buildListOf(product.db, user.id, [{ website: 'https://business.example' }]);
    // Whatever is written to the audit log comes last: so the one who disables has cancelled the runs, and not committed.
    const waiting = await product.db.transaction().execute(async (held) => {
      await sql`lock table app.audit_log in share mode`.execute(held);
      const disabling = admin.call(setUserStatusEndpoint, { user_id: user.id, status: 'disabled' });
      await expect.poll(() => countLockWaits(product.db)).toBe(1);
      const beginning = user
        .call(enrichEmailsEndpoint, { list_id: list, steps: ['hunter'] })
        .catch((error: unknown) => error);
      await expect.poll(() => countLockWaits(product.db)).toBe(2);
      return { disabling, beginning };
    });
    await waiting.disabling;
    expect(await waiting.beginning).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    expect(await readRuns(product.db, user.id)).toEqual([]);
  });

  test('no one disables themselves', async () => {
    await expect(admin.call(setUserStatusEndpoint, { user_id: admin.id, status: 'disabled' })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'You cannot disable yourself. Ask another administrator.',
    });
    expect(await profileOf(admin.id)).toMatchObject({ status: 'active' });
  });

  test('of two administrators who disable each other at once, one remains', async () => {
    const [one, two] = [await product.admin('one'), await product.admin('two')];
    await onlyAdmins(one, two);
    const results = await Promise.allSettled([
      one.call(setUserStatusEndpoint, { user_id: two.id, status: 'disabled' }),
      two.call(setUserStatusEndpoint, { user_id: one.id, status: 'disabled' }),
    ]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect([(await profileOf(one.id)).status, (await profileOf(two.id)).status].toSorted()).toEqual([
      'active',
      'disabled',
    ]);
  });
});
