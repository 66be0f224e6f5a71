import { beforeAll, expect, test } from 'vitest';
import { resetSecondStepEndpoint, setSecondStepRuleEndpoint } from '#contract/access/second-step.ts';
import { setSessionEndsEndpoint } from '#contract/access/session-ends.ts';
import { deleteAccountEndpoint } from '#contract/account/account.ts';
import { addressOf } from '#contract/address.ts';
import {
  addRequiredTagsEndpoint,
  deleteRequiredTagEndpoint,
  disconnectCrmEndpoint,
  saveCrmCredentialsEndpoint,
  startCrmOauthEndpoint,
} from '#contract/admin/crm.ts';
import { inviteUserEndpoint, setUserRoleEndpoint, setUserStatusEndpoint } from '#contract/admin/users.ts';
import { endCallingRuleEndpoint, setCallScopeEndpoint } from '#contract/calling/rules.ts';
import { eraseContactEndpoint } from '#contract/calling/suppression-sources.ts';
import { removeSuppressionEndpoint } from '#contract/calling/suppressions.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { contractEndpoints } from '#test/attack/harness/routes.ts';
import { startProduct, type TestUser } from '#test/product.ts';

const product = await startProduct({ worker: false });
let admin: TestUser;
let other: TestUser;
beforeAll(async () => {
  admin = await product.admin();
  other = await product.user();
});

/** Of an entry and of a rule. */
const NO_ID = '00000000-0000-4000-8000-000000000000';
/** What takes an account over, lets others in, has people called who are held back, or erases for good: a stolen session must not be enough. */
const SENSITIVE: readonly [endpoint: Endpoint, body?: (() => object) | undefined, query?: object][] = [
  [deleteAccountEndpoint, () => ({ email: admin.email })],
  [setUserStatusEndpoint, () => ({ user_id: other.id, status: 'disabled' })],
  [setUserRoleEndpoint, () => ({ user_id: other.id, role: 'admin' })],
  [inviteUserEndpoint, () => ({ email: 'new@people.example', role: 'admin' })],
  [resetSecondStepEndpoint, () => ({ user_id: other.id })],
  [setSecondStepRuleEndpoint, () => ({ required: 'optional' })],
  [setSessionEndsEndpoint, () => ({ idle_hours: 720, max_hours: 2160 })],
  [saveCrmCredentialsEndpoint, () => ({ client_id: 'id', client_secret: 'secret' })],
  [startCrmOauthEndpoint],
  [disconnectCrmEndpoint],
  [addRequiredTagsEndpoint, () => ({ tags: [{ tag_id: '7', tag_name: 'Members' }] })],
  [deleteRequiredTagEndpoint, undefined, { tag_id: '7' }],
  [eraseContactEndpoint, () => ({ kind: 'phone', value: '217-555-0131' })],
  [removeSuppressionEndpoint, () => ({ reason: 'by mistake' }), { id: NO_ID }],
  [setCallScopeEndpoint, () => ({ scope: 'business_landlines', reason: 'by mistake' })],
  [endCallingRuleEndpoint, () => ({ reason: 'by mistake' }), { id: NO_ID }],
];
/** What administrators may change with a sign-in of long ago. A new endpoint is decided about here. */
const ADMINISTERED_WITHOUT = [
  'PUT /api/admin/training',
  'PUT /api/admin/training/loading',
  'DELETE /api/admin/training',
  'POST /api/admin/users/invitations/resend',
  'POST /api/admin/users/invitations/withdraw',
  'PUT /api/admin/budgets',
  'POST /api/admin/open-data/imports',
  'DELETE /api/admin/open-data/sources/:source',
  'PUT /api/admin/evidence/mail',
  'POST /api/admin/calling-rules',
  'PUT /api/admin/suppressions',
  'POST /api/admin/suppressions/pull',
  'POST /api/admin/suppressions/requests/:id',
];

const passTime = (user: TestUser, provenAt: Date | null = null) =>
  product.db
    .updateTable('auth.sessions')
    .set({ created_at: new Date(Date.now() - 16 * 60_000), proven_at: provenAt })
    .where('user_id', '=', user.id)
    .execute();
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;

test('every change that administrators make is decided about', async () => {
  const changes = [...(await contractEndpoints()).values()].filter(
    ({ access, method }) => access === 'admin' && method !== 'GET',
  );
  const [proven, others] = [changes.filter((one) => one.freshProof), changes.filter((one) => !one.freshProof)];
  expect(SENSITIVE.map(([endpoint]) => nameOf(endpoint))).toEqual(expect.arrayContaining(proven.map(nameOf)));
  expect(ADMINISTERED_WITHOUT.toSorted()).toEqual(others.map(nameOf).toSorted());
});

test.each(SENSITIVE.map(([endpoint, ...input]) => [nameOf(endpoint), endpoint, ...input] as const))(
  '%s is refused a while after the sign-in, and nothing has happened',
  async (_name, endpoint, body, query) => {
    const headers = { authorization: await admin.authorization(), 'content-type': 'application/json' };
    await passTime(admin);
    const answer = await product.request(addressOf(endpoint.path, query), {
      method: endpoint.method,
      headers,
      ...(body ? { body: JSON.stringify(body()) } : {}),
    });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ success: false, error: 'FRESH_PROOF_REQUIRED' });
    const standing = await product.db
      .selectFrom('app.profiles')
      .select(['role', 'status'])
      .where('user_id', '=', other.id)
      .executeTakeFirstOrThrow();
    expect(standing).toEqual({ role: 'user', status: 'active' });
  },
);

test('a proof opens it again, for a quarter of an hour', async () => {
  const body = { user_id: other.id, role: 'user' as const };
  await passTime(admin, new Date(Date.now() - 14 * 60_000));
  await expect(admin.call(setUserRoleEndpoint, body)).resolves.toMatchObject({ role: 'user' });
  await passTime(admin, new Date(Date.now() - 16 * 60_000));
  await expect(admin.call(setUserRoleEndpoint, body)).rejects.toMatchObject({ code: 'FRESH_PROOF_REQUIRED' });
});

test('no one is asked for a proof of what they may not do, or cannot be done', async () => {
  await expect(other.call(setUserRoleEndpoint, { user_id: other.id, role: 'admin' })).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
  await passTime(admin);
  await expect(admin.call(inviteUserEndpoint, { email: 'nobody' })).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
  });
});
