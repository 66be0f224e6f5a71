import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  getSecondStepRuleEndpoint,
  resetSecondStepEndpoint,
  type SecondStepRule,
  setSecondStepRuleEndpoint,
} from '#contract/access/second-step.ts';
import { listKeysEndpoint } from '#contract/account/api-keys.ts';
import { listUsersEndpoint } from '#contract/admin/users.ts';
import { startProduct, type TestUser } from '#test/product.ts';

const product = await startProduct({ worker: false });

/** A request with a token at aal2. */
async function proven(user: TestUser, method: string, path: string, body?: object) {
  const response = await product.request(path, {
    method,
    headers: { authorization: `${await user.authorization()}|aal2`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, body: (await response.json()) as { data?: unknown; error?: string } };
}
const require = (by: TestUser, required: SecondStepRule) =>
  proven(by, 'PUT', setSecondStepRuleEndpoint.path, { required });

const addFactor = (user: TestUser, status = 'verified') =>
  product.db
    .insertInto('auth.mfa_factors')
    .values({ user_id: user.id, factor_type: 'totp', status, sealed_secret: 'v1' })
    .execute();
const REFUSED = { status: 403, code: 'SECOND_STEP_REQUIRED' };
const audited = async (action: string) =>
  (
    await product.db.selectFrom('app.audit_log').select(['target', 'details']).where('action', '=', action).execute()
  ).map(({ target, details }) => (action.startsWith('access') ? target : details));

test('anyone who has a verified factor gets nothing without proof of one', async () => {
  const [user, beginner] = [await product.user(), await product.user()];
  await addFactor(user);
  await addFactor(beginner, 'unverified');
  await expect(user.call(listKeysEndpoint)).rejects.toMatchObject(REFUSED);
  expect((await proven(user, 'GET', listKeysEndpoint.path)).status).toBe(200);
  await expect(beginner.call(listKeysEndpoint)).resolves.toBeDefined();
});

test('the tables refuse them too, by their policies', async () => {
  const user = await product.user();
  await product.db.insertInto('lists').values({ user_id: user.id, name: 'Bakers' }).execute();
  const count = async (aal: string) => {
    const claims = JSON.stringify({ sub: user.id, role: 'authenticated', aal });
    return product.deps.db.transaction().execute(async (tx) => {
      await sql`select set_config('request.jwt.claims', ${claims}, true), set_config('role', 'authenticated', true)`.execute(
        tx,
      );
      return (await tx.selectFrom('lists').select('id').execute()).length;
    });
  };
  expect(await count('aal1')).toBe(1);
  await addFactor(user);
  expect(await count('aal1')).toBe(0);
  expect(await count('aal2')).toBe(1);
});

test('administrators ask it of administrators, or of everyone, once they have proven one themselves', async () => {
  const [admin, other, user] = [await product.admin(), await product.admin(), await product.user()];
  expect(await admin.call(getSecondStepRuleEndpoint)).toEqual({ required: 'optional' });
  await expect(admin.call(setSecondStepRuleEndpoint, { required: 'everybody' })).rejects.toMatchObject({ status: 409 });
  expect((await require(admin, 'admins')).body.data).toEqual({ required: 'admins' });
  await expect(other.call(listKeysEndpoint)).rejects.toMatchObject(REFUSED);
  await expect(user.call(listKeysEndpoint)).resolves.toBeDefined();
  await require(admin, 'everybody');
  await require(admin, 'everybody');
  await expect(user.call(listKeysEndpoint)).rejects.toMatchObject(REFUSED);
  await require(admin, 'optional');
  await expect(user.call(listKeysEndpoint)).resolves.toBeDefined();
  expect(await audited('access.second_step_required')).toEqual(['admins', 'everybody', 'optional']);
  await expect(user.call(setSecondStepRuleEndpoint, { required: 'optional' })).rejects.toMatchObject({ status: 403 });
});

test('an administrator resets what someone has lost: factors, number and sessions go, and the audit log tells', async () => {
  const [admin, user] = [await product.admin(), await product.user()];
  await addFactor(user);
  await addFactor(user, 'unverified');
  await product.db
    .insertInto('auth.identities')
    .values({ user_id: user.id, provider: 'phone', provider_id: user.id, identity_data: '{}' })
    .execute();
  await expect(user.call(listKeysEndpoint)).rejects.toMatchObject(REFUSED);
  const shown = async () => (await admin.call(listUsersEndpoint)).items.find(({ id }) => id === user.id)?.second_step;
  expect(await shown()).toBe(true);
  expect(await admin.call(resetSecondStepEndpoint, { user_id: user.id })).toEqual({ user_id: user.id, factors: 1 });
  expect(await shown()).toBe(false);
  const told = product.mails.filter(({ to }) => to === user.email).map(({ subject }) => subject);
  expect(told).toEqual(['Your second step at Fairlead was reset']);
  const left = await product.db
    .selectFrom('auth.identities')
    .select('provider')
    .where('user_id', '=', user.id)
    .execute();
  expect(left).not.toContainEqual({ provider: 'phone' });
  await expect(user.call(listKeysEndpoint)).rejects.toMatchObject({ status: 401 });
  expect(await audited('user.second_step_reset')).toEqual([{ factors: 1 }]);
  await expect(admin.call(resetSecondStepEndpoint, { user_id: admin.id })).rejects.toMatchObject({ status: 409 });
  await expect(admin.call(resetSecondStepEndpoint, { user_id: 'nobody' })).rejects.toMatchObject({ status: 404 });
  await expect(user.call(resetSecondStepEndpoint, { user_id: admin.id })).rejects.toMatchObject({ status: 401 });
});
