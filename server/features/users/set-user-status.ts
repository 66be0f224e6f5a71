import { sql } from 'kysely';
import type { z } from 'zod/mini';
import type { setUserStatusEndpoint } from '#contract/admin/users.ts';
import type { DataOf } from '#contract/endpoint.ts';
import type { Tx } from '#db/connection/tx.ts';
import { requireOtherAdmin } from '#server/admins/last-admin.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import type { Ctx } from '#server/http/context.ts';
import { AppError } from '#server/lib/app-error.ts';
import { lockAccount } from './account.ts';

/**
 * Disables someone, who is out at once and spends nothing more, or lets them back in with nothing lost.
 * @throws CONFLICT for oneself and for the last active administrator.
 */
export async function setUserStatus(
  ctx: Ctx,
  { user_id: userId, status }: z.output<typeof setUserStatusEndpoint.body>,
): Promise<DataOf<typeof setUserStatusEndpoint>> {
  return ctx.deps.db.transaction().execute(async (tx) => {
    const account = await lockAccount(tx, ctx, userId);
    if (account.status === status) return account;
    if (status === 'disabled') {
      if (account.id === ctx.user.userId)
        throw new AppError('CONFLICT', 'You cannot disable yourself. Ask another administrator.');
      if (account.role === 'admin') await requireOtherAdmin(tx, account.id);
    }
    await tx
      .updateTable('app.profiles')
      .set({ status, updated_at: sql<Date>`now()` })
      .where('user_id', '=', account.id)
      .execute();
    if (status === 'disabled') {
      await ctx.deps.accounts.shutOut(tx, account.id);
      // Last, because it locks them: shutting out may wait for someone else, and their leases would run out.
      await cancelRuns(tx, account.id);
    } else await ctx.deps.accounts.letIn(tx, account.id);
    await writeAudit(tx, ctx, { action: 'user.status_changed', target: account.id, details: { status } });
    return { ...account, status };
  });
}

/** What was paid so far is kept; the workers end the runs between two calls. */
async function cancelRuns(tx: Tx, userId: string): Promise<void> {
  await sql`
    with cancelled as (
      update app.runs set cancel_requested_at = coalesce(cancel_requested_at, now())
      where id = any(array(
        select id from app.runs where user_id = ${userId} and state in ('queued', 'running') order by id for no key update))
      returning list_id
    )
    select pg_notify('run_cancelled', list_id::text) from (select distinct list_id from cancelled) as lists
    where list_id is not null
  `.execute(tx);
}
