import { sql } from 'kysely';
import type { z } from 'zod/mini';
import type { setUserRoleEndpoint } from '#contract/admin/users.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { requireOtherAdmin } from '#server/admins/last-admin.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import type { Ctx } from '#server/http/context.ts';
import { AppError } from '#server/lib/app-error.ts';
import { lockAccount } from './account.ts';

/**
 * Makes someone an administrator, or no longer one.
 * @throws CONFLICT for oneself, and for the last active administrator.
 * @throws CONFLICT for those whom the configuration names: they would be administrators again at their next sign-in.
 */
export async function setUserRole(
  ctx: Ctx,
  { user_id: userId, role }: z.output<typeof setUserRoleEndpoint.body>,
): Promise<DataOf<typeof setUserRoleEndpoint>> {
  const { deps, user } = ctx;
  return deps.db.transaction().execute(async (tx) => {
    const account = await lockAccount(tx, ctx, userId);
    if (account.id === user.userId)
      throw new AppError('CONFLICT', 'You cannot change your own role. Ask another administrator.');
    if (account.role === role) return account;
    if (account.role === 'admin') {
      if (deps.env.adminEmails.includes(account.email.toLowerCase()))
        throw new AppError('CONFLICT', 'The server’s configuration (ADMIN_EMAILS) makes this person an administrator.');
      if (account.status === 'active') await requireOtherAdmin(tx, account.id);
    }
    await tx
      .updateTable('app.profiles')
      .set({ role, updated_at: sql<Date>`now()` })
      .where('user_id', '=', account.id)
      .execute();
    await deps.accounts.copyRole(tx, account.id, role);
    await writeAudit(tx, ctx, { action: 'user.role_changed', target: account.id, details: { role } });
    return { ...account, role };
  });
}
