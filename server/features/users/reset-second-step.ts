import { writeAudit } from '#server/audit/write-audit.ts';
import { AppError } from '#server/http/app-error.ts';
import type { Ctx } from '#server/http/context.ts';
import { lockAccount } from './account.ts';

/**
 * Takes all factors of somebody who has lost them, and ends their sessions: they sign in by mail, and set it up anew. Throws CONFLICT
 * for oneself, who may have been left alone with an open session.
 */
export async function resetSecondStep(
  ctx: Ctx,
  { user_id: userId }: { user_id: string },
): Promise<{ user_id: string; factors: number }> {
  return ctx.deps.db.transaction().execute(async (tx) => {
    const account = await lockAccount(tx, ctx, userId);
    if (account.id === ctx.user.userId)
      throw new AppError('CONFLICT', 'Remove your own second step on your account page.');
    const factors = await ctx.deps.accounts.removeFactors(tx, account.id);
    if (factors > 0)
      await writeAudit(tx, ctx, { action: 'user.second_step_reset', target: account.id, details: { factors } });
    return { user_id: account.id, factors };
  });
}
