import { sql } from 'kysely';
import type { AdminUser } from '#contract/admin/users.ts';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import { lockAdmins } from '#server/admins/last-admin.ts';
import type { Ctx } from '#server/http/context.ts';
import { AppError, notFound } from '#server/lib/app-error.ts';
import { isUuid } from '#server/runs/rows.ts';

/**
 * Returns the account that an administrator is about to change, locked until the transaction ends.
 * The caller is looked at again: an administrator who has just been demoted changes nothing.
 * @throws FORBIDDEN, or NOT_FOUND.
 */
export async function lockAccount(tx: Tx, ctx: Ctx, userId: string): Promise<AdminUser> {
  await lockAdmins(tx);
  const caller = await accounts(tx).where('user_id', '=', ctx.user.userId).executeTakeFirst();
  if (caller?.role !== 'admin' || caller.status !== 'active')
    throw new AppError('FORBIDDEN', 'Only administrators can do this.');
  if (!isUuid(userId)) throw notFound('This user');
  await ctx.deps.accounts.lock(tx, userId);
  const account = await accounts(tx).where('user_id', '=', userId).forUpdate().executeTakeFirst();
  if (!account) throw notFound('This user');
  return toAdminUser(account);
}

const accounts = (db: Db) =>
  db
    .selectFrom('app.profiles')
    .select(['user_id', 'email', 'role', 'status', 'last_sign_in_at', 'crm_access'])
    .select(sql<boolean>`user_id in (select app.people_with_second_step())`.as('second_step'));

type AccountRow = Awaited<ReturnType<ReturnType<typeof accounts>['executeTakeFirstOrThrow']>>;

const CRM_ANSWERS = ['granted', 'NO_CONTACT', 'MISSING_TAG', 'KEAP_ERROR'] as const;

const toAdminUser = (row: AccountRow): AdminUser => ({
  id: row.user_id,
  email: row.email,
  role: row.role === 'admin' ? 'admin' : 'user',
  status: row.status === 'active' ? 'active' : 'disabled',
  last_sign_in_at: row.last_sign_in_at?.toISOString() ?? null,
  second_step: row.second_step,
  keap_tag_status: CRM_ANSWERS.find((answer) => answer === row.crm_access) ?? null,
});
